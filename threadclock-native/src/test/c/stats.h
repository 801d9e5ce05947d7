/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_STATS_H
#define TCLK_TEST_STATS_H

#include "include/threadclock.h"

static inline struct tclk_stats stats_now(void)
{
    struct tclk_stats stats;
    tclk_clock_stats(&stats);
    return stats;
}

#endif
