/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/raw_clock.h"

#include "kernel/clockid.h"
#include "kernel/vdso.h"

/* NULL: there is none, or this library's constructors have not run yet. */
static int (*vdso_gettime)(clockid_t id, struct timespec *t);

__attribute__((constructor(101))) static void library_is_loaded(void)
{
    *(void **)&vdso_gettime = tclk_vdso_function(TCLK_VDSO_CLOCK_GETTIME);
}

static int64_t call_ns(clockid_t id)
{
    int64_t ns = 0;
    tclk_clock_read(id, &ns);
    return ns;
}

static int64_t read_ns(clockid_t id)
{
    struct timespec t;
    if (vdso_gettime == NULL || vdso_gettime(id, &t) != 0) {
        return call_ns(id);
    }
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

uint64_t tclk_raw_clock_ns(void)
{
    return (uint64_t)read_ns(CLOCK_MONOTONIC_RAW);
}

int64_t tclk_monotonic_clock_ns(void)
{
    return read_ns(CLOCK_MONOTONIC);
}

uint64_t tclk_coarse_clock_ns(void)
{
    return (uint64_t)read_ns(CLOCK_MONOTONIC_COARSE);
}

int64_t tclk_boot_clock_ns(void)
{
    return call_ns(CLOCK_BOOTTIME);
}
