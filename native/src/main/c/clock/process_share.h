/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_PROCESS_SHARE_H
#define TCLK_CLOCK_PROCESS_SHARE_H

#include <stdbool.h>
#include <stdint.h>

/*
 * The user share of the whole process, ended threads included. A thread that has too few ticks of its own starts with
 * it. The cost is linear in the number of threads, so the kernel is asked at most ten times a second, and by one
 * thread.
 */
#define TCLK_SHARE_AGE_MAX_NS UINT64_C(100000000)

/* Returns all user if the process has not seen a tick yet. Async-signal-safe. */
uint32_t tclk_share_of_process(void);

/*
 * The share of each thread that gets no record: there is no memory left, or none that is wiped on fork. Nobody
 * remembers what was told of such a thread, and yet it keeps its promises: all readers take its user time as one fixed
 * part of its CPU time. That part is the share of the process at the first reading of any such thread, and never
 * changes. A thread that gets a record later begins its curve there (tclk_curve_begin()).
 *
 * Call this before such a thread's CPU time is read. A thread that gets a record for it after that then sees that there
 * is a share.
 */
uint32_t tclk_share_without_record(void);

/* The same. False: there have been no such threads. */
bool tclk_share_without_record_is_fixed(uint32_t *share);

#endif
