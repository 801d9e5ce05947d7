/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_SCHEDSTAT_H
#define TCLK_KERNEL_SCHEDSTAT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * /proc/thread-self/schedstat (proc(5), since Linux 3.17) and /proc/self/task/TID/schedstat
 * (Documentation/scheduler/sched-stats.rst): three numbers of a thread. The second and the third move only when the
 * kernel switches the thread in.
 *
 * A kernel without CONFIG_SCHED_INFO writes "0 0 0". Before 5.14, so does one with CONFIG_TASK_DELAY_ACCT alone that
 * was booted with `nodelayacct`. A thread that reads this file has been switched in at least once, so no time slices
 * mean that nothing is known. A thread that has never been switched in has no time slices either.
 */
struct tclk_schedstat {
    uint64_t run_ns;     /* on a CPU; up to the last tick or switch */
    uint64_t delay_ns;   /* runnable, and waiting for a CPU */
    uint64_t timeslices; /* times that the thread was switched in */
};

#define TCLK_SCHEDSTAT_OF_CALLER "/proc/thread-self/schedstat"

/* Longer than any line a kernel writes: three numbers of at most 20 digits. */
#define TCLK_SCHEDSTAT_MAX 64

/* Returns 0; -ENODATA (no time slice: the kernel does not count); or -EBADMSG (cut short, or not a schedstat line). */
int tclk_schedstat_parse(const char *buf, size_t len, struct tclk_schedstat *stat);

/* Reads the calling thread's file; `path` is TCLK_SCHEDSTAT_OF_CALLER except in tests. Opens, reads and closes it:
 * three system calls. Async-signal-safe. Returns as tclk_schedstat_parse(), or the error of openat(2) or read(2). *stat
 * is untouched on error. */
int tclk_schedstat_read(const char *path, struct tclk_schedstat *stat);

/* Reads the file of a thread of this process. Opens, reads and closes it. Returns as tclk_schedstat_parse() (-ENODATA
 * also if the thread has not been switched in yet) or as tclk_task_file_read(). */
int tclk_schedstat_read_thread(const char *proc_root, pid_t tid, struct tclk_schedstat *stat);

#endif
