/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_PROC_STAT_H
#define TCLK_KERNEL_PROC_STAT_H

#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * /proc/PID/task/TID/stat (proc(5)): "tid (comm) state ppid …", utime and stime are the 14th and
 * 15th field, in units of 1/sysconf(_SC_CLK_TCK) s (10 ms), adjusted as getrusage's are. starttime is
 * the 22nd, in the same unit, of CLOCK_BOOTTIME. comm is the
 * task's name as the program set it, up to 15 bytes (64 for kernel threads), of any kind:
 * parentheses, spaces, newlines.
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

/* Returns 0, -ESRCH (empty: the task has gone) or -EBADMSG (cut short, or not a stat line). */
int tclk_proc_stat_parse(const char *buf, size_t len, struct tclk_proc_stat *stat);

/* The user time, ns, of a thread of this process. Opens, reads, closes and parses: what JDK 8 to 25
 * do. proc_root is "/proc" but in tests. Returns 0, -ESRCH (no such thread), -EBADMSG or what open(2)
 * answered: -ENOENT where proc_root does not show the calling thread either. */
int tclk_proc_stat_user_ns(const char *proc_root, pid_t tid, int64_t *user_ns);

/* When a thread of this process was started, ns of CLOCK_BOOTTIME, rounded down to 10 ms. As above. */
int tclk_proc_stat_started_ns(const char *proc_root, pid_t tid, int64_t *started_ns);

#endif
