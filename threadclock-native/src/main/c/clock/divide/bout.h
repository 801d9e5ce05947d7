/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_BOUT_H
#define TCLK_CLOCK_DIVIDE_BOUT_H

#include "clock/proof.h"
#include "clock/record.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A bout: a thread that reads itself gets a sampling perf event (kernel/sample_page.h) for a ms or two of its CPU time.
 * Its samples (clock/divide/tally.h) tell how the thread goes on until the next bout.
 *
 *   - A bout begins and ends at a resync, and therefore only in threads that read themselves. If the thread does not
 *     read again, the event ends by itself after a number of samples.
 *   - Samples and switches (each stops and starts a timer) cost CPU time. The cost of a sample is measured once on each
 *     machine. The next bout begins when the cost of the last one is 1 % of the thread's CPU time.
 *   - The shares are of the last bouts, unless the last one says that the work has changed. A thread that begins to
 *     sleep far more often, or far less, has a bout at once, which tells from its first sample on.
 *   - At most 16 threads are sampled at once. A bout leaves nothing behind.
 *   - If no event can be opened, the thread is divided by its ticks.
 */
#define TCLK_BOUTS_MAX 16

/* In a bout, the record is brought up to date this often, so that samples between two readings without a switch are
 * told from the others. */
#define TCLK_BOUT_SLICE_NS INT64_C(100000)

/* Ends a bout that is over, or begins one that is due. Call this first in a resync. Async-signal-safe. */
void tclk_bout_follow(struct tclk_record *record);

/* Whether this process can have bouts; TCLK_NOT_TRIED if no thread was old enough. */
struct tclk_verdict tclk_bout_verdict(void);

/* Ends the bout when the thread ends. */
void tclk_bout_detach(struct tclk_record *record);

/* Call this in a child of fork(), before a second thread exists. */
void tclk_bout_after_fork(void);

#endif
