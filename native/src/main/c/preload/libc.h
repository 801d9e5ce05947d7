/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_PRELOAD_LIBC_H
#define TCLK_PRELOAD_LIBC_H

#include <sys/resource.h>
#include <time.h>

/*
 * The functions that this library takes the place of: libc's, or those of the next preloaded library. Until
 * tclk_libc_find() has found them, which may allocate and so must wait for this library's constructor, system calls
 * stand in for them; fork() stands in for vfork().
 */
struct tclk_libc {
    int (*clock_gettime)(clockid_t id, struct timespec *t);
    int (*getrusage)(int who, struct rusage *usage);
    int (*prctl)(int option, ...);
};

extern struct tclk_libc tclk_libc;

/* For preload/vfork.S and preload/syscall.S. */
extern pid_t (*tclk_libc_vfork)(void);
extern long (*tclk_libc_syscall)(long number, ...);

void tclk_libc_find(void);

#endif
