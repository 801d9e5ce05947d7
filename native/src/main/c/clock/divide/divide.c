/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/divide/divide.h"

#include "clock/process_share.h"
#include "clock/settings.h"
#include "kernel/clockid.h"
#include "kernel/filter.h"

#include <string.h>

/* With fewer ticks of its own, the thread's share is unknown, and the share of the process is used. */
#define TICKS_NEEDED INT64_C(3)

/* So many ticks have a standard error of 6 % at most. */
#define GAP_TICKS 64

/* Half of what the 32 bits of the noted kernel's user time can hold. */
#define FOLLOWED_MOST_NS (INT64_C(1) << 41)

/* H x ln 2: after this much CPU time, half of the gap is left. */
#define HALF_LIFE_NS INT64_C(173286795)

/* For `sampled`: a gap of one period changes the slope by a sixth. */
#define CATCH_UP_PERIODS 6

/* After this many half-lives, nothing is left of any gap that fits into 63 bits. */
#define HALF_LIVES_MAX 62

bool tclk_divide_is_due(const struct tclk_division *division, int64_t cpu_ns)
{
    return cpu_ns - division->looked_cpu_ns >= tclk_settings.tick_ns && !tclk_filter_forbids();
}

/* ---- the kernel's share ---- */

/* The raw PROF clock counts few ticks. It is only asked while the thread is young. */
static bool is_young(const struct tclk_usage *usage)
{
    int64_t ticked_ns = 0;
    bool is_short = usage->user_ns + usage->system_ns < 4 * TICKS_NEEDED * tclk_settings.tick_ns;
    return is_short && tclk_clock_read_own(TCLK_CLOCK_PROF, &ticked_ns) == 0 &&
           ticked_ns < TICKS_NEEDED * tclk_settings.tick_ns;
}

static uint32_t share_of(const struct tclk_usage *usage)
{
    return tclk_share_between(usage->user_ns, usage->system_ns, TCLK_SHARE_ONE);
}

/* User time as the division keeps it. */
static uint32_t user_1024ns(const struct tclk_look *look)
{
    return (uint32_t)(look->usage.user_ns >> 10);
}

static int64_t user_since_ns(const struct tclk_division *division, const struct tclk_look *look)
{
    return (int32_t)(user_1024ns(look) - division->looked_user_1024ns) * INT64_C(1024);
}

/* The last look says nothing if the thread was young, or has been restored since, or if the noted user time may have
 * overflowed. */
static bool can_follow(const struct tclk_division *division, int64_t cpu_ns, struct tclk_point origin)
{
    return division->looked_cpu_ns > origin.cpu_ns && cpu_ns - division->looked_cpu_ns < FOLLOWED_MOST_NS;
}

static struct tclk_trend trend_of(const struct tclk_division *division, int64_t cpu_ns, const struct tclk_look *look)
{
    int64_t passed_ns = cpu_ns - division->looked_cpu_ns;
    if (!tclk_trend_is_known(division->trend) || !can_follow(division, cpu_ns, look->origin)) {
        return tclk_trend_begin(look->kernel_share, look->usage.user_ns + look->usage.system_ns, tclk_settings.tick_ns);
    }
    if (passed_ns < tclk_settings.tick_ns / 2) { /* on probation: no tick may have come */
        return division->trend;
    }
    return tclk_trend_follow(division->trend, user_since_ns(division, look), passed_ns, tclk_settings.tick_ns);
}

/* Not inline: it needs the stack only for a while. */
__attribute__((noinline)) static void look_at_ticks(const struct tclk_division *division, int64_t cpu_ns,
                                                    struct tclk_look *look)
{
    if (is_young(&look->usage)) {
        look->kernel_share = tclk_share_of_process();
    } else {
        look->kernel_share = share_of(&look->usage);
        look->trend = trend_of(division, cpu_ns, look);
    }
}

