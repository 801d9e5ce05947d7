/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_PLAIN_H
#define TCLK_CLOCK_PLAIN_H

#include "clock/split.h"

#include <sys/types.h>

/*
 * What the kernel says of a thread, as it says it: nothing is kept, made monotone or made consistent.
 * tid 0 is the caller. Async-signal-safe. Returns 0, -ESRCH, or another negative errno; the point is
 * untouched then.
 */

/* What a caller wants to know; nothing else is read, since the cost is what is compared. */
enum tclk_asked { TCLK_ASKED_CPU, TCLK_ASKED_USER, TCLK_ASKED_BOTH };

/* As the comparison source in use reads: `ticks`, or `proc`. */
int tclk_plain_as_others_do(pid_t tid, enum tclk_asked asked, struct tclk_point *point);

/* For a thread that gets no record: run time, divided as the ticks are. */
int tclk_plain_times(pid_t tid, struct tclk_point *point);

#endif
