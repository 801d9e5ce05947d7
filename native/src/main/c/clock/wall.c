/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/wall.h"

#include "clock/counter.h"
#include "clock/proof.h"
#include "kernel/raw_clock.h"

/* A look that is this far behind is no error of the counter, whose windows are shorter. */
#define BEHIND_MAX_NS INT64_C(1000000000)

/* Added to the kernel's clock, for all threads; more with each restore that finds it behind. */
static int64_t ahead_ns;

/* Never less than the thread was told before. */
static int64_t never_less(int64_t kernel_ns)
{
    int64_t returned_ns = tclk_thread.wall_returned_ns;
    int64_t known_ns = __atomic_load_n(&ahead_ns, __ATOMIC_RELAXED);
    int64_t behind_ns = returned_ns - kernel_ns - known_ns;
    if (behind_ns > BEHIND_MAX_NS) { /* or another thread has found it, and this one sees that next time */
        __atomic_compare_exchange_n(&ahead_ns, &known_ns, known_ns + behind_ns, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED);
    }
    return tclk_thread.wall_returned_ns = behind_ns > 0 ? returned_ns : kernel_ns + known_ns;
}

int64_t tclk_wall_ns(void)
{
    return never_less(tclk_monotonic_clock_ns());
}

bool tclk_wall_look(const struct tclk_anchor *anchor, struct tclk_wall *wall)
{
    uint64_t before = tclk_counter_read();
    int64_t kernel_ns = tclk_monotonic_clock_ns();
    uint64_t width = tclk_counter_read() - before;
    struct tclk_count count = tclk_count_of(before + width / 2);
    if (width > tclk_proof_bracket_max() || !tclk_anchor_holds(anchor, count, anchor->window)) {
        return false;
    }
    wall->ns = never_less(kernel_ns);
    wall->cpu_ns = tclk_moment_cpu_ns(anchor->moment) + (int64_t)tclk_anchor_since_ns(anchor, count);
    wall->half = anchor->scale < tclk_calibration_scale() / 4 * 3;
    return true;
}
