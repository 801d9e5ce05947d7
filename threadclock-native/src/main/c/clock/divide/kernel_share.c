/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/divide/kernel_share.h"

#include "clock/divide/steer.h"
#include "clock/divide/suspicion.h"
#include "clock/process_share.h"
#include "clock/settings.h"
#include "kernel/clockid.h"

/* Half of what the 32 bits of the noted kernel's user time can hold. */
#define FOLLOWED_MOST_NS (INT64_C(1) << 41)

/* The raw PROF clock counts few ticks. It is only asked while the thread is young. */
static bool is_short(const struct tclk_usage *usage)
{
    return usage->user_ns + usage->system_ns < 4 * TCLK_TICKS_NEEDED * tclk_settings.tick_ns;
}

static bool is_young(const struct tclk_usage *usage)
{
    int64_t ticked_ns = 0;
    return is_short(usage) && tclk_clock_read_own(TCLK_CLOCK_PROF, &ticked_ns) == 0 &&
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

/* The PROF clock that shows this tests the ticks as well. */
static bool is_found_young(const struct tclk_record *record, int64_t cpu_ns, struct tclk_look *look)
{
    int64_t needed_ns = TCLK_TICKS_NEEDED * tclk_settings.tick_ns;
    if (!look->tested && is_short(&look->usage)) {
        tclk_suspicion_test(record, cpu_ns, look);
    }
    return look->tested ? look->booked_ns < needed_ns && is_short(&look->usage) : is_young(&look->usage);
}

__attribute__((noinline)) void tclk_kernel_share(const struct tclk_record *record, int64_t cpu_ns,
                                                 struct tclk_look *look)
{
    look->taken = true;
    if (is_found_young(record, cpu_ns, look)) {
        look->share = tclk_share_of_process();
    } else {
        look->share = share_of(&look->usage);
        look->trend = trend_of(record, cpu_ns, look);
        if (record->division.belief == TCLK_BELIEF_TICKS && tclk_suspicion_may_be(look)) {
            tclk_suspicion_listen(record, cpu_ns, look);
        }
    }
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

/* ---- ticks since trust began anew ---- */

/* A base that is too old for the 32 bits of its clocks is set again. */
static bool has_base(const struct tclk_record *record, int64_t cpu_ns, struct tclk_point origin)
{
    int64_t base_ns = record->division.by.base.cpu_ns;
    return base_ns > origin.cpu_ns && cpu_ns - base_ns < FOLLOWED_MOST_NS;
}

/* If the thread has a share from its samples, it keeps that until there are enough ticks. */
static uint32_t share_since(const struct tclk_division *division, const struct tclk_usage *raw, int64_t booked_ns)
{
    const struct tclk_division_base *base = &division->by.base;
    int64_t since_ns = (int64_t)(uint32_t)((uint32_t)(booked_ns >> 10) - base->booked_1024ns) << 10;
    int64_t user_ns = (int64_t)(uint32_t)((uint32_t)(raw->user_ns >> 10) - base->user_1024ns) << 10;
    uint32_t share = TCLK_SHARE_ONE;
    if (division->belief == TCLK_BELIEF_BASE && since_ns < TCLK_TICKS_NEEDED * tclk_settings.tick_ns) {
        tclk_division_tells(division, &share);
        return share;
    }
    return tclk_share_between(user_ns, since_ns - user_ns, share);
}

__attribute__((noinline)) void tclk_kernel_share_since(const struct tclk_record *record, int64_t cpu_ns,
                                                       struct tclk_look *look)
{
    int64_t user_ns;
    if (!look->tested || tclk_clock_read_own(TCLK_CLOCK_VIRT, &user_ns) != 0) {
        return;
    }
    look->taken = true;
    look->usage.user_ns = user_ns;
    look->usage.system_ns = look->booked_ns - user_ns;
    if (!has_base(record, cpu_ns, look->origin)) {
        look->holds = tclk_division_tells(&record->division, &look->share);
        return;
    }
    const struct tclk_division_base *base = &record->division.by.base;
    look->share = share_since(&record->division, &look->usage, look->booked_ns);
    /* As the kernel does, this divides all CPU time by the ticks. The rule has no trend: time without ticks is user
     * time. */
    if (record->division.belief == TCLK_BELIEF_BASE) {
        look->usage.user_ns = ((int64_t)base->user_1024ns << 10) + tclk_share_of(cpu_ns - base->cpu_ns, look->share);
        look->trend = trend_of(record, cpu_ns, look);
    }
    look->origin = (struct tclk_point){base->cpu_ns, base->user_ns};
}
