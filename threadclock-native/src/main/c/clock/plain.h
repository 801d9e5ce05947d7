/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_PLAIN_H
#define TCLK_CLOCK_PLAIN_H

#include "clock/split.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * What the kernel says of a thread: nothing of it is kept. tid 0 is the caller. Async-signal-safe. Returns 0, -ESRCH, or another negative errno; the point is
 * untouched then.
 */

/* What a caller wants to know; nothing else is read, since the cost is what is compared. */
enum tclk_asked { TCLK_ASKED_CPU, TCLK_ASKED_USER, TCLK_ASKED_BOTH };

/* As the comparison source in use reads: `ticks`, or `proc`. Nothing is made monotone or consistent. */
int tclk_plain_as_others_do(pid_t tid, enum tclk_asked asked, struct tclk_point *point);

/*
 * For a thread that gets no record: nobody remembers what was told of it, and it keeps its promises all the
 * same. Its user time is one part of its CPU time at each look, by whomever: the process's share when the first
 * such thread was read, for good. A thread that gets a record later begins there (tclk_curve_begin()).
 */
int tclk_plain_times(pid_t tid, struct tclk_point *point);

/* That part. False: there have been no such threads. */
bool tclk_plain_share(uint32_t *share);

#endif
