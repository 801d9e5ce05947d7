/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_DIVISION_H
#define TCLK_CLOCK_DIVIDE_DIVISION_H

#include <stdbool.h>
#include <stdint.h>

/* Samples that were due, and those that found the thread in user mode (clock/divide/tally.h). */
struct tclk_count_of {
    uint16_t due;
    uint16_t users;
};

struct tclk_counts {
    struct tclk_count_of calm;
    struct tclk_count_of rest;
    uint16_t rest_us; /* CPU time of the rest, for each switch */
};

/* The share of the present work by ticks (clock/divide/tally.h). */
struct tclk_trend {
    uint16_t share;      /* of 65535 */
    uint16_t recent;     /* the share of the last 6 ticks */
    uint16_t ticks;      /* number of ticks in the mean; 0 = nothing is known yet */
    uint16_t credit_qms; /* quarters of ms of CPU time */
};

static inline bool tclk_trend_is_known(struct tclk_trend trend)
{
    return trend.ticks != 0;
}

/* What a thread's bouts have shown (clock/divide/samples.h), and how often it is switched out. */
struct tclk_division_bouts {
    struct tclk_counts counts;
    uint16_t switches;   /* at the last wake-up, modulo 2^16 */
    uint16_t passed;     /* switches since the last look */
    uint16_t sleeps;     /* at the last wake-up, modulo 2^16 */
    uint16_t run_us;     /* the usual CPU time between two sleeps */
    uint16_t user_ticks; /* modulo 2^16, at `ticked_us` */
    uint32_t ticked_us;  /* CPU time of the last look at the thread's ticks, modulo 2^32 */
    uint32_t slept_us;   /* CPU time of the last sleep, modulo 2^32 */
    bool is_repeated;    /* the last bout has shown a completely different share */
    bool was_vain;       /* the last change of that kind has brought no surprise */
    bool has_changed;    /* the thread sleeps far more often, or far less, than before */
};

/*
 * How a thread's time is divided, as far as that is kept: a part of its record, which clock/divide/ alone knows. Only
 * the thread writes it, at its resyncs; other threads read `share_plus_1`, `is_refused` and `lasts`.
 */
struct tclk_division {
    int64_t looked_cpu_ns; /* CPU time of the last look at the kernel's split */
    /* CPU time before which no bout begins, so that bouts take 1 % at most */
    int64_t rests_until_ns;
    struct tclk_division_bouts bouts;
    uint32_t share_plus_1;       /* the share by the samples + 1; 0 = the thread is divided by its ticks */
    uint32_t place;              /* place of the present bout + 1 (clock/divide/samples.c); 0 = none */
    uint32_t looked_user_1024ns; /* the kernel's user time at that look, modulo 2^32 */
    struct tclk_trend trend;     /* the trend at that look */
    bool lasts;                  /* its bout lasts as long as the thread, or was refused */
    bool busy;                   /* a handler changes none of the bouts */
    bool is_refused;             /* it has no bouts */
};

/* What the calling thread has returned last, before a resync. */
struct tclk_reading {
    int64_t cpu_ns;
    int64_t anchor_ns; /* CPU time of the anchor in use */
    int64_t origin_ns; /* clock/origin.h */
    bool is_calm; /* the thread has not been switched out since that anchor; without a detector, all time is calm */
};

/* Whether the thread was refused samples. Other threads may call this, too. */
static inline bool tclk_division_is_refused(const struct tclk_division *division)
{
    return __atomic_load_n(&division->is_refused, __ATOMIC_RELAXED);
}

/* Whether the thread has bouts that end, or was refused samples. Other threads may call this, too. */
static inline bool tclk_division_is_sampled(const struct tclk_division *division)
{
    bool has_bouts = __atomic_load_n(&division->share_plus_1, __ATOMIC_RELAXED) != 0 &&
                     !__atomic_load_n(&division->lasts, __ATOMIC_RELAXED);
    return has_bouts || tclk_division_is_refused(division);
}

#endif
