/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_TICK_TEST_H
#define TCLK_CLOCK_TICK_TEST_H

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

#endif
