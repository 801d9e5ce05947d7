/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/clockid.h"

#include <sys/syscall.h>

#define NS_PER_S INT64_C(1000000000)

/* What nearly every kernel is built with between 100 and 1000 Hz; only used if nobody answers. */
#define TICK_NS_ASSUMED INT64_C(4000000)

static int64_t ns_of(const struct timespec *t)
{
    // NOLINTNEXTLINE(clang-analyzer-core.*): it does not know what a system call in asm writes
    return (int64_t)t->tv_sec * NS_PER_S + t->tv_nsec;
}

/* Not by libc's function, which tries the vDSO first (it knows no CPU clock), nor by its syscall(), which
 * sets errno: what stands around the kernel's part is a good part of what a read by tid costs. */
static long system_call(clockid_t id, struct timespec *t)
{
#if defined(__x86_64__)
    long result = SYS_clock_gettime;
    __asm__ volatile("syscall" : "+a"(result) : "D"((long)id), "S"(t) : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long number __asm__("x8") = SYS_clock_gettime;
    register long result __asm__("x0") = id;
    register struct timespec *to __asm__("x1") = t;
    __asm__ volatile("svc #0" : "+r"(result) : "r"(number), "r"(to) : "memory");
    return result;
#endif
}

int tclk_clock_read(clockid_t id, int64_t *ns)
{
    struct timespec t;
    long error = system_call(id, &t);
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
