/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/divide/tick_test.h"

/* The least number of ticks that must stay away. Among threads with bursts at random times, 13 % get no tick in that
 * much CPU time; in twice as much 2 %, then one in 3,000, then one in 9 million. */
#define PATIENCE_LEAST 2
#define PATIENCE_MOST 16

/* This many wake-ups in a row must be in step with the tick; STEPS_NEEDED_LATER is for a thread that has been
 * suspected before. */
#define STEPS_NEEDED 4
#define STEPS_NEEDED_LATER 7

/* A wake-up is in step if it is nearer to a whole number of ticks than one part in STEP_PARTS of a tick. Timers are
 * usually later than that, and not equally late. */
#define STEP_PARTS 64

/* Chance brings 12 or more ticks instead of 3 once in 14,000 times. */
#define CROWD_FACTOR 3
#define CROWD_MORE 3

/* A stretch is so long that the number of ticks of random bursts, whose spread is a fifth, is good in 97 % of all
 * stretches, and almost never bad: fewer than 10 of 25 ticks come once in 5,000 times. */
#define STRETCH_TICKS 25

#define SIXTEENTHS INT64_C(16)

_Static_assert(STRETCH_TICKS *SIXTEENTHS <= UINT16_MAX, "a stretch that is not over fits");
_Static_assert((CROWD_FACTOR + 1) * STRETCH_TICKS + CROWD_MORE <= UINT8_MAX, "its ticks, too");

/* Half of what the 32 bits of a noted PROF clock can hold. */
#define FOLLOWED_MOST_NS (INT64_C(1) << 41)

static int64_t patience_of(const struct tclk_tick_test *test)
{
    return test->patience == 0 ? PATIENCE_LEAST : test->patience;
}

bool tclk_tick_test_is_due(const struct tclk_tick_test *test, int64_t cpu_ns, int64_t tick_ns)
{
    return cpu_ns - test->cpu_ns >= TCLK_TICK_TEST_LOOK_TICKS * tick_ns;
}

static uint32_t units_of(int64_t booked_ns)
{
    return (uint32_t)((uint64_t)booked_ns >> 10);
}

static int64_t booked_since(const struct tclk_tick_test *test, int64_t booked_ns)
{
    return (int64_t)(uint32_t)(units_of(booked_ns) - test->booked_1024ns) << 10;
}

static void note(struct tclk_tick_test *test, int64_t cpu_ns, uint32_t booked_1024ns)
{
    test->cpu_ns = cpu_ns;
    test->booked_1024ns = booked_1024ns;
}

static enum tclk_ticks judge(int64_t booked, int64_t expected_16th)
{
    int64_t tenths = booked * SIXTEENTHS * 10;
    return tenths < expected_16th * 4                                    ? TCLK_TICKS_ABSENT
           : tenths > expected_16th * 19                                 ? TCLK_TICKS_CROWDED
           : tenths >= expected_16th * 6 && tenths <= expected_16th * 15 ? TCLK_TICKS_GOOD
                                                                         : TCLK_TICKS_UNDECIDED;
}

/* Judges the stretch if it is over, and begins another one. */
static enum tclk_ticks add(struct tclk_tick_test *test, int64_t booked, int64_t expected_16th)
{
    booked += test->stretch_booked;
    expected_16th += test->stretch_expected;
    bool is_over = expected_16th >= STRETCH_TICKS * SIXTEENTHS;
    test->stretch_booked = (uint8_t)(is_over ? 0 : booked);
    test->stretch_expected = (uint16_t)(is_over ? 0 : expected_16th);
    return is_over ? judge(booked, expected_16th) : TCLK_TICKS_UNDECIDED;
}

/* Whether this many ticks can have missed a thread that was switched out so often. */
static bool is_possible(int64_t missed_ns, uint16_t switches, int64_t tick_ns)
{
    return missed_ns <= (switches + 1) * tick_ns + tick_ns / 2;
}

