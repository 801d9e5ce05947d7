/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_OBSERVE_H
#define TCLK_CLOCK_OBSERVE_H

#include "clock/record.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Reads the times of a thread of this process from another one. It reads the scheduler's clock of the tid, and the
 * split only if that clock has moved. The times that were told are kept in the thread's record (clock/curve.h).
 *
 * A tid belongs to a thread only while the thread lives; after that the kernel may give it to another one at any time.
 * If the kernel no longer knows the tid, or tells less CPU time than before, the record's thread has ended, and the
 * thread that notices this drops the record. A thread that has got the tid of an ended one, and has more CPU time than
 * was told of that one, is taken for the same: nothing else tells the two apart but their start, in /proc, for which
 * each look would open a file. Its CPU time is its own; its user time starts on the curve of the ended one. That takes
 * a record which nobody has dropped, although each record that is made checks others for ended threads: one that only
 * observers held, or of a thread that has ended without an end that libc knows of (a bare exit(2)).
 *
 * All of it takes no lock, is async-signal-safe and may change errno. tid > 0. Returns 0, or -ESRCH (no such thread in
 * this process: it may have ended), or another negative errno; out-parameters are untouched then.
 */
int tclk_observe_times(pid_t tid, struct tclk_point *point);
int tclk_observe_cpu_ns(pid_t tid, int64_t *cpu_ns);

/* ---- ownership of a record, and its end; for clock/thread_clock.c ---- */

/* Checks a record that observers hold under the caller's tid. Returns 0 (it is the calling thread's), -ESRCH (it is
 * that of a thread that had the tid before), -EAGAIN (check again), or the error by which the kernel refuses to
 * tell. */
int tclk_observed_check_for_caller(struct tclk_record *record, pid_t tid);

/* Drops the record of an ended thread, whoever held it; another thread may be doing so, too. */
void tclk_observed_drop(struct tclk_record *record, enum tclk_hold hold, pid_t tid);

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
