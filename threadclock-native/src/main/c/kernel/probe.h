/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_PROBE_H
#define TCLK_KERNEL_PROBE_H

#include <stdbool.h>

/* What the self-tests do to a thread, and what they ask of it. All async-signal-safe. */

/* Sleeps for the shortest time there is: the thread is switched out, unless the sleep was over before
 * it began. About 60 us with the usual timer slack. */
void tclk_probe_sleep(void);

/* A system call that does nothing and switches nothing. */
void tclk_probe_call(void);

/* False if this thread may not read the time-stamp counter: prctl(PR_SET_TSC). Such a thread gets
 * SIGSEGV from rdtsc. */
bool tclk_probe_counter_is_enabled(void);

#endif
