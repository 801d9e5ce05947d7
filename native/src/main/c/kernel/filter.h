/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_FILTER_H
#define TCLK_KERNEL_FILTER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Seccomp filters that kill. A filter may end the process, or the thread, for a system call that it does not know, and
 * a process cannot query its own filter. Ordinary filters know what ordinary programs call; perf_event_open and rseq
 * are not of that kind: systemd's @system-service kills for the former, and did for the latter before 2019.
 *
 * If the thread has no filter (prctl(PR_GET_SECCOMP)), such a call is made at once. If it has one, a child process
 * makes the call first; if the child survives, the thread makes it, too. The child comes from a bare clone(2) that
 * copies the memory, sends no SIGCHLD and leaves no core file. Each call is tried once per process. Copying a large
 * process takes long (25 to 50 ms for 1 GB were seen, and as many page faults afterwards): above
 * TCLK_FILTER_CHILD_MAX_KB, and where /proc does not tell the size, it is only copied for a source that was asked for
 * by name.
 */
#define TCLK_FILTER_CHILD_MAX_KB 524288

/* Results of a trial. They are used like an errno, and are larger than any errno. */
enum {
    TCLK_FILTER_UNASKED = 0,
    TCLK_FILTER_SURVIVED = 1,
    TCLK_FILTER_KILLS = 4096,   /* the child was killed */
    TCLK_FILTER_UNTRIED = 4097, /* there was no child: the process is too large, or clone(2) was refused */
};

/* A system call that a filter may kill for. */
struct tclk_guarded {
    void (*call)(void); /* makes the call; in the child, which ends afterwards */
    uint32_t finding;
};

/* Returns 0 if the calling thread may make the call, else -TCLK_FILTER_KILLS or -TCLK_FILTER_UNTRIED.
 * Async-signal-safe. */
int tclk_filter_permit(struct tclk_guarded *guarded);

/*
 * A filter may also kill for what ordinary programs call, if the process has set it itself, as the sandboxes of
 * browsers do; or if a child that made all calls of readings was killed, or was refused by the filter.
 *
 * From then on, the library makes no call but clock_gettime(CLOCK_THREAD_CPUTIME_ID) and what libc makes anyway (the
 * signal mask; returning memory at a thread's end). Other clocks, usage and files are refused with EPERM here, for
 * good, as a milder filter would refuse them. Threads that have a record go on with it, and others get none.
 *
 * Assumptions:
 *   1. The process sets filters by libc's prctl() or syscall(), and preload/ is in it. Another filter is noticed only
 * if it is there at the first reading.
 *   2. No other thread asks the kernel in a reading at the moment at which a filter is set for all threads.
 */
bool tclk_filter_forbids(void);

/* Call this with 1 before the process sets a filter, and with -1 if it was refused. */
void tclk_filter_count_own(int change);

/* If there is a filter, has a child make the calls of readings, once; a process that is too large goes without. Returns
 * !tclk_filter_forbids(). */
bool tclk_filter_permits_readings(void);

/* While insist is true, a process of any size is copied. Only the thread that runs the self-tests may set it
 * (clock/proof.h). */
void tclk_filter_insist(bool insist);
bool tclk_filter_insists(void);

#endif
