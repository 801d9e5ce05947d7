/* SPDX-License-Identifier: Apache-2.0 */

/*
 * late_load LIBRARY PROBE EATER…: loads eaters of static TLS until not one of them gets any more, and then
 * the library, which four threads that are there already, and new ones, read from. PROBE, the smallest
 * eater, must be refused before and after. TAP.
 */

#include "include/threadclock.h"
#include "real/clocks.h"
#include "real/threads.h"

#include <dlfcn.h>
#include <tap.h>

#define THREADS 4

static pthread_barrier_t step;
static int64_t wrong;
static int (*read_times)(struct tclk_times *);

/* The first reading is the kernel's; later ones go on from there. */
static void read_right(void)
{
    struct tclk_times last = {-1, -1, -1};
    int64_t before_ns = kernel_cpu_ns();
    bool right = read_times(&last) == 0 && before_ns <= last.cpu_ns && last.cpu_ns <= kernel_cpu_ns();
    for (int i = 0; i < 10000; i++) {
        struct tclk_times now = {-1, -1, -1};
        right &= read_times(&now) == 0 && now.cpu_ns >= last.cpu_ns && now.user_ns >= last.user_ns;
        last = now;
    }
    right &= last.cpu_ns >= kernel_cpu_ns() - 50000;
    __atomic_fetch_add(&wrong, !right, __ATOMIC_RELAXED);
}

static void *read_when_told(void *unused)
{
    pthread_barrier_wait(&step);
    read_right();
    return unused;
}

static void *read_at_once(void *unused)
{
    read_right();
    return unused;
}

static int eat(char **eaters, int count)
{
    int eaten = 0;
    for (int i = 0; i < count; i++) {
        eaten += dlopen(eaters[i], RTLD_NOW) != NULL;
    }
    return eaten;
}

static bool is_refused(const char *probe)
{
    void *library = dlopen(probe, RTLD_NOW);
    if (library == NULL) {
        diag("%s", dlerror());
    }
    return library == NULL;
}

static void join(const pthread_t *threads)
{
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
    }
}

static bool load(const char *path)
{
    void *library = dlopen(path, RTLD_NOW);
    if (library == NULL) {
        diag("%s", dlerror());
        return false;
    }
    read_times = (int (*)(struct tclk_times *))dlsym(library, "tclk_thread_read");
    return read_times != NULL;
}

int main(int count, char **arguments)
{
    pthread_t threads[THREADS];
    if (count < 4) {
        return 2;
    }
    pthread_barrier_init(&step, NULL, THREADS + 1);
    for (int i = 0; i < THREADS; i++) {
        threads[i] = thread_start(read_when_told, NULL);
    }
    diag("%d of %d eaters were loaded", eat(arguments + 3, count - 3), count - 3);
    if (!is_refused(arguments[2])) {
        skip("it is loaded where no static TLS is left", "a loader that runs out of static TLS");
        done();
        exit(0);
    }
    if (!ok(load(arguments[1]), "it is loaded where no static TLS is left")) {
        done();
        exit(1);
    }
    ok(is_refused(arguments[2]), "there is no static TLS left after loading");
    pthread_barrier_wait(&step);
    join(threads);
    is_ns(wrong, 0, "threads that were there before read right");
    for (int i = 0; i < THREADS; i++) {
        threads[i] = thread_start(read_at_once, NULL);
    }
    join(threads);
    is_ns(wrong, 0, "new threads read right, too");
    return done();
}
