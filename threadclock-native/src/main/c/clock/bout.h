/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_BOUT_H
#define TCLK_CLOCK_BOUT_H

#include "clock/proof.h"
#include "clock/record.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A bout: a thread whose ticks cannot be trusted (clock/doubt.h) gets a sampling perf event (kernel/sample_page.h) for
 * a few ms of its CPU time, which tells the share that it goes on at until the next one.
 *
 *   - A bout begins and ends at a resync, so only in threads that read themselves. The samples of one that reads no
 *     more end by themselves, at a number of them.
 *   - Its cost is the samples', the looks', and the switches' (a timer is stopped and started at each), by what a sample costs on this
 *     machine, which is measured once. Bouts rest until that is 1 % of the thread's CPU time.
 *   - The share is the mean over the last bouts, unless the last one says that the work has changed. It is kept for two
 *     kinds of stretches as well: those in which the thread is switched out, which begin at its last reading before that, and
 *     those in which it is not. A burst between two readings is user time altogether, whatever the wait behind it costs.
 *     Therefore readings look at the samples within a bout, and an anchor is good for 20 us only.
 *   - 16 threads at most are sampled at once. Nothing of a bout stays.
 *   - Where no event is to be had the thread goes by the kernel's own rule (TCLK_BELIEF_RULE).
 */
#define TCLK_BOUTS_MAX 16

/* At a resync of a thread that is in TCLK_BELIEF_BOUTS, before anything else: ends a bout that is over, or begins one
 * that is due. Async-signal-safe. */
void tclk_bout_follow(struct tclk_record *record);

/* How long an anchor may be used: less within a bout. */
int64_t tclk_bout_window_ns(const struct tclk_record *record, int64_t window_ns);

/* Whether this process can have any; TCLK_NOT_TRIED if none was needed. */
struct tclk_verdict tclk_bout_verdict(void);

/* It can have them, or has not tried yet. */
bool tclk_bout_is_possible(void);

/* As others see it: the share at which a thread goes on that does not go by all its ticks, but by samples. False: it does. */
bool tclk_bout_share(const struct tclk_record *record, uint32_t *share);

/* At the thread's end: no samples of any kind, and nothing armed, are left of it. */
void tclk_bout_retire(struct tclk_record *record);

/* In a fork child, before a second thread exists. */
void tclk_bout_forget_all(void);

#endif
