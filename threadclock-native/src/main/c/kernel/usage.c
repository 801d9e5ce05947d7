/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/usage.h"

#include <errno.h>
#include <sys/resource.h>

static int64_t ns_of(const struct timeval *t)
{
    return (int64_t)t->tv_sec * INT64_C(1000000000) + (int64_t)t->tv_usec * 1000;
}

static int read_of(int who, struct tclk_usage *usage)
{
    struct rusage r;
    if (getrusage(who, &r) != 0) {
        return -errno;
    }
    usage->user_ns = ns_of(&r.ru_utime);
    usage->system_ns = ns_of(&r.ru_stime);
    usage->voluntary_switches = r.ru_nvcsw;
    usage->involuntary_switches = r.ru_nivcsw;
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
