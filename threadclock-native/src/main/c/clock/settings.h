/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_SETTINGS_H
#define TCLK_CLOCK_SETTINGS_H

#include "include/threadclock.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * How this process reads: what may be asked for, by which names, and what is in use (clock/source.h chooses it).
 */

#define TCLK_SOURCE_LAST TCLK_SOURCE_IDS /* the highest number */
#define TCLK_SPLIT_LAST TCLK_SPLIT_SAMPLED

/* What may be asked for; the period that is used is another one: tclk_sample_period_ns(). */
#define TCLK_WINDOW_MIN_NS INT64_C(100000)
#define TCLK_WINDOW_MAX_NS INT64_C(100000000)
#define TCLK_WINDOW_DEFAULT_NS INT64_C(4000000)
#define TCLK_SAMPLE_PERIOD_MIN_NS INT64_C(90000)
#define TCLK_SAMPLE_PERIOD_MAX_NS INT64_C(10000000)

/* The shortest period. */
#define TCLK_SAMPLE_PERIOD_LEAST_NS INT64_C(89603)

/* A period that divides a usual round of work (10, 20, 50, 100 us, 1 ms), or nearly does, finds the same part
 * of it for many samples in a row. The shortest is 100 us x (1 - 1 / (9 + 0.618)), where 0.618 is the fraction of the
 * golden ratio: it comes near to no simple part, nor does it less what a sample costs, some 20 us in a guest of KVM, for
 * which a thread does nothing of its own. (224 us would be two rounds of 100 us and that.) All others are longer
 * by whole 100 us, so that the same holds, and shorter than the one asked for by 12 % at least, so that they are not near
 * that either. The shorter it is, the more is known of a request, and the more of the thread's time the timer
 * takes: docs/accuracy.md. */
static inline int64_t tclk_sample_period_ns(int64_t asked_ns)
{
    int64_t beyond_ns = asked_ns * 88 / 100 - TCLK_SAMPLE_PERIOD_LEAST_NS;
    return TCLK_SAMPLE_PERIOD_LEAST_NS + (beyond_ns > 0 ? beyond_ns / 100000 * 100000 : 0);
}

/* What resyncs need to know. Each word may change at any time (tclk_clock_configure, a demotion). */
struct tclk_settings {
    _Atomic enum tclk_source source; /* TCLK_SOURCE_AUTO until the first selection */
    _Atomic bool by_name;            /* the source was asked for by name */
    _Atomic enum tclk_split split;
    _Atomic int64_t sample_period_ns; /* as it was asked for */
    _Atomic int64_t window_ns;
    _Atomic int64_t tick_ns;
    _Atomic bool counts_reads; /* every read is counted, for a few ns more */
};

extern struct tclk_settings tclk_settings;

static inline enum tclk_source tclk_source_in_use(void)
{
    return tclk_settings.source;
}

/* Nothing is made monotone or consistent then: the comparison is with what others do. */
static inline bool tclk_source_is_for_comparison(void)
{
    enum tclk_source source = tclk_source_in_use();
    return source == TCLK_SOURCE_TICKS || source == TCLK_SOURCE_PROC ||
           tclk_settings.split == TCLK_SPLIT_TICKS;
}

/* As options and tclk_clock_explain() call it; tclk_source_name() is the same of sources. */
const char *tclk_split_name(enum tclk_split split);

#endif
