/* SPDX-License-Identifier: Apache-2.0 */

/* Calls all thread-safe functions at once, from several threads that start and end. ThreadSanitizer sees races; the
 * other builds check that the times stay right. */

#include "clocks.h"
#include "kind.h"
#include "sources.h"
#include "threads.h"

#include <errno.h>
#include <stdbool.h>
#include <tap.h>

#define READERS 3
#define SHORT_THREADS 40

/* Counted by the reader that found it. */
static int64_t wrong_own;
static int64_t wrong_others;
static int64_t wrong_rest;
static bool stop;
static pid_t tids[READERS];

static bool is_over(void)
{
    return __atomic_load_n(&stop, __ATOMIC_RELAXED);
}

static void note(int64_t *wrong, bool is_right)
{
    if (!is_right) {
        __atomic_fetch_add(wrong, 1, __ATOMIC_RELAXED);
    }
}

static bool is_consistent(struct tclk_times times)
{
    return times.user_ns >= 0 && times.system_ns >= 0 && times.user_ns + times.system_ns == times.cpu_ns;
}

static void *read_own(void *tid)
{
    int64_t last_ns = 0;
    __atomic_store_n((pid_t *)tid, tclk_tid_own(), __ATOMIC_RELAXED);
    while (!is_over()) {
        struct tclk_times times = {-1, -1, -1};
        note(&wrong_own, tclk_thread_read(&times) == 0 && is_consistent(times) && times.cpu_ns >= last_ns);
        last_ns = times.cpu_ns;
        note(&wrong_own, tclk_thread_cpu_ns() >= last_ns && tclk_thread_user_ns() >= times.user_ns);
    }
    return NULL;
}

static void observe(pid_t tid, struct tclk_times *last)
{
    struct tclk_times times;
    if (tid == 0 || tclk_tid_read(tid, &times) != 0) {
        return;
    }
    note(&wrong_others, is_consistent(times) && times.cpu_ns >= last->cpu_ns && times.user_ns >= last->user_ns &&
                            times.system_ns >= last->system_ns);
    *last = times;
}

static void *read_others(void *unused)
{
    struct tclk_times last[READERS] = {{0}};
    while (!is_over()) {
        for (int i = 0; i < READERS; i++) {
            observe(__atomic_load_n(&tids[i], __ATOMIC_RELAXED), &last[i]);
        }
    }
    return unused;
}

static void *ask_for_the_rest(void *unused)
{
    char text[1024];
    struct tclk_stats stats;
    while (!is_over()) {
        tclk_clock_stats(&stats);
        note(&wrong_rest, stats.threads >= 1);
        note(&wrong_rest, tclk_clock_source() != TCLK_SOURCE_AUTO);
        note(&wrong_rest, tclk_clock_explain(text, sizeof text) > 0);
    }
    return unused;
}

static void *read_once(void *unused)
{
    struct tclk_times times = {-1, -1, -1};
    note(&wrong_own, tclk_thread_read(&times) == 0 && is_consistent(times));
    return unused;
}

static void all_at_once(const char *source)
{
    pthread_t threads[READERS + 2];
    wrong_own = wrong_others = wrong_rest = 0;
    stop = false;
    times_now(); /* makes this thread one that is counted, whenever the others begin */
    for (int i = 0; i < READERS; i++) {
        tids[i] = 0;
        threads[i] = thread_start(read_own, &tids[i]);
    }
    threads[READERS] = thread_start(read_others, NULL);
    threads[READERS + 1] = thread_start(ask_for_the_rest, NULL);
    for (int64_t end_ns = wall_ns() + kind_rounds(500 * MS), n = 0; wall_ns() < end_ns || n < SHORT_THREADS; n++) {
        in_thread(read_once, NULL);
    }
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    for (int i = 0; i < READERS + 2; i++) {
        pthread_join(threads[i], NULL);
    }
    is_ns(wrong_own, 0, "%s: what threads read of themselves at once is right", source);
    is_ns(wrong_others, 0, "%s: so is what another one reads of them meanwhile", source);
    is_ns(wrong_rest, 0, "%s: and what is told of the clock", source);
}

/* A process whose threads all read for the first time at the same moment. */
static pthread_barrier_t all_here;

static void *read_first(void *unused)
{
    pthread_barrier_wait(&all_here);
    return read_once(unused);
}

static void all_first(void)
{
    pthread_t threads[READERS];
    pthread_barrier_init(&all_here, NULL, READERS);
    for (int i = 0; i < READERS; i++) {
        threads[i] = thread_start(read_first, NULL);
    }
    for (int i = 0; i < READERS; i++) {
        pthread_join(threads[i], NULL);
    }
    is_ns(wrong_own, 0, "the first readings of a process may be several at once");
}

/* Switches to another source and back, while others read. */
static void *configure(void *unused)
{
    struct tclk_config configs[] = {{.source = TCLK_SOURCE_CLOCK}, {.source = TCLK_SOURCE_AUTO}};
    for (int i = 0; !is_over(); i++) {
        int error = tclk_clock_configure(&configs[i % 2]);
        note(&wrong_rest, error == 0 || error == -EBUSY);
    }
    return unused;
}

static void configured_meanwhile(void)
{
    wrong_own = wrong_others = wrong_rest = 0;
    stop = false;
    pthread_t reader = thread_start(read_own, &tids[0]);
    pthread_t other = thread_start(configure, NULL);
    spin_wall_ns(200 * MS);
    __atomic_store_n(&stop, true, __ATOMIC_RELAXED);
    pthread_join(reader, NULL);
    pthread_join(other, NULL);
    is_ns(wrong_own, 0, "another source may be chosen while threads read");
    is_ns(wrong_rest, 0, "unless another thread chooses, too, choosing succeeds");
}

int main(void)
{
    all_first();
    with_each_source(all_at_once);
    configured_meanwhile();
    return done();
}
