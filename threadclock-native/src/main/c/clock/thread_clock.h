/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_THREAD_CLOCK_H
#define TCLK_CLOCK_THREAD_CLOCK_H

#include <stdbool.h>
#include <sys/types.h>

/* True if the calling thread has this tid and a record. Async-signal-safe; a few ns. */
bool tclk_thread_is(pid_t tid);

/* True if the calling thread may read the counter, and so the vDSO's clocks. A thread that has no record
 * yet gets one. Async-signal-safe. */
bool tclk_thread_may_count(void);

#endif
