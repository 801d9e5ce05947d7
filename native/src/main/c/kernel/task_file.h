/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_TASK_FILE_H
#define TCLK_KERNEL_TASK_FILE_H

#include <stddef.h>
#include <sys/types.h>

/*
 * The files of a thread of this process: /proc/self/task/TID/NAME (proc(5)). proc_root is "/proc" except in tests. Both
 * open, read and close the file, and are async-signal-safe. They return 0; -ESRCH (no such thread in this process: it
 * may have ended); or the error of openat(2) or read(2): -ENOENT if proc_root does not show the calling thread either.
 * *len is 0 on error.
 */

/* Reads the beginning of the file, in one call. */
int tclk_task_file_read(const char *proc_root, pid_t tid, const char *name, char *buf, size_t size, size_t *len);

/* Reads the whole file, and leaves its end in `buf`: at least size / 2 bytes of it, or all of it. The kernel makes the
 * text of a whole file at the first read, so that the end belongs to the same moment. */
int tclk_task_file_read_end(const char *proc_root, pid_t tid, const char *name, char *buf, size_t size, size_t *len);

#endif
