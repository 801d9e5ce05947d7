/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/divide/steer.h"

/* H x ln 2: after this much CPU time, half of the gap is left. */
#define HALF_LIFE_NS INT64_C(173286795)

/* For `sampled`: a gap of one period changes the slope by a sixth. */
#define CATCH_UP_PERIODS 6

/* After this many half-lives, nothing is left of any gap that fits into 63 bits. */
#define HALF_LIVES_MAX 62

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
    if (gap_ns >= over_ns) {
        return TCLK_SHARE_ONE;
    }
    if (gap_ns <= -over_ns) {
        return 0;
    }
    int64_t rate = share + gap_ns * (int64_t)TCLK_SHARE_ONE / over_ns;
    return (uint32_t)clamp(rate, 0, TCLK_SHARE_ONE);
}

struct tclk_line tclk_split_smoothed(struct tclk_point last, int64_t cpu_ns, int64_t aim_ns, uint32_t trend)
{
    int64_t gap_ns = aim_ns - tclk_share_of(cpu_ns - last.cpu_ns, trend) - last.user_ns;
    int64_t user_ns = aim_ns - decayed(gap_ns, cpu_ns - last.cpu_ns);
    struct tclk_point start = tclk_point_near(last, cpu_ns, user_ns);
    return (struct tclk_line){.start = start, .rate = slope(trend, aim_ns - start.user_ns, TCLK_SPLIT_H_NS)};
}

struct tclk_line tclk_split_sampled(struct tclk_point last, int64_t cpu_ns, int64_t user_ns, uint32_t share,
                                    int64_t period_ns)
{
    struct tclk_point start = tclk_point_near(last, cpu_ns, user_ns);
    return (struct tclk_line){.start = start,
                              .rate = slope(share, user_ns - start.user_ns, CATCH_UP_PERIODS * period_ns)};
}

uint32_t tclk_share_followed(uint32_t share, int64_t user_ns, int64_t cpu_ns, int64_t over_ns)
{
    if (cpu_ns <= 0) {
        return share;
    }
    int64_t known_ns = tclk_share_of(over_ns, share);
    int64_t now_ns = clamp(known_ns + user_ns, 0, over_ns + cpu_ns);
    return tclk_share_between(now_ns, over_ns + cpu_ns - now_ns, share);
}

struct tclk_line tclk_split_kernel(struct tclk_point last, int64_t cpu_ns, int64_t user_ns, uint32_t share)
{
    return (struct tclk_line){.start = tclk_point_near(last, cpu_ns, user_ns), .rate = share};
}

/* ---- the recent share ---- */

/* The share of a steady thread is wrong by the chance in this many ticks: 1 or 2 %. */
#define MEMORY_TICKS 1000

/* With fewer ticks a change is seen sooner, and chance looks like a change more often. */
#define RECENT_TICKS 6

/* If the share of the recent ticks differs by this much, the work has changed. From all system to all user time this
 * takes six ticks. A thread that divides its time in halves shows it by chance once in some hours. */
#define CHANGED (UINT16_MAX * 3 / 5)

/* After a change, the share is that of the tick that has shown it, for this many ticks. */
#define TICKS_AT_CHANGE 2

#define CHANGE_COSTS_QMS 8000 /* quarters of a ms: 2 s */
#define CREDIT_QMS 24000      /* enough for three changes */
#define QMS_NS INT64_C(250000)

_Static_assert(CREDIT_QMS == 3 * CHANGE_COSTS_QMS && CREDIT_QMS <= UINT16_MAX, "three changes fit");

static int64_t at_most(int64_t n, int64_t most)
{
    return n < most ? n : most;
}

static uint16_t ticks_of(int64_t cpu_ns, int64_t tick_ns)
{
    int64_t ticks = at_most((cpu_ns + tick_ns / 2) / tick_ns, MEMORY_TICKS);
    return (uint16_t)(ticks < 1 ? 1 : ticks);
}

static uint16_t share_of(int64_t user_ns, int64_t cpu_ns)
{
    int64_t user = at_most(user_ns < 0 ? 0 : user_ns, cpu_ns);
    int shift = cpu_ns > INT64_MAX / UINT16_MAX ? 16 : 0;
    return (uint16_t)((user >> shift) * UINT16_MAX / (cpu_ns >> shift));
}

/* The value at part / whole of the way to `to`, rounded. */
static uint16_t nearer(uint16_t from, uint16_t to, int64_t part, int64_t whole)
{
    int64_t way = ((int64_t)to - from) * part;
    int64_t half = way < 0 ? -whole / 2 : whole / 2;
    return (uint16_t)(from + (way + half) / whole);
}

struct tclk_trend tclk_trend_begin(uint32_t share, int64_t cpu_ns, int64_t tick_ns)
{
    uint16_t known = (uint16_t)((uint64_t)share * UINT16_MAX >> TCLK_SHARE_BITS);
    return (struct tclk_trend){
        .share = known,
        .recent = known,
        .ticks = ticks_of(cpu_ns, tick_ns),
        .credit_qms = CREDIT_QMS,
    };
}

static bool has_changed(struct tclk_trend trend, uint16_t share_before)
{
    int apart = trend.recent - share_before;
    return (apart < 0 ? -apart : apart) > CHANGED && trend.credit_qms >= CHANGE_COSTS_QMS;
}

struct tclk_trend tclk_trend_follow(struct tclk_trend trend, int64_t user_ns, int64_t cpu_ns, int64_t tick_ns)
{
    uint16_t seen = share_of(user_ns, cpu_ns);
    uint16_t before = trend.share;
    int64_t ticks = ticks_of(cpu_ns, tick_ns);
    trend.recent = nearer(trend.recent, seen, ticks, ticks + RECENT_TICKS - 1);
    trend.share = nearer(trend.share, seen, ticks, ticks + trend.ticks);
    trend.ticks = (uint16_t)at_most(trend.ticks + ticks, MEMORY_TICKS);
    trend.credit_qms = (uint16_t)at_most(trend.credit_qms + cpu_ns / QMS_NS, CREDIT_QMS);
    if (has_changed(trend, before)) {
        trend.share = seen;
        trend.ticks = (uint16_t)(ticks > TICKS_AT_CHANGE ? ticks : TICKS_AT_CHANGE);
        trend.credit_qms = (uint16_t)(trend.credit_qms - CHANGE_COSTS_QMS);
    }
    return trend;
}

uint32_t tclk_trend_share(struct tclk_trend trend)
{
    return (uint32_t)(((uint64_t)trend.share << TCLK_SHARE_BITS) / UINT16_MAX);
}
