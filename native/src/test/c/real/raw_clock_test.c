/* SPDX-License-Identifier: Apache-2.0 */

/* The wall clocks of the kernel that calibration, shares and the starts of threads rest on. */

#include "kernel/raw_clock.h"
#include "kernel/vdso.h"
#include "real.h"

#define READINGS 100000
#define COMPARISONS 1000

static bool lies_between(uint64_t (*ours)(void), clockid_t kernels)
{
    for (int i = 0; i < COMPARISONS; i++) {
        int64_t before_ns = kernel_clock_ns(kernels);
        int64_t ns = (int64_t)ours();
        int64_t after_ns = kernel_clock_ns(kernels);
        if (before_ns > ns || ns > after_ns) {
            diag("%" PRId64 " <= %" PRId64 " <= %" PRId64, before_ns, ns, after_ns);
            return false;
        }
    }
    return true;
}

static int64_t backward_steps(uint64_t (*clock)(void))
{
    int64_t steps = 0;
    uint64_t last_ns = clock();
    for (int i = 0; i < READINGS; i++) {
        uint64_t now_ns = clock();
        steps += now_ns < last_ns;
        last_ns = now_ns;
    }
    return steps;
}

static uint64_t boot_clock_ns(void)
{
    return (uint64_t)tclk_boot_clock_ns();
}

static uint64_t monotonic_clock_ns(void)
{
    return (uint64_t)tclk_monotonic_clock_ns();
}

int main(void)
{
    ok(lies_between(tclk_raw_clock_ns, CLOCK_MONOTONIC_RAW), "the raw clock is CLOCK_MONOTONIC_RAW");
    ok(lies_between(tclk_coarse_clock_ns, CLOCK_MONOTONIC_COARSE), "the coarse clock is CLOCK_MONOTONIC_COARSE");
    ok(lies_between(monotonic_clock_ns, CLOCK_MONOTONIC), "the clock of System.nanoTime() is CLOCK_MONOTONIC");
    ok(lies_between(boot_clock_ns, CLOCK_BOOTTIME), "the boot clock is CLOCK_BOOTTIME");
    ok(tclk_vdso_function(TCLK_VDSO_CLOCK_GETTIME) != NULL || getauxval(AT_SYSINFO_EHDR) == 0,
       "the vDSO's clock is found where there is a vDSO");
    ok(tclk_vdso_function("no such function") == NULL, "… and no function that it does not have");
    is_ns(backward_steps(tclk_raw_clock_ns), 0, "the raw clock never steps back");
    is_ns(backward_steps(tclk_coarse_clock_ns), 0, "the coarse clock never steps back");
    return done();
}
