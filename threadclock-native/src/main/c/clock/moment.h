/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_MOMENT_H
#define TCLK_CLOCK_MOMENT_H

#include <stdbool.h>
#include <stdint.h>

/*
 * A moment of a thread: a CPU time, and the number of the anchor that it was read by, in one word.
 * Moments of the same anchor are ordered as their CPU times are. 58 bits of ns are 9 years of CPU time
 * in one thread.
 */
#define TCLK_MOMENT_CPU_BITS 58
#define TCLK_MOMENT_CPU_MASK ((UINT64_C(1) << TCLK_MOMENT_CPU_BITS) - 1)
#define TCLK_MOMENT_NUMBER_MASK (UINT64_MAX >> TCLK_MOMENT_CPU_BITS)

static inline uint64_t tclk_moment_make(int64_t cpu_ns, uint64_t number)
{
    return (uint64_t)cpu_ns | number << TCLK_MOMENT_CPU_BITS;
}

static inline int64_t tclk_moment_cpu_ns(uint64_t moment)
{
    return (int64_t)(moment & TCLK_MOMENT_CPU_MASK);
}

static inline uint64_t tclk_moment_number(uint64_t moment)
{
    return moment >> TCLK_MOMENT_CPU_BITS;
}

/* True if `moment` is of the same anchor as `last`, and not before it. */
static inline bool tclk_moment_follows(uint64_t moment, uint64_t last)
{
    return moment - last <= TCLK_MOMENT_CPU_MASK;
}

#endif
