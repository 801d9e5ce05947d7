/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_CLOCKID_H
#define TCLK_KERNEL_CLOCKID_H

/*
 * Dynamic CPU clock ids (clock_gettime(2), since Linux 2.6.12).
 *
 * A negative clockid_t names the CPU clock of a thread or process:
 *     bits 31..3  ~tid (or ~pid); ~0 means "the caller", which skips the look-up of the task
 *     bit  2      1 = that thread alone, 0 = the whole process
 *     bits 1..0   the kind, below; 3 would be a file descriptor's clock, not a CPU clock
 */

#include <errno.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

_Static_assert(sizeof(clockid_t) == 4, "the kernel's clock id is 32 bits wide");
_Static_assert((clockid_t)-1 < 0, "CPU clock ids are negative");
_Static_assert(sizeof(pid_t) == 4, "a tid is 32 bits wide");

enum tclk_clock_kind {
    TCLK_CLOCK_PROF = 0,  /* user + system ticks */
    TCLK_CLOCK_VIRT = 1,  /* user ticks, unadjusted: what JDK 26 reads */
    TCLK_CLOCK_SCHED = 2, /* the scheduler's sum of run time: exact */
};

enum tclk_clock_scope {
    TCLK_CLOCK_PROCESS = 0,
    TCLK_CLOCK_THREAD = 4,
};

/* All tids are smaller than this: the kernel's PID_MAX_LIMIT. */
#define TCLK_TIDS (1u << 22)

/* Encodes a clockid; tid (or pid) 0 is the caller. All tids fit, but not all values of pid_t. */
static inline clockid_t tclk_clockid_encode(pid_t tid, enum tclk_clock_scope scope, enum tclk_clock_kind kind)
{
    return (clockid_t)((~(uint32_t)tid << 3) | (uint32_t)scope | (uint32_t)kind);
}

/* The tid (or pid) of a negative clockid; 0 is the caller. */
static inline pid_t tclk_clockid_tid(clockid_t id)
{
    return (pid_t) ~(uint32_t)(id >> 3);
}

/* One system call. Returns 0, -EINVAL (this process cannot see such a task), or -EPERM (a filter forbids all but
 * CLOCK_THREAD_CPUTIME_ID: kernel/filter.h); *ns is untouched on error, errno always. */
int tclk_clock_read(clockid_t id, int64_t *ns);

/* Reads a clock of a thread of this process; tid 0 is the caller. Returns 0, -ESRCH (there is no such thread (any
 * more), or the number cannot be a tid), or -EPERM. The caller's CPU time is read as programs read it, because seccomp
 * filters may know no other id. */
static inline int tclk_clock_read_thread(pid_t tid, enum tclk_clock_kind kind, int64_t *ns)
{
    if ((uint32_t)tid >= TCLK_TIDS) {
        return -ESRCH;
    }
    if (tid == 0 && kind == TCLK_CLOCK_SCHED) {
        return tclk_clock_read(CLOCK_THREAD_CPUTIME_ID, ns);
    }
    int error = tclk_clock_read(tclk_clockid_encode(tid, TCLK_CLOCK_THREAD, kind), ns);
    return error == -EINVAL && tid != 0 ? -ESRCH : error;
}

static inline int tclk_clock_read_own(enum tclk_clock_kind kind, int64_t *ns)
{
    return tclk_clock_read_thread(0, kind, ns);
}

/* The length of a clock tick, 1/HZ, in ns. It is the resolution of the coarse clocks. */
int64_t tclk_clock_tick_ns(void);

#endif
