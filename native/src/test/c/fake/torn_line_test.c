/* SPDX-License-Identifier: Apache-2.0 */

/*
 * An observer is held up between the words that it reads, while the thread begins two lines. The observer must not take
 * halves of the second one for a line. Each load and each store of clock/record.c is a place to stop at.
 */

#include "clock/curve.h"
#include "clock/divide/divide.h"
#include "clock/proof.h"
#include "clock/resync.h"
#include "clock/source.h"
#include "kernel/clockid.h"
#include "kernel/tid.h"
#include "kernel/usage.h"
#include "machine.h"

#include <errno.h>
#include <pthread.h>
#include <tap.h>

static void before_load(const volatile void *word);
static void before_store(const volatile void *word);

#define __atomic_load_n(at, order) (before_load(at), __atomic_load_n(at, order))
#define __atomic_store_n(at, to, order) (before_store(at), __atomic_store_n(at, to, order))
#include "clock/record.c"
#undef __atomic_load_n
#undef __atomic_store_n

/* The stages of the two threads. Each thread waits for the stage before its own. */
enum stage {
    QUIET,
    FIRST_LINE_FIXED,  /* the thread: the old line is still kept as `previous` */
    OBSERVER_LOOKS,    /* the observer: has read one of the two words that tell which line to take */
    PREVIOUS_HALF,     /* the thread: has begun to keep the first line */
    LINE_COPIED,       /* the observer: before it checks whether it has a whole line */
    SECOND_LINE_BEGUN, /* the thread */
    OBSERVED,
};

static struct tclk_record *record;
static pid_t tid;
static int stage;
static _Thread_local bool is_thread;
static _Thread_local bool is_observer;

static bool is_at(enum stage expected)
{
    return __atomic_load_n(&stage, __ATOMIC_SEQ_CST) == (int)expected;
}

static void await(enum stage expected)
{
    while (!is_at(expected)) {
    }
}

static void go_on(enum stage now, enum stage next)
{
    __atomic_store_n(&stage, (int)now, __ATOMIC_SEQ_CST);
    await(next);
}

/* Stops before the later of the two words. */
static void before_load(const volatile void *word)
{
    static const volatile void *first;
    if (!is_observer || (word != &record->writing && word != &record->generation)) {
        return;
    }
    if (is_at(FIRST_LINE_FIXED) && first != NULL && word != first) {
        go_on(OBSERVER_LOOKS, PREVIOUS_HALF);
    } else if (is_at(PREVIOUS_HALF) && word == &record->writing) {
        go_on(LINE_COPIED, SECOND_LINE_BEGUN);
    }
    first = word;
}

static void before_store(const volatile void *word)
{
    if (!is_thread) {
        return;
    }
    if (is_at(QUIET) && word == &record->generation) {
        go_on(FIRST_LINE_FIXED, OBSERVER_LOOKS);
    } else if (is_at(OBSERVER_LOOKS) && word == &record->previous.user_ns) {
        go_on(PREVIOUS_HALF, LINE_COPIED);
    } else if (is_at(LINE_COPIED) && word == &record->anchor.moment) {
        go_on(SECOND_LINE_BEGUN, OBSERVED);
    }
}

static struct tclk_point observed;

static void *observe(void *unused)
{
    is_observer = true;
    await(FIRST_LINE_FIXED);
    bool is_done = tclk_curve_advance(record, tid, 0, NULL, &observed) == TCLK_ADVANCE_DONE;
    ok(is_done, "an observer that was held up is told a point");
    __atomic_store_n(&stage, OBSERVED, __ATOMIC_SEQ_CST);
    return unused;
}

/* Begins a flat line, and a steep one after much user time. */
static void begin_flat_line(void)
{
    read_now();
    tid = tclk_tid_own();
    record = tclk_record_find(tid);
    for (int i = 0; i < 50; i++) {
        run_and_read(4 * MS, SYSTEM_MODE);
    }
}

static struct tclk_point begin_steep_line(void)
{
    machine_run(400 * MS, USER_MODE);
    machine_preempt(1000);
    read_now();
    machine_run(2 * MS, USER_MODE);
    return read_now();
}

int main(void)
{
    pthread_t observer;
    machine_boot((struct machine){.sample_error = 13}); /* EACCES: no bout makes more lines */
    begin_flat_line();
    is_thread = true;
    pthread_create(&observer, NULL, observe, NULL);
    struct tclk_point told = begin_steep_line();
    machine_preempt(1000);
    struct tclk_point next = read_now();
    pthread_join(observer, NULL);
    is_ns(stage, OBSERVED, "the thread has begun two lines while the observer looked at them");
    ok(observed.cpu_ns < told.cpu_ns || observed.user_ns >= told.user_ns,
       "whoever observes %" PRId64 " ns of CPU time has no less user time than was told at %" PRId64 " ns: %" PRId64
       " and %" PRId64,
       observed.cpu_ns, told.cpu_ns, observed.user_ns, told.user_ns);
    ok(observed.user_ns - told.user_ns <= observed.cpu_ns - told.cpu_ns, "…nor more than has passed since");
    ok(next.user_ns >= observed.user_ns || next.cpu_ns < observed.cpu_ns, "the thread itself goes on from there");
    return done();
}
