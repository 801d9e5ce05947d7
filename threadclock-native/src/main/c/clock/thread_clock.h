/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_THREAD_CLOCK_H
#define TCLK_CLOCK_THREAD_CLOCK_H

#include <stdbool.h>
#include <sys/types.h>

/* The calling thread gets its record now: others read it more cheaply then, since they need not find out
 * whose the tid is. Once per thread, about 1 us. Async-signal-safe.
 * Returns 0, or -ENOMEM: no record is to be had. */
int tclk_thread_enlist(void);

/* True if the calling thread has this tid and a record. Async-signal-safe; a few ns. */
bool tclk_thread_is(pid_t tid);

/* True if the calling thread may read the counter, and so the vDSO's clocks. A thread that has no record
 * yet gets one. Async-signal-safe. */
bool tclk_thread_may_count(void);

#endif
