/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_PLAIN_H
#define TCLK_CLOCK_PLAIN_H

#include "clock/line.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Reads the times of a thread from the kernel, and keeps nothing. tid 0 is the caller. Async-signal-safe. Returns 0,
 * -ESRCH, or another negative errno; the point is untouched then.
 */

/*
 * Reads a thread that gets no record: there is no memory left, or none that is wiped on fork. Nobody remembers what was
 * told of it, and yet it keeps its promises: all readers take its user time as one fixed part of its CPU time. That
 * part is the share of the process at the first reading of any such thread, and never changes. A thread that gets a
 * record later begins its curve there (tclk_curve_begin()).
 */
int tclk_plain_times(pid_t tid, struct tclk_point *point);

/* The share of such threads. False: there have been none. */
bool tclk_plain_share(uint32_t *share);

#endif
