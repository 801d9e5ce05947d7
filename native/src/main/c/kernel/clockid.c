/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/clockid.h"

#include "kernel/call.h"
#include "kernel/filter.h"

#include <sys/syscall.h>

#define NS_PER_S INT64_C(1000000000)

/* The tick of HZ = 250, used only if the kernel does not tell its resolution. Nearly every kernel has 100 to 1000
 * Hz. */
#define TICK_NS_ASSUMED INT64_C(4000000)

static int64_t ns_of(const struct timespec *t)
{
    // NOLINTNEXTLINE(clang-analyzer-core.*): it cannot see that a system call in asm writes *t
    return (int64_t)t->tv_sec * NS_PER_S + t->tv_nsec;
}

int tclk_clock_read(clockid_t id, int64_t *ns)
{
    struct timespec t;
    if (id != CLOCK_THREAD_CPUTIME_ID && tclk_filter_forbids()) {
        return -EPERM;
    }
    long error = tclk_call(SYS_clock_gettime, id, (long)&t, 0);
    if (error != 0) {
        return (int)error;
    }
    *ns = ns_of(&t);
    return 0;
}

int64_t tclk_clock_tick_ns(void)
{
    struct timespec t;
    if (clock_getres(CLOCK_MONOTONIC_COARSE, &t) != 0 || ns_of(&t) <= 0) {
        return TICK_NS_ASSUMED;
    }
    return ns_of(&t);
}
