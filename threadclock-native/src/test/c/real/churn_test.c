/* SPDX-License-Identifier: Apache-2.0 */

/*
 * 10 000 threads start, read, are read by others, and end. Their records return to the pool, which does not grow beyond
 * those that existed at once; nor does the process's memory.
 */

#include "clock/record.h"
#include "kind.h"
#include "leftovers.h"
#include "sources.h"
#include "threads.h"

#include <limits.h>
#include <tap.h>

#define THREADS (KIND_IS_PLAIN ? 10000 : 1000)
#define WAVE 50
#define STACK_BYTES 65536

/* One record for the main thread, those of a wave, and one for each thread that ended after the next wave began, or
 * that others have read and that is not swept yet. */
#define RECORDS_MAX (4 * WAVE)

/* The growth of the whole process after the first tenth. With a record for each further thread it would be 2.3 MB. */
#define GROWTH_BYTES (512 * 1024)

static pthread_barrier_t step;
static pid_t tids[WAVE];
static int64_t wrong;

static void *live(void *index)
{
    int64_t before_ns = kernel_cpu_ns();
    struct tclk_times first = times_now();
    int64_t after_ns = kernel_cpu_ns();
    tids[(uintptr_t)index] = tclk_tid_own();
    pthread_barrier_wait(&step);
    spin_wall_ns(10 * US);
    struct tclk_times last = times_now();
    bool right = before_ns <= first.cpu_ns && first.cpu_ns <= after_ns && last.cpu_ns >= first.cpu_ns &&
                 last.user_ns >= first.user_ns;
    __atomic_fetch_add(&wrong, !right, __ATOMIC_RELAXED);
    pthread_barrier_wait(&step);
    return NULL;
}

/* Others also read each third wave, so that its records outlive its threads. */
static void run_wave(int wave)
{
    pthread_t threads[WAVE];
    pthread_attr_t attributes;
    struct tclk_times times[WAVE];
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES + (size_t)PTHREAD_STACK_MIN);
    for (uintptr_t i = 0; i < WAVE; i++) {
        if (pthread_create(&threads[i], &attributes, live, (void *)i) != 0) {
            abort();
        }
    }
    pthread_barrier_wait(&step);
    if (wave % 3 == 0) {
        wrong += tclk_tids_read(tids, WAVE, times) != WAVE;
    }
    pthread_barrier_wait(&step);
    for (int i = 0; i < WAVE; i++) {
        pthread_join(threads[i], NULL);
    }
    pthread_attr_destroy(&attributes);
}

/* Counts page by page, because since Linux 6.2 each CPU adds to statm's sum only now and then, 32 pages or more at
 * once. -1: there is no such file. */
static int64_t memory_bytes(void)
{
    char line[256];
    long kib = -1;
    FILE *file = fopen("/proc/self/smaps_rollup", "re"); /* Linux 4.14 */
    while (file != NULL && fgets(line, sizeof line, file) != NULL && sscanf(line, "Rss: %ld kB", &kib) != 1) {
    }
    if (file != NULL) {
        fclose(file);
    }
    return kib < 0 ? -1 : kib * 1024;
}

static void come_and_go(const char *source)
{
    int64_t early_bytes = 0;
    wrong = 0;
    times_now();
    struct leftovers before = leftovers_now();
    for (int wave = 0; wave < THREADS / WAVE; wave++) {
        if (wave == THREADS / WAVE / 10) {
            early_bytes = memory_bytes();
        }
        run_wave(wave);
    }
    int64_t growth_bytes = memory_bytes() - early_bytes;
    is_ns(wrong, 0, "%s: each of %d threads reads its own time", source, THREADS);
    ok(tclk_record_used() <= RECORDS_MAX, "%s: %d records are enough for them", source, RECORDS_MAX);
    if (early_bytes < 0) {
        skip("the process does not grow with them", "/proc/self/smaps_rollup, Linux 4.14");
    } else {
        ok(growth_bytes <= GROWTH_BYTES || !KIND_IS_PLAIN, "%s: the process does not grow with them", source);
    }
    diag("%u records, memory grew by %" PRId64 " bytes", tclk_record_used(), growth_bytes);
    leftovers_none(before, source);
}

int main(void)
{
    pthread_barrier_init(&step, NULL, WAVE + 1);
    with_each_source(come_and_go);
    return done();
}
