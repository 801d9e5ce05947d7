/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_FORK_H
#define TCLK_KERNEL_FORK_H

/* From now on, a fork(2) by libc calls `child` in the child, before it returns there. This is a pthread_atfork(3)
 * for a library that glibc and musl both load. It is never taken back, because the library is never unloaded.
 * Returns 0, -ENOMEM, or -ENOSYS (a libc that has neither function). Constructors call it, and the Python module. */
int tclk_fork_watch(void (*child)(void));

#endif
