/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCURACY_WORK_H
#define ACCURACY_WORK_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Work whose division into user and system time is known. It is counted, never timed: a loop that runs
 * until a clock says stop locks to the ticks, and errors of 20 points that nobody has come out of it.
 */

/* Computes: no system call, no memory. */
void work_spin(int64_t iterations);

/* Reads so many bytes of zeroes, in one system call: all of it is system time but the call itself. */
#define WORK_COPY_MAX (512 * 1024)
void work_copy(int64_t bytes);

/* Loops of system calls. */
enum work_call {
    WORK_GETPPID,
    WORK_PREAD, /* 4 KiB of a file in memory */
    WORK_WRITE, /* 4 KiB to /dev/null */
    WORK_MMAP,  /* maps 64 KiB, writes to each page, unmaps */
    WORK_CALLS
};

/* Makes `times` calls. If `is_real` is false, the loop is the same, but each call into the kernel is replaced by one
 * that returns at once: this is what the loop costs in user mode. */
void work_call(enum work_call call, bool is_real, int64_t times);

/* As work_call(). Reads the counter before and after each call into the kernel, and returns the sum of the counts in
 * between. (For WORK_MMAP, a page fault is such a call.) */
uint64_t work_call_bracketed(enum work_call call, bool is_real, int64_t times);

/* Opens what the others need. Returns 0 or -errno. */
int work_prepare(void);

#endif
