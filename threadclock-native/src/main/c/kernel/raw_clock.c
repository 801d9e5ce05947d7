/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/raw_clock.h"

#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static uint64_t ns_of(const struct timespec *t)
{
    return (uint64_t)t->tv_sec * UINT64_C(1000000000) + (uint64_t)t->tv_nsec;
}

static uint64_t read_ns(clockid_t id)
{
    struct timespec t = {0};
    clock_gettime(id, &t);
    return ns_of(&t);
}

uint64_t tclk_raw_clock_ns(void)
{
    return read_ns(CLOCK_MONOTONIC_RAW);
}

uint64_t tclk_coarse_clock_ns(void)
{
    return read_ns(CLOCK_MONOTONIC_COARSE);
}

int64_t tclk_boot_clock_ns(void)
{
    struct timespec t = {0};
    syscall(SYS_clock_gettime, CLOCK_BOOTTIME, &t);
    return (int64_t)ns_of(&t);
}

int64_t tclk_boot_clock_quick_ns(void)
{
    return (int64_t)read_ns(CLOCK_BOOTTIME);
}