static bool is_crowd(int64_t booked, int64_t expected_16th)
{
    return (booked - CROWD_MORE) * SIXTEENTHS > CROWD_FACTOR * expected_16th;
}

enum tclk_ticks tclk_tick_test_follow(struct tclk_tick_test *test, int64_t cpu_ns, int64_t booked_ns, uint16_t switches,
                                      int64_t tick_ns)
{
    uint32_t booked_1024ns = units_of(booked_ns);
    int64_t booked = (booked_since(test, booked_ns) + tick_ns / 2) / tick_ns;
    int64_t passed_ns = cpu_ns - test->cpu_ns;
    if (test->cpu_ns == 0 || passed_ns > FOLLOWED_MOST_NS) {
        note(test, cpu_ns, booked_1024ns);
        return TCLK_TICKS_UNDECIDED;
    }
    if (passed_ns < TCLK_TICK_TEST_LOOK_TICKS * tick_ns || (booked == 0 && passed_ns < patience_of(test) * tick_ns)) {
        return TCLK_TICKS_UNDECIDED;
    }
    note(test, cpu_ns, booked_1024ns);
    if (!is_possible(passed_ns - booked * tick_ns, switches, tick_ns)) {
        return TCLK_TICKS_UNDECIDED;
    }
    int64_t expected_16th = passed_ns / (tick_ns / SIXTEENTHS);
    if (booked == 0 || is_crowd(booked, expected_16th)) {
        test->stretch_booked = 0;
        test->stretch_expected = 0;
        return booked == 0 ? TCLK_TICKS_ABSENT : TCLK_TICKS_CROWDED;
    }
    return add(test, booked, expected_16th);
}

bool tclk_tick_test_is_silence(const struct tclk_tick_test *test, int64_t cpu_ns, int64_t tick_ns)
{
    return cpu_ns >= patience_of(test) * tick_ns;
}

/* A stretch of whole ticks may have one tick less because of its ends. */
bool tclk_tick_test_misses(const struct tclk_tick_test *test, int64_t cpu_ns, int64_t booked_ns, uint16_t switches,
                           int64_t tick_ns)
{
    int64_t missed_ns = cpu_ns - test->cpu_ns - booked_since(test, booked_ns);
    return test->cpu_ns != 0 && missed_ns >= tick_ns * 7 / 4 && is_possible(missed_ns, switches, tick_ns);
}

/* Looks at short runs after long waits only. Missing ticks show a thread that uses its CPU for longer. A thread that
 * is switched out for others at a tick uses its CPU for a whole one. */
bool tclk_tick_test_note_wake(struct tclk_tick_test *test, int64_t wall_ns, int64_t cpu_ns, int64_t tick_ns)
{
    if (cpu_ns >= tick_ns / 2 || wall_ns - cpu_ns < tick_ns / 2) {
        return false;
    }
    int64_t beside_ns = (wall_ns + tick_ns / 2) % tick_ns - tick_ns / 2;
    bool is_step = beside_ns * STEP_PARTS <= tick_ns && -beside_ns * STEP_PARTS <= tick_ns;
    if (is_step && test->in_step < STEPS_NEEDED_LATER) {
        test->in_step++;
        return test->in_step == STEPS_NEEDED;
    }
    if (!is_step && test->in_step > 0) {
        test->in_step--;
    }
    return false;
}

bool tclk_tick_test_is_in_step(const struct tclk_tick_test *test)
{
    return test->in_step >= (test->patience == 0 ? STEPS_NEEDED : STEPS_NEEDED_LATER);
}

void tclk_tick_test_begin_again(struct tclk_tick_test *test)
{
    int64_t patience = 2 * patience_of(test);
    *test = (struct tclk_tick_test){
        .patience = (unsigned)(patience > PATIENCE_MOST ? PATIENCE_MOST : patience) & 31u,
    };
}
