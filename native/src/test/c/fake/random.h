/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_RANDOM_H
#define TCLK_TEST_RANDOM_H

#include <stdint.h>

/* xorshift: the same numbers in every run. */
static inline uint64_t random_next(void)
{
    static uint64_t x = 88172645463325252u;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    return x;
}

#endif
