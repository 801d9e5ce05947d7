/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/usage.h"

#include "kernel/call.h"
#include "kernel/filter.h"

#include <errno.h>
#include <sys/resource.h>
#include <sys/syscall.h>

/* struct rusage as the kernel writes it; musl's is twice as large. */
struct rusage_of_kernel {
    int64_t user_s, user_us;
    int64_t system_s, system_us;
    int64_t unused[12];
    int64_t voluntary_switches;
    int64_t involuntary_switches;
};

_Static_assert(sizeof(struct rusage_of_kernel) == 144, "18 words of 64 bits");

static int64_t ns_of(int64_t s, int64_t us)
{
    return s * INT64_C(1000000000) + us * 1000;
}

static int ask(int who, struct rusage_of_kernel *r)
{
    return tclk_filter_forbids() ? -EPERM : (int)tclk_call(SYS_getrusage, who, (long)r, 0);
}

static int read_of(int who, struct tclk_usage *usage)
{
    struct rusage_of_kernel r;
    int error = ask(who, &r);
    if (error != 0) {
        return error;
    }
    // NOLINTBEGIN(clang-analyzer-core.*): it cannot see that a system call in asm writes r
    usage->user_ns = ns_of(r.user_s, r.user_us);
    usage->system_ns = ns_of(r.system_s, r.system_us);
    usage->voluntary_switches = (uint32_t)r.voluntary_switches;
    usage->involuntary_switches = (uint32_t)r.involuntary_switches;
    // NOLINTEND(clang-analyzer-core.*)
    return 0;
}

int tclk_usage_read(struct tclk_usage *usage)
{
    return read_of(RUSAGE_THREAD, usage);
}

int tclk_usage_read_switches(struct tclk_switches *switches)
{
    struct rusage_of_kernel r;
    int error = ask(RUSAGE_THREAD, &r);
    if (error == 0) {
        // NOLINTNEXTLINE(clang-analyzer-core.*): as above
        *switches = (struct tclk_switches){r.voluntary_switches, r.involuntary_switches};
    }
    return error;
}

int tclk_usage_read_process(struct tclk_usage *usage)
{
    return read_of(RUSAGE_SELF, usage);
}
