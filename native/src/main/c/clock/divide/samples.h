/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_SAMPLES_H
#define TCLK_CLOCK_DIVIDE_SAMPLES_H

#include "clock/divide/division.h"
#include "clock/line.h"
#include "kernel/perf_page.h"
#include "kernel/usage.h"

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
 *   - Some 16 threads at most have bouts at once. A bout leaves nothing behind.
 *   - If no event can be opened, the thread is divided by its ticks.
 *
 * In the split `sampled`, a thread has one bout, which lasts as long as the thread, and each user sample stands for one
 * period of user time.
 *
 * All functions are for the calling thread and its division, and async-signal-safe, if nothing else is said.
 */

/* For this many periods of a bout that lasts, a line of user time is followed before the samples are read again,
 * without asking the kernel. */
#define TCLK_SAMPLE_SLICE_PERIODS INT64_C(2)

/* What the samples of a bout that lasts show. */
struct tclk_sampled {
    uint64_t head;
    int64_t user_ns;   /* user time by the samples */
    int64_t period_ns; /* 0 = the thread has no such bout */
    uint32_t share;
};

/* Ends a bout that is over, or begins one that is due, as the settings want. Call this first in a resync, but not while
 * one that this one has interrupted replaces the anchor. */
void tclk_samples_follow(struct tclk_division *division, const struct tclk_reading *last);

/* Counts the samples of a bout that lasts, at a CPU time. Changes nothing. One load if none has come. False: they say
 * nothing; the first look only shows where they begin. */
bool tclk_samples_look(const struct tclk_division *division, int64_t cpu_ns, struct tclk_sampled *look);

/* For how long a line is followed before the samples are looked at again; 0 = until a window ends. In a bout that ends,
 * samples between two readings without a switch are share_plus_1 from the others by that. */
int64_t tclk_samples_slice_ns(const struct tclk_division *division);

/* Notes that this look has become that line. A bout that lasts begins at the line's slope, and is given up if it finds
 * no user time where the kernel does; `usage` is NULL if the kernel was not asked. */
void tclk_samples_note(struct tclk_division *division, const struct tclk_sampled *look, const struct tclk_usage *usage,
                       const struct tclk_line *line);

/* The page of a bout that lasts as a detector; NULL if it is none. */
struct tclk_perf_page *tclk_samples_page(const struct tclk_division *division);

/* Ends the thread's bout when the thread ends; another thread may call this if it has ended without. Call
 * tclk_record_disarm() before. */
void tclk_samples_end(struct tclk_division *division);

/* Call this in a child of fork(), before a second thread exists. */
void tclk_samples_after_fork(void);

#endif
