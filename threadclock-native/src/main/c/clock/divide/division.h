/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_DIVISION_H
#define TCLK_CLOCK_DIVIDE_DIVISION_H

#include <stdbool.h>
#include <stdint.h>

/* A thread's ticks, as clock/divide/tick_test.h follows them. */
struct tclk_tick_test {
    int64_t cpu_ns;            /* at the last look that counted; 0 = there was none */
    uint32_t booked_1024ns;    /* the PROF clock then, modulo 2^32 */
    uint16_t stretch_expected; /* sixteenths of ticks, since the stretch began */
    uint8_t stretch_booked;    /* number of ticks */
    uint8_t patience : 5;      /* this many ticks in a row may stay away; 0 = as many as at first */
    uint8_t in_step : 3;       /* this many of the last wake-ups were in step with the one before */
};

/* The thread's recent share, as clock/divide/steer.h follows it. */
struct tclk_trend {
    uint16_t share;      /* of 65535 */
    uint16_t recent;     /* the share of the last 6 ticks */
    uint16_t ticks;      /* number of ticks in the mean; 0 = nothing is known yet */
    uint16_t credit_qms; /* quarters of ms of CPU time */
};

/*
 * How a thread's time is divided, as far as that is kept: a part of its record, which clock/divide/ alone knows. Only
 * the thread writes it, at its resyncs; other threads read `told`, `belief` and `sampler`.
 */
enum tclk_belief {
    TCLK_BELIEF_TICKS = 0, /* the kernel's split, as for most threads */
    TCLK_BELIEF_BOUTS,     /* suspected: the share of its bouts of samples */
    /* suspected, and cannot be sampled: the ticks since then, and user time while there are none */
    TCLK_BELIEF_RULE,
    TCLK_BELIEF_BASE, /* trusted again: the ticks since then */
};

/* The point from which ticks are trusted again. Ticks from before say nothing. */
struct tclk_division_base {
    int64_t cpu_ns; /* a point of the curve; cpu_ns 0 = to be set at the next look */
    int64_t user_ns;
    uint32_t user_1024ns; /* the VIRT and PROF clocks there, modulo 2^32 */
    uint32_t booked_1024ns;
};

/* The state of the kernel's split when ticks last came. Its share stands still while no tick comes. */
struct tclk_division_news {
    int64_t cpu_ns; /* when the share was last seen to have moved; 0 = never */
    uint32_t share;
};

struct tclk_division_bouts {
    uint16_t period_us; /* least period, because the thread reads seldom; 0 = not known */
    uint8_t place;      /* place of the present bout + 1; 0 = none */
    /* number of bouts in the mean; 0 = the share does not come from samples */
    uint8_t weight : 6;
    uint8_t is_repeated : 1; /* the last bout has shown a completely different share */
    uint8_t has_changed : 1; /* since the last bout, the thread has begun to work in step */
};

struct tclk_division {
    struct tclk_tick_test test;
    int64_t looked_cpu_ns; /* CPU time of the last look at the kernel's split, or at the ticks */
    /* CPU time before which no bout begins, so that bouts take 1 % at most */
    int64_t rests_until_ns;
    union {
        struct tclk_division_news news;   /* for TCLK_BELIEF_TICKS */
        struct tclk_division_bouts bouts; /* for TCLK_BELIEF_BOUTS */
        struct tclk_division_base base;   /* for TCLK_BELIEF_RULE and _BASE */
    } by;
    uint32_t told;     /* the share at which the thread goes on + 1; 0 = that of its ticks */
    uint8_t belief;    /* enum tclk_belief */
    bool busy;         /* a bout is beginning or ending, and a handler changes none of this */
    uint16_t switches; /* count of switches at the test's last look that counted, modulo 2^16 */

    int64_t steered_cpu_ns;       /* CPU time at the last look at the kernel's split */
    struct tclk_trend trend;      /* the trend at that look */
    uint32_t steered_user_1024ns; /* the kernel's user time at that look, modulo 2^32 */
    uint32_t sampler;             /* clock/divide/sampler.c */
};

static inline void tclk_division_believe(struct tclk_division *division, enum tclk_belief belief)
{
    __atomic_store_n(&division->belief, (uint8_t)belief, __ATOMIC_RELAXED);
}

/* Other threads may call this, too. */
static inline bool tclk_division_is_unsampled(const struct tclk_division *division)
{
    return __atomic_load_n(&division->belief, __ATOMIC_RELAXED) == TCLK_BELIEF_RULE;
}

static inline bool tclk_division_is_suspected(const struct tclk_division *division)
{
    uint8_t belief = __atomic_load_n(&division->belief, __ATOMIC_RELAXED);
    return belief == TCLK_BELIEF_BOUTS || belief == TCLK_BELIEF_RULE;
}

/* The share at which the thread goes on, if it is not that of its ticks. Other threads may call this, too. */
static inline bool tclk_division_tells(const struct tclk_division *division, uint32_t *share)
{
    uint32_t told = __atomic_load_n(&division->told, __ATOMIC_RELAXED);
    if (told == 0) {
        return false;
    }
    *share = told - 1;
    return true;
}

static inline void tclk_division_tell(struct tclk_division *division, uint32_t share)
{
    __atomic_store_n(&division->told, share + 1, __ATOMIC_RELAXED);
}

#endif
