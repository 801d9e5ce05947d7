/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_TID_H
#define TCLK_KERNEL_TID_H

#include <sys/syscall.h>
#include <sys/types.h>
#include <unistd.h>

/* The tid of the calling thread. One system call, because libc's own gettid() is newer than glibc 2.17. */
static inline pid_t tclk_tid_own(void)
{
    return (pid_t)syscall(SYS_gettid);
}

#endif
