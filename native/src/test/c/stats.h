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

/* The readings that have asked the kernel. */
static inline uint64_t resyncs_in(struct tclk_stats s)
{
    return s.resyncs_first + s.resyncs_switch + s.resyncs_window + s.resyncs_ahead + s.resyncs_overlap +
           s.resyncs_unarmed;
}

#endif
