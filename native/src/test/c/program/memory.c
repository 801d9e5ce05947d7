/* SPDX-License-Identifier: Apache-2.0 */

/*
 * memory LIBRARY: what the library adds to a process's memory, with the source rseq, in bytes:
 *     process N   loading it and the first thread's first reading
 *     thread N    each of 1000 further threads' readings
 * or "refused REASON". Counted are the anonymous pages that the kernel reports, of all mappings: what
 * the library has written of its image, what it and the loader allocate, and its own mappings. (Pages
 * of its file are shared by all processes, and cost none of them anything.) The threads are there
 * before the library is, and have used their stacks, as threads do that have work.
 */

#include "include/threadclock.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define THREADS 1000
#define STACK_USED 16384

static pthread_barrier_t step;
static int (*read_times)(struct tclk_times *);

static long anonymous_bytes(void)
{
    char line[256];
    long kib;
    long sum = 0;
    FILE *smaps = fopen("/proc/self/smaps", "r");
    if (smaps == NULL) {
        abort();
    }
    while (fgets(line, sizeof line, smaps) != NULL) {
        sum += sscanf(line, "Anonymous: %ld kB", &kib) == 1 ? kib : 0;
    }
    fclose(smaps);
    return sum * 1024;
}

__attribute__((noinline)) static void use_stack(void)
{
    volatile char used[STACK_USED];
    memset((void *)used, 1, sizeof used);
}

static void *read_when_told(void *unused)
{
    struct tclk_times times;
    use_stack();
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    if (read_times(&times) != 0) {
        abort();
    }
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    return unused;
}

static void start_threads(void)
{
    pthread_attr_t attributes;
    pthread_t thread;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, 8 * STACK_USED);
    for (int i = 0; i < THREADS; i++) {
        if (pthread_create(&thread, &attributes, read_when_told, NULL) != 0) {
            abort();
        }
    }
    pthread_barrier_wait(&step);
}

static void *symbol(void *library, const char *name)
{
    void *address = dlsym(library, name);
    if (address == NULL) {
        abort();
    }
    return address;
}

/* Returns false if the source is refused, and prints the reason. */
static int load_and_read(const char *path)
{
    struct tclk_config config = {.source = TCLK_SOURCE_RSEQ};
    struct tclk_times times;
    char reason[256];
    void *library = dlopen(path, RTLD_NOW);
    if (library == NULL) {
        abort();
    }
    int (*configure)(const struct tclk_config *, size_t) =
        (int (*)(const struct tclk_config *, size_t))symbol(library, "tclk_clock_configure_sized");
    size_t (*explain)(enum tclk_source, char *, size_t) =
        (size_t(*)(enum tclk_source, char *, size_t))symbol(library, "tclk_source_explain");
    read_times = (int (*)(struct tclk_times *))symbol(library, "tclk_thread_read");
    if (configure(&config, sizeof config) != 0) {
        explain(TCLK_SOURCE_RSEQ, reason, sizeof reason);
        printf("refused %s\n", reason);
        return 0;
    }
    return read_times(&times) == 0;
}

int main(int count, char **arguments)
{
    use_stack();
    printf("%s", ""); /* allocates stdio's buffer */
    anonymous_bytes();
    pthread_barrier_init(&step, NULL, THREADS + 1);
    start_threads();
    long before = anonymous_bytes();
    if (count != 2 || !load_and_read(arguments[1])) {
        exit(0);
    }
    long loaded = anonymous_bytes();
    pthread_barrier_wait(&step);
    pthread_barrier_wait(&step);
    long read = anonymous_bytes();
    printf("process %ld\nthread %ld\n", loaded - before, (read - loaded + THREADS - 1) / THREADS);
    fflush(stdout);
    _Exit(0);
}
