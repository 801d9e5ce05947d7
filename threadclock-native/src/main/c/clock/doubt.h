/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DOUBT_H
#define TCLK_CLOCK_DOUBT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Can a thread's clock ticks be trusted? Over a stretch of its CPU time the kernel should have booked as many ticks as
 * fit into it (the PROF clock should have grown as the CPU time has). A thread that works in step with the tick gets
 * far fewer, or far more, and then ticks tell nothing of how it divides its time. Arithmetic alone, no clock is read
 * here.
 *
 * A thread that runs on is booked one tick for each that passes, one more or less at either end of a stretch. Bursts
 * at random times are booked a random number (Poisson's), and 13 % of these threads get none in 8 ms of CPU time. A
 * false alarm costs such a thread a few bouts of samples (clock/bout.h), and after each one it is given twice as long.
 *
 * Bursts that are in step show it sooner by their wall time, before a tick could have been missed: each begins a whole
 * number of ticks after the one before. A thread that wakes at random times does so four times in a row once in a
 * million times.
 */
enum tclk_ticks {
    TCLK_TICKS_UNDECIDED,
    TCLK_TICKS_GOOD, /* 25 ticks' worth of CPU time have about as many */
    TCLK_TICKS_ABSENT,
    TCLK_TICKS_CROWDED,
};

/* Between two looks at the PROF clock, in ticks of CPU time. */
#define TCLK_TICK_TEST_LOOK_TICKS 3

struct tclk_tick_test {
    int64_t cpu_ns;            /* at the last look that has counted; 0 = there was none */
    uint32_t booked_1024ns;    /* the PROF clock then, modulo 2^32 */
    uint16_t stretch_expected; /* sixteenths of ticks, since the stretch began */
    uint8_t stretch_booked;    /* ticks */
    uint8_t patience : 5;      /* so many ticks in a row may stay away; 0 = as many as at first */
    uint8_t
        in_step : 3; /* so many of the last times that it woke were in step with the time before */
};

/* The PROF clock is to be looked at again. */
bool tclk_tick_test_is_due(const struct tclk_tick_test *test, int64_t cpu_ns, int64_t tick_ns);

/* The PROF clock shows `booked_ns` at this CPU time. */
enum tclk_ticks tclk_tick_test_follow(struct tclk_tick_test *test, int64_t cpu_ns,
                                      int64_t booked_ns, int64_t tick_ns);

/* The same by other means, where they tell that no tick was booked in so much CPU time. */
bool tclk_tick_test_is_silence(const struct tclk_tick_test *test, int64_t cpu_ns, int64_t tick_ns);

/* Since the last look that has counted two ticks or so have stayed away. */
bool tclk_tick_test_misses(const struct tclk_tick_test *test, int64_t cpu_ns, int64_t booked_ns,
                           int64_t tick_ns);

/* The thread has been switched out and has come back. Since its last anchor so much wall time has passed, and it had used
 * so much CPU time before it was switched out. Waits of less than half a tick say nothing. True: it has fallen into step just
 * now. */
bool tclk_tick_test_note_wake(struct tclk_tick_test *test, int64_t wall_ns, int64_t cpu_ns,
                              int64_t tick_ns);

bool tclk_tick_test_is_in_step(const struct tclk_tick_test *test);

/* From here on anew, by a thread whose ticks have been believed to be wrong: it is given more time. */
void tclk_tick_test_begin_again(struct tclk_tick_test *test);

/* ---- what a thread goes by ---- */

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
    int64_t cpu_ns; /* the point of the curve; cpu_ns 0 = to be set at the next look */
    int64_t user_ns;
    uint32_t user_1024ns; /* the VIRT and PROF clocks there, modulo 2^32 */
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

static inline void tclk_doubt_tell(struct tclk_doubt *doubt, uint32_t share)
{
    __atomic_store_n(&doubt->told, share + 1, __ATOMIC_RELAXED);
}

#endif
