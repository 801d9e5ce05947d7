/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_PROBE_H
#define TCLK_KERNEL_PROBE_H

#include <stdbool.h>
#include <stdint.h>

/* Actions by which the self-tests get a thread switched out, or not switched out, and questions about the thread.
 * All are async-signal-safe. */

/* Sleeps. The thread is switched out, unless the time was over before it slept. The kernel adds up to the timer
 * slack to the ns, usually 50 us. */
void tclk_probe_sleep(int64_t ns);

/* Waits for a child that shares the memory and ends at once. The thread is switched out, unless the child was
 * faster. Only the child has run on this CPU by then, so the thread wakes there; after a sleep, the kernel's timer
 * thread (PREEMPT_RT) may have the CPU. The child sends no signal when it ends. False: no child could be created. */
bool tclk_probe_await_child(void);

/* Makes a system call that does nothing and does not switch the thread out. */
void tclk_probe_call(void);

/* False if this thread may not read the time-stamp counter: prctl(PR_SET_TSC). Such a thread gets
 * SIGSEGV from rdtsc. */
bool tclk_probe_counter_is_enabled(void);

#endif
