/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/raw_clock.h"

#include <time.h>

static uint64_t read_ns(clockid_t id)
{
    struct timespec t = {0};
    clock_gettime(id, &t);
    return (uint64_t)t.tv_sec * UINT64_C(1000000000) + (uint64_t)t.tv_nsec;
}

uint64_t tclk_raw_clock_ns(void)
{
    return read_ns(CLOCK_MONOTONIC_RAW);
}

uint64_t tclk_coarse_clock_ns(void)
{
    return read_ns(CLOCK_MONOTONIC_COARSE);
}
