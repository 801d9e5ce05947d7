/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/accounting.h"

#include "kernel/clockid.h"

#define SPIN_NS INT64_C(50000)
#define SPINS 3

static int64_t thread_ns(enum tclk_clock_kind kind)
{
    int64_t ns = 0;
    tclk_clock_read_own(kind, &ns);
    return ns;
}

static bool spin_is_seen(void)
{
    int64_t user_ns = thread_ns(TCLK_CLOCK_VIRT);
    int64_t start_ns = thread_ns(TCLK_CLOCK_SCHED);
    int64_t spun_ns;
    do {
        spun_ns = thread_ns(TCLK_CLOCK_SCHED) - start_ns;
    } while (spun_ns >= 0 && spun_ns < SPIN_NS && start_ns != 0);
    int64_t moved_ns = thread_ns(TCLK_CLOCK_VIRT) - user_ns;
    /* Asking for the time is system time: a precise kernel books only part of the spin as user. */
    return moved_ns > 0 && moved_ns <= 2 * SPIN_NS;
}

bool tclk_accounting_is_precise(void)
{
    for (int i = 0; i < SPINS; i++) {
        if (!spin_is_seen()) {
            return false;
        }
    }
    return true;
}
