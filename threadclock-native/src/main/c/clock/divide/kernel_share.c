/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/divide/kernel_share.h"

#include "clock/divide/steer.h"
#include "clock/process_share.h"
#include "clock/settings.h"
#include "kernel/clockid.h"

/* So many ticks have a standard error of 6 % at most. */
#define GAP_TICKS 64

/* Half of what the 32 bits of the noted kernel's user time can hold. */
#define FOLLOWED_MOST_NS (INT64_C(1) << 41)

/* The raw PROF clock counts few ticks. It is only asked while the thread is young. */
static bool is_young(const struct tclk_usage *usage)
{
    int64_t ticked_ns = 0;
    bool is_short = usage->user_ns + usage->system_ns < 4 * TCLK_TICKS_NEEDED * tclk_settings.tick_ns;
    return is_short && tclk_clock_read_own(TCLK_CLOCK_PROF, &ticked_ns) == 0 &&
           ticked_ns < TCLK_TICKS_NEEDED * tclk_settings.tick_ns;
}

static uint32_t share_of(const struct tclk_usage *usage)
{
    return tclk_share_between(usage->user_ns, usage->system_ns, TCLK_SHARE_ONE);
}

/* The last look says nothing if the thread was young, or has been restored since, or if the noted user time may have
 * overflowed. */
static bool can_follow(const struct tclk_record *record, int64_t cpu_ns, struct tclk_point origin)
{
    return tclk_trend_is_known(record->division.trend) && record->division.steered_cpu_ns > origin.cpu_ns &&
           cpu_ns - record->division.steered_cpu_ns < FOLLOWED_MOST_NS;
}

static struct tclk_trend trend_of(const struct tclk_record *record, int64_t cpu_ns, const struct tclk_look *look)
{
    if (!can_follow(record, cpu_ns, look->origin)) {
        return tclk_trend_begin(look->share, look->usage.user_ns + look->usage.system_ns, tclk_settings.tick_ns);
    }
    int64_t passed_ns = cpu_ns - record->division.steered_cpu_ns;
    if (passed_ns < tclk_settings.tick_ns / 2) { /* on probation: no tick may have come */
        return record->division.trend;
    }
    int32_t user_1024ns = (int32_t)(tclk_look_user_1024ns(look) - record->division.steered_user_1024ns);
    return tclk_trend_follow(record->division.trend, user_1024ns * INT64_C(1024), passed_ns, tclk_settings.tick_ns);
}

__attribute__((noinline)) void tclk_kernel_share(const struct tclk_record *record, int64_t cpu_ns,
                                                 struct tclk_look *look)
{
    if (is_young(&look->usage)) {
        look->share = tclk_share_of_process();
    } else {
        look->share = share_of(&look->usage);
        look->trend = trend_of(record, cpu_ns, look);
    }
}

bool tclk_kernel_share_of_gap(const struct tclk_record *record, int64_t cpu_ns, const struct tclk_look *look,
                              uint32_t *share)
{
    const struct tclk_division *division = &record->division;
    int64_t passed_ns = cpu_ns - division->steered_cpu_ns;
    if (division->steered_cpu_ns <= look->origin.cpu_ns || passed_ns < GAP_TICKS * tclk_settings.tick_ns ||
        passed_ns > FOLLOWED_MOST_NS) {
        return false;
    }
    int64_t user_ns = (int32_t)(tclk_look_user_1024ns(look) - division->steered_user_1024ns) * INT64_C(1024);
    *share = tclk_share_between(user_ns < 0 ? 0 : user_ns, user_ns > passed_ns ? 0 : passed_ns - user_ns, 0);
    return true;
}

int tclk_kernel_share_now(uint32_t *share)
{
    struct tclk_usage usage;
    int error = tclk_usage_read(&usage);
    if (error == 0) {
        *share = is_young(&usage) ? tclk_share_of_process() : share_of(&usage);
    }
    return error;
}
