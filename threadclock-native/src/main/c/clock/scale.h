/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_SCALE_H
#define TCLK_CLOCK_SCALE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Nanoseconds per count, as a fixed-point number with 32 bits behind the point. Products are 128
 * bits wide: 64 would overflow after seconds to hours, depending on the counter.
 *
 * It is calibrated against CLOCK_MONOTONIC_RAW, because NTP steers neither that clock nor the scheduler's. The first
 * calibration has a baseline of a millisecond or more and is good to about 50 ppm; each later one takes a baseline
 * twice as long as the one before, up to a minute.
 */

static inline uint64_t tclk_scale_ns(uint64_t counts, uint64_t scale)
{
    return (uint64_t)((unsigned __int128)counts * scale >> 32);
}

static inline uint64_t tclk_scale_counts(uint64_t ns, uint64_t scale)
{
    return (uint64_t)(((unsigned __int128)ns << 32) / scale);
}

/* The counter and a clock, read at (nearly) the same moment. */
struct tclk_clock_pair {
    uint64_t counter;
    uint64_t raw_ns;
};

/* The ns per count between two pairs; 0 if the counter or the clock did not advance. */
uint64_t tclk_scale_between(struct tclk_clock_pair from, struct tclk_clock_pair to);

/* Starts the calibration, or starts it again, with a baseline of `baseline_ns` or more, for which it spins. Returns
 * false if the counter does not advance. Async-signal-safe. */
bool tclk_calibration_start(uint64_t baseline_ns);

/* The best scale so far; 0 before tclk_calibration_start(). */
uint64_t tclk_calibration_scale(void);

/* Improves the scale once the baseline has doubled, else costs one comparison. Call this now and then. A result that
 * differs from the one before by more than 500 ppm (a counter that jumped, a machine that slept) is rejected unless
 * the next one, over a baseline of its own, confirms it (a guest that moved to another host). False: the kernel has
 * given the counter up, which is checked each time the baseline has doubled. Async-signal-safe, never waits. */
bool tclk_calibration_refine(uint64_t counter);

/* Call this in a child of fork(): the thread that was refining is not in the child. */
void tclk_calibration_after_fork(void);

#endif
