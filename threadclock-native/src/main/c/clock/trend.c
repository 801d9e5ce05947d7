/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/trend.h"

#include "clock/split.h"

/* A steady thread's share is off by what chance has put into so many ticks: 1 or 2 %. */
#define MEMORY_TICKS 1000

/* The fewer, the sooner a change is seen, and the more often chance looks like one. */
#define RECENT_TICKS 6

/* By so much, of 1, the share of the recent ticks is another one: from all system to all user it takes six of them,
 * and chance does it to a thread of half and half once in some hours. */
#define CHANGED (UINT16_MAX * 3 / 5)

/* After a change the share is that of the tick that has shown it, for so long. */
#define TICKS_AT_CHANGE 2

#define CHANGE_COSTS_QMS 8000 /* 4 to the ms, 2 s */
#define CREDIT_QMS 24000      /* three changes */
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

/* A part of the way to `to`, rounded. */
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

struct tclk_trend tclk_trend_follow(struct tclk_trend trend, int64_t user_ns, int64_t cpu_ns,
                                    int64_t tick_ns)
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
