/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_SIGHTING_H
#define TCLK_CLOCK_SIGHTING_H

#include <stdint.h>

/*
 * When a tid was last known to be a thread's, and when that thread was started, both in CLOCK_BOOTTIME and in
 * one word, so that they are of the same thread, whoever replaces it.
 *
 * Both are rounded down: when it was seen, to 65 us, in 42 bits, which are 9 years; its start, to 10 ms as
 * /proc/self/task/TID/stat tells it, modulo 12 hours, in 22 bits. A start of 0 is not known.
 */
#define TCLK_SIGHTING_START_BITS 22
#define TCLK_SIGHTING_START_MASK ((UINT64_C(1) << TCLK_SIGHTING_START_BITS) - 1)
#define TCLK_SIGHTING_SEEN_UNIT_BITS 16
#define TCLK_SIGHTING_START_UNIT_NS INT64_C(10000000)
#define TCLK_SIGHTING_START_UNKNOWN 0u

static inline uint32_t tclk_sighting_start_of(int64_t started_ns)
{
    return 1 + (uint32_t)((uint64_t)(started_ns / TCLK_SIGHTING_START_UNIT_NS) %
                          TCLK_SIGHTING_START_MASK);
}

static inline uint64_t tclk_sighting_make(int64_t seen_ns, uint32_t start)
{
    uint64_t seen = (uint64_t)seen_ns >> TCLK_SIGHTING_SEEN_UNIT_BITS;
    return seen << TCLK_SIGHTING_START_BITS | start;
}

static inline int64_t tclk_sighting_seen_ns(uint64_t sighting)
{
    return (int64_t)(sighting >> TCLK_SIGHTING_START_BITS << TCLK_SIGHTING_SEEN_UNIT_BITS);
}

static inline uint32_t tclk_sighting_start(uint64_t sighting)
{
    return (uint32_t)(sighting & TCLK_SIGHTING_START_MASK);
}

#endif
