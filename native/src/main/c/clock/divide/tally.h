/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_TALLY_H
#define TCLK_CLOCK_DIVIDE_TALLY_H

#include "clock/divide/division.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Counts the samples of a thread (kernel/sample_page.h), which leave a record only where they find it in user mode: how
 * many were due, and how many records came. This file reads no clock.
 *
 * CPU time is of two kinds, which are counted apart. Calm time lies between two readings without a switch. The rest
 * contains what switches cost, and would otherwise take a part of a burst between two readings. In calm time, a record
 * shows exactly when the next sample is due; therefore chance does not touch calm time that is all user or all system
 * time. In the rest, only their number is known.
 */

/* How user time goes on: at the share of calm time, and in the rest at its share of what switches leave. */
struct tclk_pace {
    uint32_t calm;
    uint32_t rest;
    uint32_t switch_ns; /* system time of each switch */
    uint32_t mean;      /* the share of all time */
};

/* Counts in progress. */
struct tclk_tally {
    struct tclk_counts counts;
    struct tclk_count_of came; /* records in the rest of the stretch that is being counted */
    int64_t period_ns;
    int64_t cpu_ns; /* where the stretch began: CPU time, and CLOCK_MONOTONIC_RAW */
    int64_t raw_ns;
    int64_t next_ns; /* CPU time at which the next sample is due */
    int64_t rest_ns;
};

void tclk_tally_begin(struct tclk_tally *tally, int64_t period_ns, int64_t cpu_ns, int64_t raw_ns);

/* Counts a record. Its stretch begins with calm time, until `calm_ns`. */
void tclk_tally_record(struct tclk_tally *tally, int64_t calm_ns, int64_t raw_ns, bool is_user);

/* Ends the stretch, and begins another one. */
void tclk_tally_stretch(struct tclk_tally *tally, int64_t calm_ns, int64_t cpu_ns, int64_t raw_ns);

/* Forgets what was counted so far. */
void tclk_tally_forget(struct tclk_tally *tally);

/* The result, if the thread was switched out so many times meanwhile. */
struct tclk_counts tclk_tally_counts(const struct tclk_tally *tally, int64_t switches);

/* The number of samples that were due. */
uint32_t tclk_counts_due(const struct tclk_counts *counts);

/* Adds more counts to older ones, which lose weight beyond some 128 samples. */
struct tclk_counts tclk_counts_add(struct tclk_counts known, struct tclk_counts more);

/* Whether the new counts differ from the older ones by more than so many standard errors. */
bool tclk_counts_differ(const struct tclk_counts *known, const struct tclk_counts *more, unsigned errors);

/* Some sample must have been due. */
struct tclk_pace tclk_counts_pace(const struct tclk_counts *counts);

/* ---- ticks ---- */

/*
 * A trend: the user share of a thread's present work, computed from the growth of the kernel's user time and CPU time
 * between looks.
 *
 * The share is the mean since the work last changed, over 1000 ticks at most. The work has changed when the share
 * of the last few ticks is another one altogether. Ticks alone cannot tell that from a steady thread in
 * step with the tick, which they find in user mode for a while, and then in the kernel for a while; but such a thread
 * seems to change again and again. A change is therefore believed only as often as credit allows: three times,
 * and once more for every 2 s of CPU time. The mean goes on through those that are not believed.
 */

/* The trend of a thread that has had this much CPU time, of which this share was user time. */
struct tclk_trend tclk_trend_begin(uint32_t share, int64_t cpu_ns, int64_t tick_ns);

/* The trend after this much more user and CPU time. cpu_ns > 0. */
struct tclk_trend tclk_trend_follow(struct tclk_trend trend, int64_t user_ns, int64_t cpu_ns, int64_t tick_ns);

/* The trend's share, as a tclk share. */
uint32_t tclk_trend_share(struct tclk_trend trend);

#endif
