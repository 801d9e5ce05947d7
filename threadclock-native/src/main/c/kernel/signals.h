/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_SIGNALS_H
#define TCLK_KERNEL_SIGNALS_H

#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TCLK_SIGNALS_ALL UINT64_MAX

/* Sets the calling thread's mask, one bit for each signal: also for those that libc keeps for itself. *from, if not NULL,
 * is what it was. Returns 0, or -1. */
static inline long tclk_signals_block(uint64_t mask, uint64_t *from)
{
    return syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, from, sizeof mask);
}

#endif
