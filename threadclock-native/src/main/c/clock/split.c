/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/split.h"

/* H x ln 2: after that much CPU time half of the gap is left. */
#define HALF_LIFE_NS INT64_C(173286795)

/* `sampled`: a gap of one period bends the slope by a sixth. */
#define CATCH_UP_PERIODS 6

/* Past so many half-lives nothing is left of any gap that fits into 63 bits. */
#define HALF_LIVES_MAX 62

static int64_t clamp(int64_t n, int64_t low, int64_t high)
{
    return n < low ? low : n > high ? high : n;
}

/* By as many bits at a time as there is room for: a division of 128 bits takes much of a reading's stack. `part` <= `all`. */
static uint32_t share_in(uint64_t part, uint64_t all)
{
    int room = __builtin_clzll(all);
    uint64_t share = 0;
    for (int left = TCLK_SHARE_BITS; left > 0;) {
        int bits = left < room ? left : room;
        part <<= bits;
        share = (share << bits) + part / all;
        part %= all;
        left -= bits;
    }
    return (uint32_t)share;
}

uint32_t tclk_share_between(int64_t user_ns, int64_t system_ns, uint32_t otherwise)
{
    if (user_ns < 0 || system_ns < 0 || user_ns + system_ns <= 0) {
        return otherwise;
    }
    return share_in((uint64_t)user_ns, (uint64_t)(user_ns + system_ns));
}

/* 2^-x for 0 <= x <= 1, as the parabola 1 - x(4 - x)/6: exact at both ends, within 0.5 % between. */
static uint32_t half_to_the(uint64_t x)
{
    return TCLK_SHARE_ONE -
           (uint32_t)(x * (4 * (uint64_t)TCLK_SHARE_ONE - x) / 6 >> TCLK_SHARE_BITS);
}

static int64_t decayed(int64_t gap_ns, int64_t elapsed_ns)
{
    int64_t half_lives = elapsed_ns / HALF_LIFE_NS;
    if (half_lives >= HALF_LIVES_MAX) {
        return 0;
    }
    uint64_t rest =
        ((uint64_t)(elapsed_ns % HALF_LIFE_NS) << TCLK_SHARE_BITS) / (uint64_t)HALF_LIFE_NS;
    return tclk_share_of(gap_ns, half_to_the(rest)) / (INT64_C(1) << half_lives);
}

static struct tclk_point reach(struct tclk_point last, int64_t cpu_ns, int64_t user_ns)
{
    int64_t most = last.user_ns + (cpu_ns - last.cpu_ns);
    return (struct tclk_point){cpu_ns, clamp(user_ns, last.user_ns, most)};
}

/* Closes the gap to 1/e over `over_ns`. */
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

struct tclk_line tclk_split_smoothed(struct tclk_point last, int64_t cpu_ns, uint32_t share,
                                     uint32_t trend)
{
    int64_t aim_ns = tclk_share_of(cpu_ns, share);
    int64_t gap_ns = aim_ns - tclk_share_of(cpu_ns - last.cpu_ns, trend) - last.user_ns;
    int64_t user_ns = aim_ns - decayed(gap_ns, cpu_ns - last.cpu_ns);
    struct tclk_point start = reach(last, cpu_ns, user_ns);
    return (struct tclk_line){start, slope(trend, aim_ns - start.user_ns, TCLK_SPLIT_H_NS)};
}

struct tclk_line tclk_split_sampled(struct tclk_point last, int64_t cpu_ns, int64_t user_ns,
                                    uint32_t share, int64_t period_ns)
{
    struct tclk_point start = reach(last, cpu_ns, user_ns);
    return (struct tclk_line){start,
                              slope(share, user_ns - start.user_ns, CATCH_UP_PERIODS * period_ns)};
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

struct tclk_line tclk_split_kernel(struct tclk_point last, int64_t cpu_ns, int64_t user_ns,
                                   uint32_t share)
{
    return (struct tclk_line){reach(last, cpu_ns, user_ns), share};
}
