/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_WAITS_H
#define TCLK_CLOCK_WAITS_H

#include "clock/record.h"
#include "clock/thread.h"
#include "include/threadclock.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * The figures that the kernel counts only when it switches a thread: run-queue delay, voluntary and involuntary
 * switches. The calling thread keeps the last ones that it has fetched, with the generation of the anchor that was in
 * use meanwhile (clock/record.h). While that anchor's marker is there, they are the kernel's.
 *
 * They are kept in the thread's own words and not in its record, because few threads ask.
 *
 * Assumptions:
 *   1. The kernel changes these figures only when it switches the thread out or in, and each switch changes the marker.
 *      The self-tests of the detector and of these figures (clock/selftest.h) show both.
 *   2. A marker is armed only before an anchor of another generation is published, or by a resync that a signal handler
 *      has interrupted, whose anchor is then disarmed.
 *   3. A thread does not publish exactly 2^32 - 1 anchors between two calls.
 *   4. Signal handlers of the thread run to their end before the interrupted code goes on, or that code never does.
 *
 * Guarantees:
 *   1. Figures are kept only if the marker was there, and the generation the same, after both system calls. So no
 * switch came between the anchor and the second call, and all figures belong to one moment.
 *   2. Kept figures are returned only if their generation is the anchor's, the window is not over, the marker was there
 *      after they were loaded, and the generation is still the same after that. A handler that arms the marker again
 *      publishes another generation. The window bounds how long a detector that misses switches can deceive, because
 *      the resync that ends it is where the continuous check finds that out (clock/resync.c).
 *   3. A handler that comes while figures are being stored finds no generation, fetches, and keeps nothing. So only one
 *      store is under way at a time, and figures that have a generation are complete. A handler that jumps out of a
 *      store leaves the thread keeping nothing: each call then fetches.
 *   4. A thread without an armed anchor (source `clock`, a child whose record is a copy) keeps nothing.
 *   5. A fork child keeps nothing of its parent's. (A handler that forks in the middle of a call, and returns in the
 *      child, is not supported.)
 */

/* The figures that the calling thread has kept, if they are still the kernel's. False: it keeps none, or may have been
 * switched out since; `waits` is not to be used then. `record` is the caller's; NULL: it has none. Never makes a system
 * call. Async-signal-safe. */
bool tclk_waits_recall(const struct tclk_record *record, struct tclk_waits *waits, int *error);

/* The calling thread's point by extrapolation, how it has waited until then, and the wall time (clock/wall.h), all of
 * one moment. False: the kernel must be asked for one of them; nothing is to be used then. `record` is
 * tclk_thread.counting. Never makes a system call; costs as much as an extrapolation. Not for signal handlers, because
 * of the wall time. */
bool tclk_waits_recall_with_point(struct tclk_record *record, struct tclk_point *point, struct tclk_waits *waits,
                                  int64_t *wall_ns);

/* Whether what is fetched may be kept: the self-test has shown Assumption 1. The first call runs it. */
bool tclk_waits_may_be_kept(void);

/* Asks the kernel how the calling thread has waited, and keeps the answer. `record` is the caller's, and armed, or
 * NULL: nothing is kept then. False: nothing was kept; with a record, because a switch came between. `error` says why
 * some of `waits` are unknown. Async-signal-safe; may change errno. */
bool tclk_waits_fetch(const struct tclk_record *record, struct tclk_waits *waits, int *error);

/* Asks the kernel how any thread of this process has waited. Returns 0, or why some of `waits` are unknown; -ESRCH:
 * there is no such thread. May change errno. */
int tclk_waits_fetch_thread(pid_t tid, struct tclk_waits *waits);

#endif
