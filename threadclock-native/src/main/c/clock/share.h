/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_SHARE_H
#define TCLK_CLOCK_SHARE_H

#include <stdint.h>

/*
 * The user share of the whole process, ended threads included: where a thread starts that has too
 * few ticks of its own to tell. Asking is linear in the number of threads, so it is asked for at
 * most ten times a second, and by one thread.
 */
#define TCLK_SHARE_AGE_MAX_NS UINT64_C(100000000)

/* All user if the process has not seen a tick yet. Async-signal-safe. */
uint32_t tclk_share_of_process(void);

#endif
