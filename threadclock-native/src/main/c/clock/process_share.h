/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_PROCESS_SHARE_H
#define TCLK_CLOCK_PROCESS_SHARE_H

#include <stdint.h>

/*
 * The user share of the whole process, ended threads included. A thread that has too few ticks of its own starts with
 * it. The cost is linear in the number of threads, so the kernel is asked at most ten times a second, and by one
 * thread.
 */
#define TCLK_SHARE_AGE_MAX_NS UINT64_C(100000000)

/* Returns all user if the process has not seen a tick yet. Async-signal-safe. */
uint32_t tclk_share_of_process(void);

#endif
