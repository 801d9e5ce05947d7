/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_FORK_H
#define TCLK_KERNEL_FORK_H

/* From now on a fork(2) by libc calls `child` in the child, before it returns there. pthread_atfork(3)
 * in a library that glibc and musl load alike; never taken back, since the library is never unloaded.
 * Returns 0, -ENOMEM, or -ENOSYS (a libc that has neither). From the library's constructor alone. */
int tclk_fork_watch(void (*child)(void));

#endif
