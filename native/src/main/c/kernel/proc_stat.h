/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_PROC_STAT_H
#define TCLK_KERNEL_PROC_STAT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * /proc/PID/task/TID/stat (proc(5)): "tid (comm) state ppid …", The 14th and 15th field are utime and stime, in units
 * of 1/sysconf(_SC_CLK_TCK) s (10 ms), adjusted as getrusage's are. The 22nd is starttime, in the same unit, by
 * CLOCK_BOOTTIME. comm is the task's name as the program set it, up to 15 bytes (64 for kernel threads), and may
 * contain any bytes: parentheses, spaces, newlines.
 */
struct tclk_proc_stat {
    pid_t tid;
    const char *comm; /* inside the buffer; not terminated */
    size_t comm_len;
    char state;
    uint64_t utime_ticks;
    uint64_t stime_ticks;
    uint64_t starttime_ticks;
};

/* Longer than any line a kernel writes: 52 numbers of at most 20 digits and a comm of 64 bytes. */
#define TCLK_PROC_STAT_MAX 1280

/* Returns 0, -ESRCH (empty: the thread has ended) or -EBADMSG (cut short, or not a stat line). */
int tclk_proc_stat_parse(const char *buf, size_t len, struct tclk_proc_stat *stat);

/* Reads the user time of a thread of this process, in ns. Opens, reads, parses and closes the file, as JDK 8 to 25
 * do. proc_root is "/proc" except in tests. Returns 0, -ESRCH (no such thread), -EBADMSG, or the error of open(2):
 * -ENOENT if proc_root does not show the calling thread either. */
int tclk_proc_stat_user_ns(const char *proc_root, pid_t tid, int64_t *user_ns);

/* Reads when a thread of this process was started, in ns of CLOCK_BOOTTIME, rounded down to 10 ms. Returns as
 * tclk_proc_stat_user_ns(). */
int tclk_proc_stat_started_ns(const char *proc_root, pid_t tid, int64_t *started_ns);

#endif
