/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_SOURCE_H
#define TCLK_CLOCK_SOURCE_H

#include "include/threadclock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Which source the process reads from: the first of rseq, perf, ids and clock that is proved
 * (clock/proof.h), or the one that was asked for by name.
 */

#define TCLK_SOURCE_LAST TCLK_SOURCE_IDS /* the highest number */
#define TCLK_SPLIT_LAST TCLK_SPLIT_SAMPLED

/* What may be asked for; the period that is used: clock/sampler.h. */
#define TCLK_SAMPLE_PERIOD_MIN_NS INT64_C(90000)
#define TCLK_SAMPLE_PERIOD_MAX_NS INT64_C(10000000)

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

/* Selects what `tclk_settings` asks for if nothing is selected yet. Async-signal-safe. */
void tclk_source_ensure(void);

/* The continuous check has caught `source` missing a switch: the process goes on with the next, unless
 * another one is in use by now. */
void tclk_source_demote(enum tclk_source source);

/* The kernel has given the counter up: every source that needs it is withdrawn, and the process goes on with `clock`. */
void tclk_source_give_counter_up(void);

uint64_t tclk_source_demotions(void);

/* If set, a demotion, or the counter's end, writes one line to stderr, by write(2). */
void tclk_source_announce_demotions(bool announce);

/* As options and tclk_clock_explain() call it. */
const char *tclk_split_name(enum tclk_split split);

/* The split in use, with its period: "sampled:500us". @return the length of the whole text, as snprintf(3) */
size_t tclk_split_describe(char *buffer, size_t size);

/* Chooses as tclk_clock_configure() says. */
int tclk_source_configure(const struct tclk_config *config);

#endif
