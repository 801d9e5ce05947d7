/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_JDK_WAYS_H
#define TCLK_CLOCK_JDK_WAYS_H

#include "clock/line.h"
#include "clock/settings.h"

#include <stdbool.h>
#include <sys/types.h>

/*
 * The ways of the JDK, for comparison: `ticks`, the raw tick counter, as JDK 26 reads user time; and `proc`,
 * /proc/self/task/TID/stat, as JDK 8 to 25 do. Nothing is made monotone or consistent. Async-signal-safe.
 */

/* Whether one of them is in use. */
static inline bool tclk_jdk_way_is_used(void)
{
    enum tclk_source source = tclk_source_in_use();
    return source == TCLK_SOURCE_TICKS || source == TCLK_SOURCE_PROC || tclk_settings.split == TCLK_SPLIT_TICKS;
}

/* The times that a caller asks for. Nothing else is read, because the cost is what is compared. */
enum tclk_asked { TCLK_ASKED_CPU, TCLK_ASKED_USER, TCLK_ASKED_BOTH };

/* Reads a thread in the way in use; tid 0 is the caller. Returns 0, -ESRCH, or another negative errno; the point is
 * untouched then. */
int tclk_jdk_way_read(pid_t tid, enum tclk_asked asked, struct tclk_point *point);

#endif
