/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/own_record.h"

#include "clock/curve.h"
#include "clock/divide/divide.h"
#include "clock/observe.h"
#include "clock/thread.h"
#include "kernel/filter.h"
#include "kernel/probe.h"
#include "kernel/raw_clock.h"
#include "kernel/signals.h"
#include "kernel/tid.h"

#include <errno.h>
#include <pthread.h>
#include <stddef.h>

/* Set when the thread begins to end. */
static _Thread_local bool ending;

static pthread_key_t at_thread_end;
static bool has_thread_end;

/* ---- the begin and end of a thread ---- */

/* The own record goes first: a handler that reads after that finds none, and does not set `counting` again. */
static void forget_own(void)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    tclk_thread.own = NULL;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    tclk_thread.counting = NULL;
    tclk_thread_forget_waits();
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (has_thread_end) {
        pthread_setspecific(at_thread_end, NULL);
    }
}

/* The thread may go on for a while in the destructors of other keys, and its signal handlers run until the very end.
 * They read it as other threads do, which drop the record when the thread is gone. Only the record knows what
 * has been told of the thread. */
static void thread_ends(void *own)
{
    struct tclk_record *record = own;
    pid_t tid = tclk_record_tid(record);
    ending = true; /* first: a handler that finds no record takes none then */
    forget_own();
    tclk_record_disarm(record);
    tclk_samples_end(&record->division);
    tclk_record_detach(record);
    tclk_curve_set_free(record);
    tclk_record_note_seen(record, tclk_boot_clock_ns());
    if (tclk_record_hand_over(record, tid, TCLK_HOLD_OWNER, TCLK_HOLD_ENDED)) {
        tclk_observed_sweep();
    }
}

void tclk_own_record_begin_process(void)
{
    has_thread_end = pthread_key_create(&at_thread_end, thread_ends) == 0;
}

void tclk_own_record_after_fork(void)
{
    forget_own();
    ending = false;
}

/* Takes a record that is found under its tid from the start. False: there is no record, or an observer has entered
 * one meanwhile. */
static bool take_new(pid_t tid, struct tclk_record **record)
{
    *record = tclk_record_take(tid, TCLK_HOLD_OWNER);
    if (*record == NULL) {
        return false;
    }
    tclk_record_note_seen(*record, tclk_boot_clock_ns());
    struct tclk_record *entered = tclk_record_enter(*record);
    bool is_new = entered == *record;
    if (!is_new) {
        tclk_record_give(*record);
    }
    *record = entered;
    tclk_observed_sweep();
    return is_new;
}

/* Takes the record that observers have made for this thread. Takes a new one if there is none, or if it belongs to a
 * thread that had this tid before. A record that an owner holds, or whose thread is at its end, surely does. */
static struct tclk_record *find_or_take(pid_t tid)
{
    for (;;) {
        struct tclk_record *record = tclk_record_find(tid);
        bool is_new = record == NULL && take_new(tid, &record);
        if (is_new || record == NULL) {
            return record;
        }
        enum tclk_hold hold = tclk_record_hold_of(record, tid);
        int error = hold == TCLK_HOLD_OBSERVERS ? tclk_observed_check_for_caller(record, tid) : -ESRCH;
        if (error == 0 && tclk_record_hand_over(record, tid, TCLK_HOLD_OBSERVERS, TCLK_HOLD_OWNER)) {
            return record;
        }
        if (error == -EAGAIN) {
            continue;
        }
        tclk_observed_drop(record, hold, tid);
        if (error != 0 && error != -ESRCH) { /* nobody can tell whose the record is, so the thread gets none */
            return NULL;
        }
    }
}

static struct tclk_record *take_own_alone(void)
{
    struct tclk_record *record = find_or_take(tclk_tid_own());
    if (record == NULL) {
        return NULL;
    }
    record->own.counter_refused = !tclk_probe_counter_is_enabled();
    tclk_thread.own = record;
    if (pthread_setspecific(at_thread_end, record) != 0) {
        thread_ends(record);
        return NULL;
    }
    return record;
}

/* Returns NULL if the thread must be read as other threads read it. Without a thread-end key, only they would
 * drop its record. A child that shares its parent's memory shares the words above as well.
 *
 * Signals are blocked, because a signal handler that reads would take one as well, and neither could tell the other's
 * record from one left behind. A handler runs after this; or it ran just before, and there is a record.
 *
 * Not inlined: the caller's frame is beneath every reading's. */
__attribute__((noinline)) static struct tclk_record *take_own(void)
{
    if (!has_thread_end || ending || tclk_filter_forbids() || tclk_observed_is_guest()) {
        return NULL;
    }
    struct tclk_signals signals = tclk_signals_hold();
    struct tclk_record *record = tclk_thread.own;
    if (record == NULL && signals.are_held) {
        record = take_own_alone();
    }
    tclk_signals_release(signals);
    return record;
}

struct tclk_record *tclk_own_record_ensure(void)
{
    return tclk_thread.own != NULL ? tclk_thread.own : take_own();
}
