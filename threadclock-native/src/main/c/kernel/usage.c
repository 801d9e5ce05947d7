/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/usage.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

struct kernel_time {
    int64_t s;
    int64_t us;
};

/* As 64-bit kernels fill it: getrusage(2). musl's own is twice as large, and this is on a reading's stack. */
struct kernel_rusage {
    struct kernel_time user;
    struct kernel_time system;
    int64_t others[12];
    int64_t voluntary_switches;
    int64_t involuntary_switches;
};

_Static_assert(sizeof(struct kernel_rusage) == 144, "the kernel's layout");

static int64_t ns_of(const struct kernel_time *t)
{
    return t->s * INT64_C(1000000000) + t->us * 1000;
}

static int read_of(int who, struct tclk_usage *usage)
{
    struct kernel_rusage r;
    if (syscall(SYS_getrusage, who, &r) != 0) {
        return -errno;
    }
    usage->user_ns = ns_of(&r.user);
    usage->system_ns = ns_of(&r.system);
    usage->voluntary_switches = r.voluntary_switches;
    usage->involuntary_switches = r.involuntary_switches;
    return 0;
}

int tclk_usage_read(struct tclk_usage *usage)
{
    return read_of(RUSAGE_THREAD, usage);
}

int tclk_usage_read_process(struct tclk_usage *usage)
{
    return read_of(RUSAGE_SELF, usage);
}
