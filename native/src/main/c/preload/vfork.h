/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_PRELOAD_VFORK_H
#define TCLK_PRELOAD_VFORK_H

#include <stdbool.h>

/*
 * A child of vfork(2) runs in its parent's memory, with the parent thread's own words and an armed detector that the
 * kernel does not touch until the parent goes on. It must not extrapolate from them. libc's other functions that
 * start programs (posix_spawn, system, popen) run nothing of the program's in such a child.
 */

/* vfork.S calls this in the parent, before libc's vfork(). A signal handler that reads the clock between the two,
 * in a few instructions, makes this ineffective. */
void tclk_vfork_begins(void);

/* Whether the calling thread is such a child. A thread that has vforked since it last asked makes one system call.
 * Not needed while the thread may extrapolate. Async-signal-safe. */
bool tclk_vfork_is_child(void);

/* Call this in the child of fork(). */
void tclk_vfork_after_fork(void);

#endif