/* If nobody has read for so long that ticks tell the time since the last look better than a few samples before. */
static void look_at_gap(const struct tclk_division *division, int64_t cpu_ns, struct tclk_look *look)
{
    int64_t passed_ns = cpu_ns - division->looked_cpu_ns;
    if (can_follow(division, cpu_ns, look->origin) && passed_ns >= GAP_TICKS * tclk_settings.tick_ns) {
        int64_t user_ns = user_since_ns(division, look);
        look->passed_share =
            tclk_share_between(user_ns < 0 ? 0 : user_ns, user_ns > passed_ns ? 0 : passed_ns - user_ns, 0);
        look->lost_ns = 0;
    }
}

/* ---- a look ---- */

static void look_at_bouts(const struct tclk_division *division, struct tclk_look *look)
{
    look->pace = tclk_counts_pace(&division->bouts.counts);
    look->lost_ns = division->bouts.passed * (int64_t)look->pace.switch_ns;
    look->passed_share = division->bouts.passed == 0 ? look->pace.calm : look->pace.rest;
}

void tclk_divide_look(const struct tclk_division *division, int64_t cpu_ns, struct tclk_point origin, bool must_ask,
                      struct tclk_look *look)
{
    uint32_t share;
    tclk_divide_look_again(division, cpu_ns, look);
    look->does = TCLK_LOOK_GOES_ON;
    look->origin = origin;
    if (look->sampled.period_ns == 0 && tclk_divide_share(division, &share)) {
        look->by = TCLK_BY_BOUTS;
        look_at_bouts(division, look);
    }
    if (!(must_ask || tclk_divide_is_due(division, cpu_ns)) || tclk_usage_read(&look->usage) != 0) {
        return;
    }
    look->does = TCLK_LOOK_ASKS;
    if (look->by == TCLK_BY_BOUTS) {
        look_at_gap(division, cpu_ns, look);
        return;
    }
    look_at_ticks(division, cpu_ns, look);
    look->by = look->by == TCLK_BY_LINE ? TCLK_BY_TICKS : look->by;
}

/* In place: a copy would take more of the stack. */
void tclk_divide_look_again(const struct tclk_division *division, int64_t cpu_ns, struct tclk_look *look)
{
    memset(look, 0, sizeof *look);
    look->by = tclk_samples_look(division, cpu_ns, &look->sampled) ? TCLK_BY_SAMPLES : TCLK_BY_LINE;
    look->slice_ns = tclk_samples_slice_ns(division);
}

/* ---- the line that it becomes ---- */

static int64_t clamp(int64_t n, int64_t low, int64_t high)
{
    return n < low ? low : n > high ? high : n;
}

/* 2^-x for 0 <= x <= 1, as the parabola 1 - x(4 - x)/6: exact at both ends, within 0.5 % between. */
static uint32_t half_to_the(uint64_t x)
{
    return TCLK_SHARE_ONE - (uint32_t)(x * (4 * (uint64_t)TCLK_SHARE_ONE - x) / 6 >> TCLK_SHARE_BITS);
}

static int64_t decayed(int64_t gap_ns, int64_t elapsed_ns)
{
    int64_t half_lives = elapsed_ns / HALF_LIFE_NS;
    if (half_lives >= HALF_LIVES_MAX) {
        return 0;
    }
    uint64_t rest = ((uint64_t)(elapsed_ns % HALF_LIFE_NS) << TCLK_SHARE_BITS) / (uint64_t)HALF_LIFE_NS;
    return tclk_share_of(gap_ns, half_to_the(rest)) / (INT64_C(1) << half_lives);
}

/* The slope that closes the gap to 1/e over `over_ns`. */
static uint32_t slope(uint32_t share, int64_t gap_ns, int64_t over_ns)
{
    int64_t rate = share + clamp(gap_ns, -over_ns, over_ns) * (int64_t)TCLK_SHARE_ONE / over_ns;
    return (uint32_t)clamp(rate, 0, TCLK_SHARE_ONE);
}

/* The line from `last` towards the kernel's share of the time since the origin. The gap between the two falls
 * exponentially with H: first over the CPU time since `last`, which nobody has seen divided yet, and then by the
 * slope. */
