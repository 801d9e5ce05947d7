/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_OBSERVE_H
#define TCLK_CLOCK_OBSERVE_H

#include "clock/record.h"
#include "include/threadclock.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Reads the times of a thread of this process from another one. It reads the scheduler's clock of the tid, and the
 * split only if that clock has moved. The times that were told are kept in the thread's record (clock/curve.h).
 *
 * A tid belongs to a thread only while the thread lives; after that the kernel may give it to another one at any time.
 * A record that its own thread holds belongs to that thread until the thread hands it over, at its end. If the kernel
 * no longer knows the tid, or tells less CPU time than before, the thread has ended without an end that libc knows of
 * (a bare exit(2)), and the thread that notices this drops the record. A record that only observers hold belongs to
 *   - another thread if the kernel tells less CPU time than before; else
 *   - the same thread if it has more CPU time than the time that has passed since it was seen, which a newer thread
 *     cannot have; else
 *   - the same thread if it has the same start as the record's thread. /proc/self/task/TID/stat tells the start, in
 *     units of 10 ms. This is as expensive as source `proc`.
 * Otherwise the record's thread has ended, and a new record is made. Two threads that have had the tid in the
 * same 10 ms are told apart by their CPU time alone. If the start is unknown, a thread is taken as the same if the
 * kernel tells no less CPU time than it has told before.
 *
 * `alive_at_ns`, of CLOCK_BOOTTIME, is for a caller that knows more: the tid belonged to the wanted thread then, and
 * that thread has not ended before this call (the caller may make sure of that afterwards). 0 means that the caller
 * does not know this.
 *
 * All of it takes no lock, is async-signal-safe and leaves errno as it was. Returns 0, or -ESRCH (no such
 * thread in this process: it may have ended), or another negative errno; out-parameters are untouched
 * then.
 */
int tclk_observe_times(pid_t tid, int64_t alive_at_ns, struct tclk_times *times);
int tclk_observe_cpu_ns(pid_t tid, int64_t alive_at_ns, int64_t *cpu_ns);

/* ---- ownership of a record, and its end; for clock/thread_clock.c ---- */

/* The CPU time that has been told of the record's thread. */
static inline int64_t tclk_observed_used_ns(const struct tclk_record *record)
{
    return tclk_moment_cpu_ns(tclk_record_floor(record));
}

/* Notes that the record's thread had its tid at `seen_ns`. Its start is left open. */
static inline void tclk_observed_note(struct tclk_record *record, int64_t seen_ns)
{
    tclk_sighting_set(&record->sighting, tclk_sighting_make(seen_ns, TCLK_SIGHTING_START_UNKNOWN));
}

/* Checks a record that observers hold under the caller's tid. Returns 0 (it is the calling thread's), -ESRCH (it is
 * that of a thread that had the tid before), -EAGAIN (check again), or the error by which the kernel refuses to
 * tell. */
int tclk_observed_check_for_caller(struct tclk_record *record, pid_t tid);

/* Drops the record of an ended thread, whoever held it; another thread may be doing so, too. */
void tclk_observed_drop(struct tclk_record *record, enum tclk_hold hold, pid_t tid);

/* Drops the records of all threads that this process does not have. It is for a child, in which they are
 * copies. */
void tclk_observed_drop_strangers(void);

/* Drops some records of threads that have ended: records that observers hold, and records that were not handed
 * over. It is called for each record that is made, and for each one that a thread leaves to observers at its end.
 * Therefore records are at most about as many as the threads that have one. Nobody else would notice such a thread
 * if nobody reads it any more. */
void tclk_observed_sweep(void);

/* Makes the calling process the one whose threads are read. Call this when the library is loaded, and in a child of
 * fork(): a child that shares its parent's memory (vfork(2)) must not take the parent's threads for ended ones. */
void tclk_observed_begin_process(void);

/* True in such a child. The parent would take what the child stored there for its own. */
bool tclk_observed_is_guest(void);

#endif
