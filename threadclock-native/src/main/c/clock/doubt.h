/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DOUBT_H
#define TCLK_CLOCK_DOUBT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Tests whether a thread's clock ticks can be trusted. Over a stretch of its CPU time, the kernel should have booked as
 * many ticks as fit into it (the PROF clock should have grown as much as the CPU time). A thread that works in step
 * with the tick gets far fewer, or far more, and then its ticks say nothing about how it divides its time. This file
 * only computes, and reads no clock.
 *
 * A thread that runs on is booked one tick for each that passes, one more or less at either end of a stretch. Bursts at
 * random times are booked a random number (Poisson's), and 13 % of these threads get none in 8 ms of CPU time. A false
 * alarm costs such a thread a few bouts of samples (clock/bout.h). After each alarm, it gets twice as much time.
 *
 * Only a thread that is switched out can miss ticks: one for each switch, and one more. If more are missing, the
 * machine has lost them, because the host withheld the CPU or the tick was late. That says nothing about the thread.
 *
 * The wall time of bursts shows sooner that they are in step, before a tick can be missed: each burst begins a whole
 * number of ticks after the one before. A thread that wakes at random times does this four times in a row once in a
 * million times.
 */
enum tclk_ticks {
    TCLK_TICKS_UNDECIDED,
    TCLK_TICKS_GOOD, /* about as many ticks as 25 ticks' worth of CPU time should have */
    TCLK_TICKS_ABSENT,
    TCLK_TICKS_CROWDED,
};

/* The CPU time between two looks at the PROF clock, in ticks. */
#define TCLK_TICK_TEST_LOOK_TICKS 3

struct tclk_tick_test {
    int64_t cpu_ns;            /* at the last look that counted; 0 = there was none */
    uint32_t booked_1024ns;    /* the PROF clock then, modulo 2^32 */
    uint16_t stretch_expected; /* sixteenths of ticks, since the stretch began */
    uint8_t stretch_booked;    /* number of ticks */
    uint8_t patience : 5;      /* this many ticks in a row may stay away; 0 = as many as at first */
    uint8_t in_step : 3;       /* this many of the last wake-ups were in step with the one before */
};

/* Whether the PROF clock should be read again. */
bool tclk_tick_test_is_due(const struct tclk_tick_test *test, int64_t cpu_ns, int64_t tick_ns);

/* Reports that the PROF clock shows `booked_ns` at this CPU time, and that the thread has been switched out `switches`
 * times since the last look that counted. This one counted if test->cpu_ns is `cpu_ns` then. */
enum tclk_ticks tclk_tick_test_follow(struct tclk_tick_test *test, int64_t cpu_ns, int64_t booked_ns, uint16_t switches,
                                      int64_t tick_ns);

/* Whether it is enough for an alarm if no tick was booked in this much CPU time, as the caller knows by other means. */
bool tclk_tick_test_is_silence(const struct tclk_tick_test *test, int64_t cpu_ns, int64_t tick_ns);

/* Whether the thread has missed about two ticks since the last look that counted. */
bool tclk_tick_test_misses(const struct tclk_tick_test *test, int64_t cpu_ns, int64_t booked_ns, uint16_t switches,
                           int64_t tick_ns);

/* Reports that the thread has been switched out and has come back: the wall time since its last anchor, and the CPU
 * time that it had used before it was switched out. Waits of less than half a tick say nothing. True: the thread has
 * fallen into step just now. */
bool tclk_tick_test_note_wake(struct tclk_tick_test *test, int64_t wall_ns, int64_t cpu_ns, int64_t tick_ns);

bool tclk_tick_test_is_in_step(const struct tclk_tick_test *test);

/* Begins again for a thread whose ticks were believed to be wrong. It gets more time than before. */
void tclk_tick_test_begin_again(struct tclk_tick_test *test);

/* ---- how a thread's time is divided ---- */

/*
 * The facts about a thread's ticks, and about its user time if they cannot be trusted. This is a part of the thread's
 * record. Only the thread writes it, at its resyncs (clock/split_look.c) and bouts (clock/bout.c); other threads read
 * `told`.
 */
enum tclk_belief {
    TCLK_BELIEF_TICKS = 0, /* the kernel's split, as for most threads */
    TCLK_BELIEF_BOUTS,     /* suspected: the share of its bouts of samples */
    /* suspected, and cannot be sampled: the ticks since then, and user time while there are none */
    TCLK_BELIEF_RULE,
    TCLK_BELIEF_BASE, /* trusted again: the ticks since then */
};

/* The point from which ticks are trusted again. Ticks from before say nothing. */
struct tclk_doubt_base {
    int64_t cpu_ns; /* a point of the curve; cpu_ns 0 = to be set at the next look */
    int64_t user_ns;
    uint32_t user_1024ns; /* the VIRT and PROF clocks there, modulo 2^32 */
    uint32_t booked_1024ns;
};

/* The state of the kernel's split when ticks last came. Its share stands still while no tick comes. */
struct tclk_doubt_news {
    int64_t cpu_ns; /* when the share was last seen to have moved; 0 = never */
    uint32_t share;
};

/* The samples of stretches of one kind. */
struct tclk_doubt_seen {
    uint32_t user_us;
    uint32_t passed_us;
};

struct tclk_doubt_bouts {
    struct tclk_doubt_seen calm;     /* in which the thread was not switched out */
    struct tclk_doubt_seen switched; /* from its last reading before a switch to the first one after it */
    uint16_t stretches;              /* number of switched stretches */
    uint16_t period_us;              /* least period, because the thread reads seldom; 0 = not known */
    uint8_t place;                   /* place of the present bout + 1; 0 = none */
    /* number of bouts in the mean; 0 = the share does not come from samples */
    uint8_t weight : 6;
    uint8_t is_repeated : 1; /* the last bout has shown a completely different share */
    uint8_t has_changed : 1; /* since the last bout, the thread has begun to work in step */
};

struct tclk_doubt {
    struct tclk_tick_test test;
    int64_t looked_cpu_ns; /* CPU time of the last look at the kernel's split, or at the ticks */
    /* CPU time before which no bout begins, so that bouts take 1 % at most */
    int64_t rests_until_ns;
    union {
        struct tclk_doubt_news news;   /* for TCLK_BELIEF_TICKS */
        struct tclk_doubt_bouts bouts; /* for TCLK_BELIEF_BOUTS */
        struct tclk_doubt_base base;   /* for TCLK_BELIEF_RULE and _BASE */
    } by;
    uint32_t told;     /* the share at which the thread goes on + 1; 0 = that of its ticks */
    uint8_t belief;    /* enum tclk_belief */
    bool busy;         /* a bout is beginning or ending, and a handler changes none of this */
    uint16_t switches; /* count of switches at the test's last look that counted, modulo 2^16 */
};

_Static_assert(sizeof(struct tclk_doubt) == 64, "one cache line");

static inline void tclk_doubt_believe(struct tclk_doubt *doubt, enum tclk_belief belief)
{
    __atomic_store_n(&doubt->belief, (uint8_t)belief, __ATOMIC_RELAXED);
}

/* As tclk_tick_test_note_wake(). */
static inline void tclk_doubt_note_wake(struct tclk_doubt *doubt, int64_t wall_ns, int64_t cpu_ns, int64_t tick_ns)
{
    bool has_begun = tclk_tick_test_note_wake(&doubt->test, wall_ns, cpu_ns, tick_ns);
    if (has_begun && doubt->belief == TCLK_BELIEF_BOUTS) {
        doubt->by.bouts.has_changed = true;
    }
}

/* Other threads may call this, too. */
static inline bool tclk_doubt_is_unsampled(const struct tclk_doubt *doubt)
{
    return __atomic_load_n(&doubt->belief, __ATOMIC_RELAXED) == TCLK_BELIEF_RULE;
}

static inline bool tclk_doubt_is_suspected(const struct tclk_doubt *doubt)
{
    uint8_t belief = __atomic_load_n(&doubt->belief, __ATOMIC_RELAXED);
    return belief == TCLK_BELIEF_BOUTS || belief == TCLK_BELIEF_RULE;
}

/* The share at which the thread goes on, if it is not that of its ticks. Other threads may call this, too. */
static inline bool tclk_doubt_tells(const struct tclk_doubt *doubt, uint32_t *share)
{
    uint32_t told = __atomic_load_n(&doubt->told, __ATOMIC_RELAXED);
    if (told == 0) {
        return false;
    }
    *share = told - 1;
    return true;
}

static inline void tclk_doubt_tell(struct tclk_doubt *doubt, uint32_t share)
{
    __atomic_store_n(&doubt->told, share + 1, __ATOMIC_RELAXED);
}

#endif
