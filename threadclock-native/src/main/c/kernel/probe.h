/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_PROBE_H
#define TCLK_KERNEL_PROBE_H

#include <stdbool.h>
#include <stdint.h>

/* What the self-tests do to a thread, and what they ask of it. All async-signal-safe. */

/* Sleeps: the thread is switched out, unless the sleep was over before it began. The kernel adds up to
 * the timer slack, usually 50 us, to the ns. */
void tclk_probe_sleep(int64_t ns);

/* A system call that does nothing and switches nothing. */
void tclk_probe_call(void);

/* False if this thread may not read the time-stamp counter: prctl(PR_SET_TSC). Such a thread gets
 * SIGSEGV from rdtsc. */
bool tclk_probe_counter_is_enabled(void);

#endif
