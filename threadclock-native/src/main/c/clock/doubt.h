/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DOUBT_H
#define TCLK_CLOCK_DOUBT_H

#include "clock/split.h"
#include "clock/tick_test.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * What is known of a thread's ticks, and what its user time goes by if they cannot be trusted; in the thread's record.
 * The thread alone writes it, at its resyncs (clock/split_look.c) and bouts (clock/bout.c); others look at `told`.
 */
enum tclk_belief {
    TCLK_BELIEF_TICKS = 0, /* the kernel's split, as of most threads */
    TCLK_BELIEF_BOUTS,     /* suspected: the share of its bouts of samples */
    TCLK_BELIEF_RULE, /* suspected, and cannot be sampled: the ticks since then; user time while there are none */
    TCLK_BELIEF_BASE, /* trusted again: the ticks since then */
};

/* Where trust began anew: the thread's ticks from before say nothing. */
struct tclk_doubt_base {
    struct tclk_point point; /* of the curve; cpu_ns 0 = to be set at the next look */
    uint32_t user_1024ns;    /* the VIRT and PROF clocks there, modulo 2^32 */
    uint32_t booked_1024ns;
};

/* What the kernel's split, whose share stands still while no tick comes, has told of ticks. */
struct tclk_doubt_news {
    int64_t cpu_ns; /* when the share was last seen to have moved; 0 = never */
    uint32_t share;
};

/* What samples have told of stretches of one kind. */
struct tclk_doubt_seen {
    uint32_t user_us;
    uint32_t passed_us;
};

struct tclk_doubt_bouts {
    struct tclk_doubt_seen calm; /* while the thread was not switched out */
    struct tclk_doubt_seen
        switched;            /* from its last reading before a switch to the first one after it */
    uint16_t stretches;      /* of the latter */
    uint16_t period_us;      /* at least: the thread reads so seldom; 0 = not known to */
    uint8_t place;           /* of the bout that it is in + 1; 0 = none at present */
    uint8_t weight : 6;      /* bouts that the share is the mean of; 0 = it is not the samples' */
    uint8_t is_repeated : 1; /* the last one has shown another share altogether */
    uint8_t has_changed : 1; /* since the last one the thread has begun to work in step */
};

struct tclk_doubt {
    struct tclk_tick_test test;
    int64_t looked_cpu_ns; /* CPU time when the kernel's split, or its ticks, were last looked at */
    int64_t rests_until_ns; /* CPU time; no bout before it, so that bouts take 1 % at most */
    union {
        struct tclk_doubt_news news;   /* TCLK_BELIEF_TICKS */
        struct tclk_doubt_bouts bouts; /* TCLK_BELIEF_BOUTS */
        struct tclk_doubt_base base;   /* TCLK_BELIEF_RULE, _BASE */
    } by;
    uint32_t told;  /* the share that it goes on at + 1; 0 = that of its ticks */
    uint8_t belief; /* enum tclk_belief */
    bool busy;      /* a bout is beginning or ending: a handler leaves all of this alone */
};

_Static_assert(sizeof(struct tclk_doubt) == 64, "one cache line");

static inline void tclk_doubt_believe(struct tclk_doubt *doubt, enum tclk_belief belief)
{
    __atomic_store_n(&doubt->belief, (uint8_t)belief, __ATOMIC_RELAXED);
}

/* As tclk_tick_test_note_wake(). */
static inline void tclk_doubt_note_wake(struct tclk_doubt *doubt, int64_t wall_ns, int64_t cpu_ns,
                                        int64_t tick_ns)
{
    bool has_begun = tclk_tick_test_note_wake(&doubt->test, wall_ns, cpu_ns, tick_ns);
    if (has_begun && doubt->belief == TCLK_BELIEF_BOUTS) {
        doubt->by.bouts.has_changed = true;
    }
}

/* Also for others. */
static inline bool tclk_doubt_is_unsampled(const struct tclk_doubt *doubt)
{
    return __atomic_load_n(&doubt->belief, __ATOMIC_RELAXED) == TCLK_BELIEF_RULE;
}

static inline bool tclk_doubt_is_suspected(const struct tclk_doubt *doubt)
{
    uint8_t belief = __atomic_load_n(&doubt->belief, __ATOMIC_RELAXED);
    return belief == TCLK_BELIEF_BOUTS || belief == TCLK_BELIEF_RULE;
}

/* The share that the thread goes on at, if it is not that of its ticks. Also for others. */
static inline bool tclk_doubt_tells(const struct tclk_doubt *doubt, uint32_t *share)
{
    uint32_t told = __atomic_load_n(&doubt->told, __ATOMIC_RELAXED);
    if (told == 0) {
        return false;
    }
    *share = told - 1;
    return true;
}

/* The same of stretches of one kind, if samples have told of any. */
static inline uint32_t tclk_doubt_share_in(struct tclk_doubt_seen seen, uint32_t otherwise)
{
    return seen.passed_us == 0 ? otherwise
           : seen.user_us >= seen.passed_us
               ? TCLK_SHARE_ONE
               : tclk_share_between(seen.user_us, (int64_t)seen.passed_us - seen.user_us,
                                    otherwise);
}

static inline void tclk_doubt_tell(struct tclk_doubt *doubt, uint32_t share)
{
    __atomic_store_n(&doubt->told, share + 1, __ATOMIC_RELAXED);
}

#endif
