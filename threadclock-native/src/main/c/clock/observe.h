/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_OBSERVE_H
#define TCLK_CLOCK_OBSERVE_H

#include "clock/record.h"
#include "include/threadclock.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Times of a thread of this process, read by another one: the scheduler's clock of its tid; the split
 * only if that has moved. What has been read of a thread is kept in its record (clock/curve.h).
 *
 * A tid names a thread only as long as the thread lives; then the kernel may give it to another one, at once if
 * it likes. A record that its own thread holds is that thread's until the thread gives it up, at its end; or until
 * the kernel no longer knows the tid, or tells less CPU time of it than before: then its thread has ended without
 * an end that libc knows of (a bare exit(2)), and whoever finds that out gives the record back. A record that
 * only observers hold is
 *   - another thread's if the kernel tells less CPU time than before; else
 *   - the same thread's if that has more CPU time than has passed since it was seen: a newer one could not; else
 *   - the same thread's if it was started when the record's thread was: /proc/self/task/TID/stat says when, in units of
 *     10 ms. That costs what the source `proc` costs.
 * Otherwise the record's thread has ended, and a new record is made. Two threads that have had the tid in the
 * same 10 ms are told apart by their CPU time alone. Where the start is not to be known, CPU time that goes on
 * is the same thread's.
 *
 * `alive_at_ns`, of CLOCK_BOOTTIME, is for a caller who knows more: the tid was the wanted thread's then,
 * and that thread has not ended before this call (the caller may make sure of that afterwards). 0: he
 * does not.
 *
 * All of it takes no lock, is async-signal-safe and leaves errno as it was. Returns 0, or -ESRCH (no such
 * thread in this process: it may have ended), or another negative errno; out-parameters are untouched
 * then.
 */
int tclk_observe_times(pid_t tid, int64_t alive_at_ns, struct tclk_times *times);
int tclk_observe_cpu_ns(pid_t tid, int64_t alive_at_ns, int64_t *cpu_ns);

/* ---- whose a record is, and what becomes of it; for clock/thread_clock.c ---- */

/* The CPU time that has been told of the record's thread. */
static inline int64_t tclk_observed_used_ns(const struct tclk_record *record)
{
    return tclk_moment_cpu_ns(tclk_record_floor(record));
}

/* At `seen_ns` the record's thread had its tid. When it was started is left open. */
static inline void tclk_observed_note(struct tclk_record *record, int64_t seen_ns)
{
    tclk_sighting_set(&record->sighting, tclk_sighting_make(seen_ns, TCLK_SIGHTING_START_UNKNOWN));
}

/* Of a record that observers hold under the caller's tid. Returns 0 (it is the calling thread's), -ESRCH (of a thread
 * that had the tid before), -EAGAIN (look again), or why the kernel does not tell. */
int tclk_observed_check_for_caller(struct tclk_record *record, pid_t tid);

/* Takes the record of an ended thread away, whoever held it; somebody else may be doing so, too. */
void tclk_observed_give_back(struct tclk_record *record, enum tclk_hold hold, pid_t tid);

/* Takes away the records of all threads that this process does not have: in a child, where they are copies. */
void tclk_observed_give_back_strangers(void);

/* Takes away some of the records of threads that are gone: those that observers hold, and those of threads that
 * have not given them up. For each record that is made, and for each that a thread leaves to observers at its
 * end: so there are about as many as threads that have records, at most. Nobody else would notice, if nobody asks
 * for them any more. */
void tclk_observed_sweep(void);

/* The threads of the calling process are the ones that this is about. When the library is loaded, and in a fork
 * child: a child that shares its parent's memory (vfork(2)) must not take the parent's threads for ended. */
void tclk_observed_begin_process(void);

/* True in such a child. What it stored of its own there, its parent would take for its own. */
bool tclk_observed_is_guest(void);

#endif