static struct tclk_line by_ticks(const struct tclk_look *look, struct tclk_point last, int64_t cpu_ns)
{
    int64_t aim_ns = look->origin.user_ns + tclk_share_of(cpu_ns - look->origin.cpu_ns, look->kernel_share);
    uint32_t trend = tclk_trend_is_known(look->trend) ? tclk_trend_share(look->trend) : look->kernel_share;
    int64_t gap_ns = aim_ns - tclk_share_of(cpu_ns - last.cpu_ns, trend) - last.user_ns;
    struct tclk_point start = tclk_point_near(last, cpu_ns, aim_ns - decayed(gap_ns, cpu_ns - last.cpu_ns));
    return (struct tclk_line){.start = start, .rate = slope(trend, aim_ns - start.user_ns, TCLK_SPLIT_H_NS)};
}

static struct tclk_line by_bouts(const struct tclk_look *look, struct tclk_point last, int64_t cpu_ns)
{
    int64_t work_ns = cpu_ns - last.cpu_ns - look->lost_ns;
    int64_t user_ns = tclk_share_of(work_ns < 0 ? 0 : work_ns, look->passed_share);
    return (struct tclk_line){.start = {cpu_ns, last.user_ns + user_ns}, .rate = look->pace.calm};
}

/* The line as near to user time by the samples as the rules of clock/line.h allow. The slope makes up for the rest over
 * the next few periods. */
static struct tclk_line by_samples(const struct tclk_sampled *sampled, struct tclk_point last, int64_t cpu_ns)
{
    struct tclk_point start = tclk_point_near(last, cpu_ns, sampled->user_ns);
    int64_t gap_ns = sampled->user_ns - start.user_ns;
    return (struct tclk_line){.start = start,
                              .rate = slope(sampled->share, gap_ns, CATCH_UP_PERIODS * sampled->period_ns)};
}

struct tclk_line tclk_divide_line(const struct tclk_look *look, struct tclk_point last, int64_t cpu_ns, uint32_t rate)
{
    switch (look->by) {
    case TCLK_BY_SAMPLES:
        return by_samples(&look->sampled, last, cpu_ns);
    case TCLK_BY_BOUTS:
        return by_bouts(look, last, cpu_ns);
    case TCLK_BY_TICKS:
        return by_ticks(look, last, cpu_ns);
    default:
        return (struct tclk_line){{cpu_ns, last.user_ns + tclk_share_of(cpu_ns - last.cpu_ns, rate)}, rate, 0};
    }
}

int64_t tclk_divide_window_ns(const struct tclk_look *look, int64_t passed_ns, int64_t window_ns)
{
    int64_t slice_ns = passed_ns + look->slice_ns;
    return look->slice_ns != 0 && slice_ns < window_ns ? slice_ns : window_ns;
}

void tclk_divide_note(struct tclk_division *division, int64_t cpu_ns, const struct tclk_look *look,
                      const struct tclk_line *line)
{
    tclk_samples_note(division, &look->sampled, look->does == TCLK_LOOK_ASKS ? &look->usage : NULL, line);
    if (look->does != TCLK_LOOK_TURNS) {
        division->bouts.passed = 0;
    }
    if (look->does == TCLK_LOOK_ASKS) {
        division->looked_cpu_ns = cpu_ns;
        division->looked_user_1024ns = user_1024ns(look);
        division->trend = look->trend;
    }
}

/* ---- for those who set no anchor ---- */

bool tclk_divide_share(const struct tclk_division *division, uint32_t *share)
{
    uint32_t share_plus_1 = __atomic_load_n(&division->share_plus_1, __ATOMIC_RELAXED);
    if (share_plus_1 == 0) {
        return false;
    }
    *share = share_plus_1 - 1;
    return true;
}

int tclk_divide_aim(const struct tclk_division *division, uint32_t *share, bool *is_slope)
{
    struct tclk_usage usage;
    *is_slope = tclk_divide_share(division, share);
    int error = *is_slope ? 0 : tclk_usage_read(&usage);
    if (error == 0 && !*is_slope) {
        *share = is_young(&usage) ? tclk_share_of_process() : share_of(&usage);
    }
    return error;
}
