/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/process_share.h"

#include "clock/line.h"
#include "kernel/clockid.h"
#include "kernel/raw_clock.h"

static uint32_t known_share = TCLK_SHARE_ONE;
static uint64_t known_until_ns;

static int64_t process_ns(enum tclk_clock_kind kind)
{
    int64_t ns = 0;
    tclk_clock_read(tclk_clockid_encode(0, TCLK_CLOCK_PROCESS, kind), &ns);
    return ns;
}

static uint32_t ask_kernel(void)
{
    int64_t user_ns = process_ns(TCLK_CLOCK_VIRT);
    int64_t all_ns = process_ns(TCLK_CLOCK_PROF);
    return tclk_share_between(user_ns, all_ns - user_ns, TCLK_SHARE_ONE);
}

/* True also if the clock has gone back, because the process was restored on another machine. */
static bool is_over(uint64_t until_ns, uint64_t now_ns)
{
    return now_ns >= until_ns || until_ns - now_ns > TCLK_SHARE_AGE_MAX_NS;
}

uint32_t tclk_share_of_process(void)
{
    uint64_t now_ns = tclk_coarse_clock_ns();
    uint64_t until_ns = __atomic_load_n(&known_until_ns, __ATOMIC_RELAXED);
    if (is_over(until_ns, now_ns) &&
        __atomic_compare_exchange_n(&known_until_ns, &until_ns, now_ns + TCLK_SHARE_AGE_MAX_NS, false, __ATOMIC_RELAXED,
                                    __ATOMIC_RELAXED)) {
        __atomic_store_n(&known_share, ask_kernel(), __ATOMIC_RELAXED);
    }
    return __atomic_load_n(&known_share, __ATOMIC_RELAXED);
}

/* ---- of threads without a record ---- */

static uint64_t fixed_share_plus_1;

uint32_t tclk_share_without_record(void)
{
    uint64_t fixed = __atomic_load_n(&fixed_share_plus_1, __ATOMIC_SEQ_CST);
    uint64_t first = fixed == 0 ? (uint64_t)tclk_share_of_process() + 1 : fixed;
    if (fixed == 0 &&
        __atomic_compare_exchange_n(&fixed_share_plus_1, &fixed, first, false, __ATOMIC_SEQ_CST, __ATOMIC_SEQ_CST)) {
        fixed = first;
    }
    return (uint32_t)(fixed - 1);
}

bool tclk_share_without_record_is_fixed(uint32_t *share)
{
    uint64_t fixed = __atomic_load_n(&fixed_share_plus_1, __ATOMIC_SEQ_CST);
    if (fixed != 0) {
        *share = (uint32_t)(fixed - 1);
    }
    return fixed != 0;
}
