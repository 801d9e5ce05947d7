/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_WATCH_H
#define TCLK_CLOCK_WATCH_H

#include "clock/record.h"
#include "kernel/usage.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The continuous check of the detectors. When a window ends with the marker still there, the anchor's prediction is
 * compared with the kernel's CPU time. A prediction that is far above it means either that a switch was missed, or that
 * the counter shows time that the kernel does not book (a hypervisor's steal, accounted interrupts). The thread's
 * switch counts tell the two apart, if they were read for that very anchor. If they were not, the thread is put on
 * probation: its next anchors note them. Therefore a detector that misses switches is caught at its second miss, and
 * steal is never mistaken for a miss.
 */

/* A prediction may be at least this much above the kernel's time: rounding, midpoints, steal. */
#define TCLK_WATCH_SLACK_NS INT64_C(50000)

/* It may also be above it by this part of the window: 5 %. */
#define TCLK_WATCH_SLACK_DIVISOR 20

#define TCLK_WATCH_PROBATION 16

enum tclk_watch_finding { TCLK_WATCH_FINE, TCLK_WATCH_SUSPICIOUS, TCLK_WATCH_MISSED };

static inline bool tclk_watch_is_ahead(int64_t predicted_ns, int64_t kernel_ns, int64_t window_ns)
{
    int64_t part_ns = window_ns / TCLK_WATCH_SLACK_DIVISOR;
    return predicted_ns - kernel_ns > (part_ns > TCLK_WATCH_SLACK_NS ? part_ns : TCLK_WATCH_SLACK_NS);
}

/* Judges a prediction that is ahead; `usage` has been read just now. */
static inline enum tclk_watch_finding tclk_watch_judge(const struct tclk_record *record, const struct tclk_usage *usage)
{
    if (!record->switches_at_anchor) {
        return TCLK_WATCH_SUSPICIOUS;
    }
    return (uint32_t)tclk_usage_switches(usage) != record->switches ? TCLK_WATCH_MISSED : TCLK_WATCH_FINE;
}

#endif
