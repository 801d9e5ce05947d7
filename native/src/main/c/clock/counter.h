/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_COUNTER_H
#define TCLK_CLOCK_COUNTER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The free-running counter of the CPU: TSC on x86_64, CNTVCT_EL0 on aarch64.
 *
 * The instruction is not ordered against the loads around it, and need not be. Only the counter and the thread's own
 * switches must be in order, and a switch happens between two instructions of the program, never between two loads that
 * ran ahead. Only the compiler is held back.
 */

#if defined(TCLK_FAKE_COUNTER)

uint64_t tclk_fake_counter(void);
static inline uint64_t tclk_counter_read(void)
{
    return tclk_fake_counter();
}

#elif defined(__x86_64__)

static inline uint64_t tclk_counter_read(void)
{
    uint32_t low;
    uint32_t high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high) : : "memory");
    return (uint64_t)high << 32 | low;
}

#elif defined(__aarch64__)

static inline uint64_t tclk_counter_read(void)
{
    uint64_t count;
    __asm__ volatile("mrs %0, cntvct_el0" : "=r"(count) : : "memory");
    return count;
}

#else
#error "threadclock runs on Linux x86_64 and aarch64"
#endif

/* The counter in two halves. On x86_64 the instruction returns two halves, and to put them together would make a
 * read longer by as much as it must save. */
struct tclk_count {
    uint32_t low;
    uint32_t high;
};

static inline struct tclk_count tclk_count_of(uint64_t counter)
{
    return (struct tclk_count){(uint32_t)counter, (uint32_t)(counter >> 32)};
}

static inline uint64_t tclk_count_whole(struct tclk_count count)
{
    return (uint64_t)count.high << 32 | count.low;
}

/* Aligned: otherwise what a read costs depends on the code that is linked before it, by up to 2 ns. */
static inline struct tclk_count tclk_count_read(void)
{
#if defined(__x86_64__) && !defined(TCLK_FAKE_COUNTER)
    struct tclk_count count;
    __asm__ volatile(".p2align 6\n\trdtsc" : "=a"(count.low), "=d"(count.high) : : "memory");
    return count;
#else
    return tclk_count_of(tclk_counter_read());
#endif
}

/* True if the counter runs at one rate, whatever the CPU's frequency and sleep states are. */
bool tclk_counter_is_invariant(void);

/* False if the kernel has given the counter up, because it saw the TSC go wrong, or was told to (notsc,
 * tsc=unstable). True also if the kernel does not say. Async-signal-safe; about 5 us. */
bool tclk_counter_is_kept(void);

/* ---- its scale ---- */

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
