/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/counter.h"

#if defined(__x86_64__)

#include "kernel/clocksource.h"

#include <cpuid.h>

#define LEAF_POWER_MANAGEMENT 0x80000007u
#define EDX_INVARIANT_TSC (1u << 8)

bool tclk_counter_is_invariant(void)
{
    unsigned eax;
    unsigned ebx;
    unsigned ecx;
    unsigned edx;
    return __get_cpuid(LEAF_POWER_MANAGEMENT, &eax, &ebx, &ecx, &edx) != 0 && (edx & EDX_INVARIANT_TSC) != 0;
}

bool tclk_counter_is_kept(void)
{
    bool kept;
    return tclk_clocksource_is_kept("/sys", "tsc", &kept) != 0 || kept;
}

#else

bool tclk_counter_is_invariant(void)
{
    return true; /* the architecture requires it of CNTVCT_EL0 */
}

bool tclk_counter_is_kept(void)
{
    return true; /* the kernel has no other one */
}

#endif
