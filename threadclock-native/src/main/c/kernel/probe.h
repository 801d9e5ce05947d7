/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_PROBE_H
#define TCLK_KERNEL_PROBE_H

#include <stdbool.h>
#include <stdint.h>

/* What the self-tests do to a thread, and what they ask of it. All async-signal-safe. */

/* Sleeps: the thread is switched out, unless the sleep was over before it began. The kernel adds up to
 * the timer slack, usually 50 us, to the ns. */
void tclk_probe_sleep(int64_t ns);

/* Waits for a child that shares the memory and ends at once: the thread is switched out, unless the child was
 * faster. Nothing else but the child has run on its CPU by then, so that the thread is woken there, where after a sleep the
 * kernel's own thread for timers (PREEMPT_RT) may have the CPU. The child has no signal for its end. False: no child can be
 * had. */
bool tclk_probe_await_child(void);

/* A system call that does nothing and switches nothing. */
void tclk_probe_call(void);

/* False if this thread may not read the time-stamp counter: prctl(PR_SET_TSC). Such a thread gets
 * SIGSEGV from rdtsc. */
bool tclk_probe_counter_is_enabled(void);

#endif
