/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A thread begins line after line at times that the kernel's clock has not reached yet, and another CPU observes it.
 * Any instruction of one may come between two instructions of the other. A reader that begins after the thread has told
 * a CPU time must not read less.
 */

#include "clock/curve.h"
#include "clock/divide/divide.h"
#include "clock/settings.h"
#include "kernel/tid.h"
#include "machine.h"

#include <pthread.h>
#include <stdlib.h>
#include <tap.h>

/* Enough to find a dozen times an observer that checks only once. */
#if defined(TCLK_SANITIZED)
#define LINES 400000
#else
#define LINES 4000000
#endif

/* As many are enough where a brief run is wanted. */
#define LINES_HERE (getenv("TCLK_BRIEF") == NULL ? LINES : LINES / 8)

/* The observer may get its turn late. */
#define LINES_NEEDED (LINES_HERE / 100)
#define BEHIND_NS 0 /* the kernel's time for an observer, which must not matter */

static struct tclk_record *record;
static pid_t tid;
static int64_t told_ns;
static bool ends;

static struct {
    int64_t compared;
    int64_t back;
    int64_t worst_ns;
} seen;

static void tell_next_reading(void)
{
    __atomic_store_n(&told_ns, read_now().cpu_ns, __ATOMIC_RELEASE);
}

static void compare(int64_t before_ns, int64_t now_ns)
{
    __atomic_fetch_add(&seen.compared, 1, __ATOMIC_RELAXED);
    seen.back += now_ns < before_ns;
    seen.worst_ns = before_ns - now_ns > seen.worst_ns ? before_ns - now_ns : seen.worst_ns;
}

static void *observe(void *unused)
{
    struct tclk_point point;
    while (!__atomic_load_n(&ends, __ATOMIC_RELAXED)) {
        int64_t before_ns = __atomic_load_n(&told_ns, __ATOMIC_ACQUIRE);
        if (tclk_curve_advance(record, tid, BEHIND_NS, NULL, &point) == TCLK_ADVANCE_DONE) {
            compare(before_ns, point.cpu_ns);
        }
    }
    return unused;
}

static void begin_lines(void)
{
    for (int i = 0; i < LINES_HERE || __atomic_load_n(&seen.compared, __ATOMIC_RELAXED) <= LINES_NEEDED; i++) {
        machine_run(2 * TCLK_SAMPLE_SLICE_PERIODS * TCLK_SAMPLE_PERIOD_LEAST_NS, USER_MODE);
        tell_next_reading();
        machine_run(200, USER_MODE);
        tell_next_reading();
    }
}

int main(void)
{
    pthread_t observer;
    struct tclk_config config = {.source = TCLK_SOURCE_PERF, .split = TCLK_SPLIT_SAMPLED};
    machine_boot((struct machine){0});
    ok(tclk_clock_configure(&config) == 0, "sampled is available");
    tell_next_reading();
    tid = tclk_tid_own();
    record = tclk_record_find(tid);
    pthread_create(&observer, NULL, observe, NULL);
    begin_lines();
    __atomic_store_n(&ends, true, __ATOMIC_RELAXED);
    pthread_join(observer, NULL);
    ok(seen.compared > LINES_NEEDED, "%d lines are begun, and observed meanwhile", LINES_HERE);
    is_ns(seen.back, 0, "nobody reads less than the thread has told before");
    diag("%" PRId64 " observations, worst %" PRId64 " ns", seen.compared, seen.worst_ns);
    return done();
}
