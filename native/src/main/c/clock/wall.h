/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_WALL_H
#define TCLK_CLOCK_WALL_H

#include "clock/thread.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Wall time: CLOCK_MONOTONIC, which System.nanoTime() returns. While a thread is not switched out, its CPU time grows
 * as wall time does, so one look at that clock per anchor is enough: from there on a reading has the wall time by the
 * same count of the counter.
 *
 * Each look begins anew, so no error lasts longer than a window. What a thread is told never decreases: where the look
 * is behind what was told last, the wall time goes on from that. A process that is restored on another machine may find
 * CLOCK_MONOTONIC far behind; then all its threads go on from the greatest time that the first one had been told.
 */

/* Wall time by the kernel. A vDSO call. */
int64_t tclk_wall_ns(void);

/* Takes a look for an anchor in use. False: its window is over, or the look was interrupted. */
bool tclk_wall_look(const struct tclk_anchor *anchor, struct tclk_wall *wall);

/* Wall time at a CPU time that was extrapolated from that anchor after the look. The caller notes that it was told. */
static inline int64_t tclk_wall_at(const struct tclk_wall *wall, int64_t cpu_ns)
{
    return wall->ns + ((cpu_ns - wall->cpu_ns) << wall->half);
}

#endif
