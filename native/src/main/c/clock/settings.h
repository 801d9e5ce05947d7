/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_SETTINGS_H
#define TCLK_CLOCK_SETTINGS_H

#include "include/threadclock.h"

#include <stdbool.h>
#include <stdint.h>

/* How this process reads: which settings exist, their names, and those in use (clock/source.h chooses them). */

#define TCLK_SOURCE_LAST TCLK_SOURCE_IDS /* the highest number */
#define TCLK_SPLIT_LAST TCLK_SPLIT_SAMPLED

/* The values that may be asked for. The period in use is another one: tclk_sample_period_ns(). */
#define TCLK_WINDOW_MIN_NS INT64_C(100000)
#define TCLK_WINDOW_MAX_NS INT64_C(100000000)
#define TCLK_WINDOW_DEFAULT_NS INT64_C(4000000)
#define TCLK_SAMPLE_PERIOD_MIN_NS INT64_C(90000)
#define TCLK_SAMPLE_PERIOD_MAX_NS INT64_C(10000000)

/* The shortest period. */
#define TCLK_SAMPLE_PERIOD_LEAST_NS INT64_C(89603)

/* The shortest period of a bout (clock/divide/samples.h). */
#define TCLK_BOUT_PERIOD_LEAST_NS INT64_C(120000)

/* A period that divides a usual round of work (10, 20, 50, 100 us, 1 ms), or nearly does, finds the same part of it
 * for many samples in a row. The shortest is 100 us x (1 - 1 / (9 + 0.618)), where 0.618 is the fraction of the
 * golden ratio: it comes near to no simple part, nor does the period minus the cost of a sample, which is some 20 us
 * in a guest of KVM in which the thread does not run. (224 us would be two rounds of 100 us plus that.) All other
 * periods are longer by a multiple of 100 us, so that the same is true of them, and at least 12 % shorter than the
 * one asked for, so that they are not near that, either. A shorter period tells more about a request, and takes more
 * of the thread's time: docs/accuracy.md. */
static inline int64_t tclk_sample_period_ns(int64_t asked_ns)
{
    int64_t beyond_ns = asked_ns * 88 / 100 - TCLK_SAMPLE_PERIOD_LEAST_NS;
    return TCLK_SAMPLE_PERIOD_LEAST_NS + (beyond_ns > 0 ? beyond_ns / 100000 * 100000 : 0);
}

/* The settings that resyncs use. Each word may change at any time (tclk_clock_configure, a demotion). */
struct tclk_settings {
    _Atomic enum tclk_source source; /* TCLK_SOURCE_AUTO until the first selection */
    _Atomic bool by_name;            /* the source was asked for by name */
    _Atomic enum tclk_split split;
    _Atomic int64_t sample_period_ns; /* the period that was asked for */
    _Atomic int64_t window_ns;
    _Atomic int64_t tick_ns;
};

extern struct tclk_settings tclk_settings;

static inline enum tclk_source tclk_source_in_use(void)
{
    return tclk_settings.source;
}

/* The name of a split in options and tclk_clock_explain(); tclk_source_name() is for sources. */
const char *tclk_split_name(enum tclk_split split);

#endif
