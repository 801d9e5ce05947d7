/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_TICK_TEST_H
#define TCLK_CLOCK_DIVIDE_TICK_TEST_H

#include "clock/divide/division.h"

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
 * alarm costs such a thread a few bouts of samples (clock/divide/bout.h). After each alarm, it gets twice as much time.
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

#endif
