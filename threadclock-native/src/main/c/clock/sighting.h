/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_SIGHTING_H
#define TCLK_CLOCK_SIGHTING_H

#include <stdint.h>

/*
 * When a tid was last known to be a thread's, in CLOCK_BOOTTIME, and how much CPU time the thread had used by
 * then: both in one word, so that they are of the same look, whoever replaces it. A thread that was started
 * too late to have used so much by then is another one.
 *
 * Both are rounded down: when, to 65 us, in 42 bits, which are 9 years; how much, to 1 ms, in 22 bits: 4.4 s
 * stand for all that is more.
 */
#define TCLK_SIGHTING_USED_BITS 22
#define TCLK_SIGHTING_USED_MASK ((UINT64_C(1) << TCLK_SIGHTING_USED_BITS) - 1)
#define TCLK_SIGHTING_SEEN_UNIT_BITS 16
#define TCLK_SIGHTING_USED_UNIT_BITS 20

static inline uint64_t tclk_sighting_make(int64_t seen_ns, int64_t used_ns)
{
    uint64_t seen = (uint64_t)seen_ns >> TCLK_SIGHTING_SEEN_UNIT_BITS;
    uint64_t used = (uint64_t)used_ns >> TCLK_SIGHTING_USED_UNIT_BITS;
    used = used < TCLK_SIGHTING_USED_MASK ? used : TCLK_SIGHTING_USED_MASK;
    return seen << TCLK_SIGHTING_USED_BITS | used;
}

static inline int64_t tclk_sighting_seen_ns(uint64_t sighting)
{
    return (int64_t)(sighting >> TCLK_SIGHTING_USED_BITS << TCLK_SIGHTING_SEEN_UNIT_BITS);
}

static inline int64_t tclk_sighting_used_ns(uint64_t sighting)
{
    return (int64_t)((sighting & TCLK_SIGHTING_USED_MASK) << TCLK_SIGHTING_USED_UNIT_BITS);
}

#endif
