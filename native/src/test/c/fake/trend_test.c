/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the share of a thread's present work. */

#include "machine.h"
#include "random.h"

#include "clock/divide/tally.h"
#include "clock/line.h"

#include <tap.h>

#define TICK_NS (4 * MS)

static double as_double(struct tclk_trend trend)
{
    return tclk_trend_share(trend) / (double)TCLK_SHARE_ONE;
}

static struct tclk_trend begin(double share, int64_t cpu_ns)
{
    return tclk_trend_begin((uint32_t)(share * TCLK_SHARE_ONE), cpu_ns, TICK_NS);
}

static struct tclk_trend follow(struct tclk_trend trend, int ticks, bool is_user)
{
    for (int i = 0; i < ticks; i++) {
        trend = tclk_trend_follow(trend, is_user ? TICK_NS : 0, TICK_NS, TICK_NS);
    }
    return trend;
}

TEST(is_what_it_was_given)
{
    ok(as_double(begin(0, S)) <= 0, "a share of 0 is 0");
    ok(as_double(begin(1, S)) >= 1, "a share of 1 is 1");
    is_share(as_double(begin(0.5, S)), 0.4999, 0.5001, "a half is a half");
    ok(tclk_trend_is_known(begin(0, 0)) && !tclk_trend_is_known((struct tclk_trend){0}), "an empty one is none");
}

TEST(follows_within_six_ticks)
{
    struct tclk_trend trend = begin(0, 10 * S);
    int ticks = 0;
    for (; as_double(trend) < 0.99 && ticks < 100; ticks++) {
        trend = follow(trend, 1, true);
    }
    ok(ticks <= 6, "from all system to all user it takes %d ticks", ticks);
    trend = begin(0.92, 10 * S);
    for (ticks = 0; as_double(trend) > 0.01 && ticks < 100; ticks++) {
        trend = follow(trend, 1, false);
    }
    ok(ticks <= 8, "from 92 %% user to all system %d", ticks);
}

TEST(follows_one_long_step)
{
    struct tclk_trend trend = tclk_trend_follow(begin(0, 2 * S), 3 * S, 3 * S, TICK_NS);
    ok(as_double(trend) > 0.99, "3 s of user time between two looks are followed at once");
    trend = tclk_trend_follow(begin(0, 2 * S), 7 * S, 3 * S, TICK_NS);
    ok(as_double(trend) <= 1, "more user time than CPU time is all user");
    trend = tclk_trend_follow(begin(1, 2 * S), -MS, 3 * S, TICK_NS);
    ok(as_double(trend) >= 0 && as_double(trend) < 0.01, "less than none is none");
}

static int changes_believed(int ticks, int ticks_alike)
{
    struct tclk_trend trend = begin(0, 10 * S);
    int believed = 0;
    for (int i = 0; i < ticks; i++) {
        uint16_t before = trend.ticks;
        trend = follow(trend, 1, i / ticks_alike % 2 == 0);
        believed += trend.ticks < before;
    }
    return believed;
}

TEST(believes_no_more_than_one_in_2_s)
{
    int believed = changes_believed(10000, 100);
    ok(believed > 3 && believed <= 3 + 40000 / 2000, "of 100 changes in 40 s of CPU time %d are believed", believed);
    believed = changes_believed(10000, 1000);
    ok(believed >= 9, "of 10 changes in 40 s %d", believed);
}

TEST(chance_is_no_change)
{
    struct tclk_trend trend = begin(0.5, 10 * S);
    int believed = 0;
    double worst = 0;
    for (int i = 0; i < 100000; i++) {
        uint16_t before = trend.ticks;
        trend = follow(trend, 1, random_next() % 10 < 3);
        believed += trend.ticks < before;
        double off = as_double(trend) - 0.3;
        worst = i > 1000 && off * off > worst * worst ? off : worst;
    }
    ok(believed <= 1, "400 s of 30 %% user time by chance: %d changes are believed", believed);
    ok(worst < 0.1 && worst > -0.1, "…and the share is off by %.3f at worst", worst);
}

TEST(is_the_same_at_any_tick)
{
    const int64_t ticks_ns[] = {MS, 10 * MS / 3, 10 * MS};
    for (int i = 0; i < 3; i++) {
        struct tclk_trend trend = tclk_trend_begin(0, 100 * S, ticks_ns[i]);
        for (int64_t ns = 0; ns < 30 * S; ns += ticks_ns[i]) {
            trend = tclk_trend_follow(trend, ticks_ns[i] / 4, ticks_ns[i], ticks_ns[i]);
        }
        double off = as_double(trend) - 0.25;
        ok(off > -0.03 && off < 0.01, "with a tick of %.1f ms, 30 s of a quarter read as a quarter (%.3f)",
           (double)ticks_ns[i] / 1e6, as_double(trend));
    }
}
