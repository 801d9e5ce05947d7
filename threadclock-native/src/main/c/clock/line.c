/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/line.h"

/* Computes as many bits at a time as fit, because a division of 128 bits takes much of a reading's stack. `part` <=
 * `all`. */
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

struct tclk_point tclk_point_near(struct tclk_point last, int64_t cpu_ns, int64_t user_ns)
{
    int64_t most_ns = last.user_ns + (cpu_ns - last.cpu_ns);
    return (struct tclk_point){cpu_ns, user_ns < last.user_ns ? last.user_ns : user_ns > most_ns ? most_ns : user_ns};
}
