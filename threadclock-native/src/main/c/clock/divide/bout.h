/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_BOUT_H
#define TCLK_CLOCK_DIVIDE_BOUT_H

#include "clock/proof.h"
#include "clock/record.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A bout: a thread whose ticks cannot be trusted (clock/divide/tick_test.h) gets a sampling perf event
 * (kernel/sample_page.h) for a few ms of its CPU time. Its samples give the user share that the thread goes on at until
 * the next bout.
 *
 *   - A bout begins and ends at a resync, and therefore only in threads that read themselves. If the thread does not
 *     read again, the event ends by itself after a number of samples.
 *   - Samples, looks at the ring, and switches (each stops and starts a timer) cost CPU time. The cost of a sample is
 *     measured once on each machine. The next bout begins when the cost of the last one is 1 % of the thread's CPU
 *     time.
 *   - The share is the mean over the last bouts, unless the last one says that the work has changed.
 *   - At most 16 threads are sampled at once. A bout leaves nothing behind.
 *   - If no event can be opened, the thread is divided by the kernel's own rule (TCLK_BELIEF_RULE).
 */
#define TCLK_BOUTS_MAX 16

/* Ends a bout that is over, or begins one that is due. Call this first in a resync of a thread that is in
 * TCLK_BELIEF_BOUTS. Async-signal-safe. */
void tclk_bout_follow(struct tclk_record *record);

/* Whether this process can have bouts; TCLK_NOT_TRIED if none was needed. */
struct tclk_verdict tclk_bout_verdict(void);

/* True if this process can have bouts, or has not tried yet. */
bool tclk_bout_is_possible(void);

/* Ends the bout when the thread ends. */
void tclk_bout_detach(struct tclk_record *record);

/* Call this in a child of fork(), before a second thread exists. */
void tclk_bout_after_fork(void);

#endif
