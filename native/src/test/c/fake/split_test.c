/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the computation of user time along CPU time. */

#include "machine.h"
#include "random.h"

#include "clock/divide/divide.h"

#include <tap.h>

#define YEAR_NS (INT64_C(365) * 24 * 3600 * 1000 * MS)
#define HALF (TCLK_SHARE_ONE / 2)

static double as_double(uint32_t share)
{
    return share / (double)TCLK_SHARE_ONE;
}

TEST(share_is_user_by_all)
{
    ok(tclk_share_between(1, 3, 0) == TCLK_SHARE_ONE / 4, "1 of 4 is a quarter");
    ok(tclk_share_between(5, 0, 0) == TCLK_SHARE_ONE, "user time alone is a share of 1");
    ok(tclk_share_between(0, 5, 7) == 0, "system time alone is a share of 0");
    ok(tclk_share_between(0, 0, 7) == 7, "the share of no time is the caller's");
    ok(tclk_share_between(100 * YEAR_NS, 100 * YEAR_NS, 0) == HALF, "200 years do not overflow");
}

/* Tests the law of the curve, with steps of all sizes and shares that jump. */
static void lines_keep_the_law(const char *kind, struct tclk_line (*next)(struct tclk_point, int64_t, uint32_t))
{
    struct tclk_point last = {0, 0};
    int broken = 0;
    for (int i = 0; i < 100000; i++) {
        int64_t step_ns = (int64_t)(random_next() % (UINT64_C(1) << (random_next() % 34)));
        uint32_t share = (uint32_t)(random_next() % (TCLK_SHARE_ONE + UINT64_C(1)));
        struct tclk_line line = next(last, last.cpu_ns + step_ns, share);
        int64_t user_ns = line.start.user_ns - last.user_ns;
        broken += user_ns < 0 || user_ns > step_ns || line.rate > TCLK_SHARE_ONE ||
                  line.start.cpu_ns != last.cpu_ns + step_ns;
        last = line.start;
    }
    is_ns(broken, 0, "%s: 100 000 steps of 1 ns to 10 s, none back, none steeper than CPU time", kind);
}

static struct tclk_line smoothed_by(struct tclk_point last, int64_t cpu_ns, uint32_t share, uint32_t trend)
{
    struct tclk_look look = {.by = TCLK_BY_TICKS, .kernel_share = share, .trend = tclk_trend_begin(trend, MS, MS)};
    return tclk_divide_line(&look, last, cpu_ns, 0);
}

/* The trend is arbitrary, too. */
static struct tclk_line smoothed_line(struct tclk_point last, int64_t cpu_ns, uint32_t share)
{
    return smoothed_by(last, cpu_ns, share, (uint32_t)(random_next() % (TCLK_SHARE_ONE + UINT64_C(1))));
}

static struct tclk_line sampled_line(struct tclk_point last, int64_t cpu_ns, uint32_t share)
{
    struct tclk_sampled sampled = {.user_ns = tclk_share_of(cpu_ns, share), .share = share, .period_ns = MS};
    struct tclk_look look = {.by = TCLK_BY_SAMPLES, .sampled = sampled};
    return tclk_divide_line(&look, last, cpu_ns, 0);
}

TEST(lines_of_each_split_keep_the_law)
{
    lines_keep_the_law("smoothed", smoothed_line);
    lines_keep_the_law("sampled", sampled_line);
}

static struct tclk_line line_to_half(struct tclk_point last, int64_t cpu_ns)
{
    return smoothed_by(last, cpu_ns, HALF, HALF);
}

static void gap_after(int64_t elapsed_ns, double expected)
{
    struct tclk_point last = {1000 * MS, 400 * MS}; /* 100 ms behind a share of 1/2 */
    struct tclk_line line = line_to_half(last, last.cpu_ns + elapsed_ns);
    int64_t gap_ns = tclk_share_of(line.start.cpu_ns, HALF) - line.start.user_ns;
    double left = (double)gap_ns / (double)(100 * MS);
    ok(left > expected - 0.01 && left < expected + 0.01,
       "after %" PRId64 " ms of CPU time %.3f of a gap is left (1/e for each 250 ms: %.3f)", elapsed_ns / MS, left,
       expected);
}

TEST(smoothed_closes_the_gap)
{
    gap_after(0, 1.0);
    gap_after(50 * MS, 0.819);
    gap_after(250 * MS, 0.368);
    gap_after(500 * MS, 0.135);
    gap_after(1000 * MS, 0.018);
    gap_after(100000 * MS, 0.0);
}

TEST(slope_closes_the_gap)
{
    struct tclk_point last = {1000 * MS, 490 * MS};
    struct tclk_line line = line_to_half(last, last.cpu_ns);
    ok(as_double(line.rate) > 0.539 && as_double(line.rate) < 0.541,
       "10 ms behind a share of 0.5 the slope is 0.5 + 10/250 (%.4f)", as_double(line.rate));
    last.user_ns = 1000 * MS;
    ok(line_to_half(last, last.cpu_ns).rate == 0, "the slope is never negative");
    last.user_ns = 0;
    ok(line_to_half(last, last.cpu_ns).rate == TCLK_SHARE_ONE, "the slope is never more than 1");
}

TEST(years_do_not_overflow)
{
    struct tclk_point last = {9 * YEAR_NS, 0};
    struct tclk_line line = smoothed_by(last, last.cpu_ns + MS, TCLK_SHARE_ONE, TCLK_SHARE_ONE);
    ok(line.start.user_ns >= 0 && line.start.user_ns <= MS && line.rate == TCLK_SHARE_ONE,
       "9 years of CPU time and a gap of as much keep the law");
}
