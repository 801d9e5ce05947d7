/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_REFUSAL_H
#define TCLK_CLOCK_REFUSAL_H

/*
 * Why something is refused: all that the library says of it, in one row each. A row has
 *   - the name of the reason;
 *   - the call that the kernel has refused, with its errno, or NULL;
 *   - more, or instead: a format with the verdict's `a` and `b`; or NULL.
 * The command's remedies (Reason.java) and docs/troubleshooting.md go by these texts.
 */
#define TCLK_REFUSALS(ROW)                                                                                             \
    ROW(TCLK_NOT_TRIED, NULL, "not tried")                                                                             \
    ROW(TCLK_ACCEPTED, NULL, "sound here")                                                                             \
    ROW(TCLK_REFUSED_NO_CLOCK, "clock_gettime on the thread's CPU clock", NULL)                                        \
    ROW(TCLK_REFUSED_NO_RECORDS, NULL, "no memory that is wiped on fork (Linux 4.14 or newer), or none at all")        \
    ROW(TCLK_REFUSED_COUNTER_OFF, NULL, "the time-stamp counter is disabled by prctl(PR_SET_TSC)")                     \
    ROW(TCLK_REFUSED_COUNTER_VARIES, NULL, "the time-stamp counter is not invariant (CPUID 0x80000007, EDX bit 8)")    \
    ROW(TCLK_REFUSED_COUNTER_GIVEN_UP, NULL,                                                                           \
        "the kernel has given up the time-stamp counter (no tsc in "                                                   \
        "/sys/devices/system/clocksource/clocksource0/available_clocksource)")                                         \
    ROW(TCLK_REFUSED_COUNTER_STOPS, NULL, "the time-stamp counter does not advance with CLOCK_MONOTONIC_RAW")          \
    ROW(TCLK_REFUSED_COUNTER_SLOW, NULL, "the time-stamp counter takes %d ns, the system call %d ns")                  \
    ROW(TCLK_REFUSED_CLOCK_COARSE, NULL, "the thread's CPU clock stood still between %d of %d readings")               \
    ROW(TCLK_REFUSED_KERNEL, NULL, "Linux %d.%d keeps rseq_cs across a switch inside a system call (since 6.19)")      \
    ROW(TCLK_REFUSED_IDS_KERNEL, NULL,                                                                                 \
        "Linux %d.%d does not write the ids at every switch (since " TCLK_IDS_SINCE ")")                               \
    ROW(TCLK_REFUSED_IDS_OLD, NULL, "Linux %d.%d has the source rseq (up to 6.18)")                                    \
    ROW(TCLK_REFUSED_LIBCS_AREA, NULL,                                                                                 \
        "libc has registered the rseq areas; start the program with GLIBC_TUNABLES=glibc.pthread.rseq=0")              \
    ROW(TCLK_REFUSED_DEBUGGING, NULL,                                                                                  \
        "rseq debugging is on (rseq_cs was cleared by %d of %d sleeps); boot without rseq_debug=1")                    \
    ROW(TCLK_REFUSED_AREA, "rseq", NULL)                                                                               \
    ROW(TCLK_REFUSED_DESCRIPTOR, NULL, "no page for the rseq descriptor")                                              \
    ROW(TCLK_REFUSED_PERF_OPEN, "perf_event_open", NULL)                                                               \
    ROW(TCLK_REFUSED_PERF_MMAP, "mmap of the perf page",                                                               \
        "; raise kernel.perf_event_mlock_kb or the limit of locked memory")                                            \
    ROW(TCLK_REFUSED_SLEEPS_MISSED, NULL, "self-test: %d of %d sleeps went unnoticed")                                 \
    ROW(TCLK_REFUSED_SLEEPS_FEW, NULL,                                                                                 \
        "self-test: only %d of %d sleeps switched the thread out and in again on its CPU")                             \
    ROW(TCLK_REFUSED_CALLS_SEEN, NULL, "self-test: %d of %d calls that switch nothing were taken for switches")        \
    ROW(TCLK_REFUSED_PROC, "/proc/self/task/TID/stat", NULL)                                                           \
    ROW(TCLK_REFUSED_SAMPLE_RATE, NULL, "kernel.perf_event_max_sample_rate=%d; set it to %d or higher")                \
    ROW(TCLK_REFUSED_NO_SAMPLES, NULL, "its perf event takes no samples (see prctl(PR_TASK_PERF_EVENTS_DISABLE))")     \
    ROW(TCLK_REFUSED_SCHEDSTAT, "/proc/thread-self/schedstat", "; run-queue delay is unknown")                         \
    ROW(TCLK_REFUSED_NO_SCHED_INFO, NULL,                                                                              \
        "the kernel counts no run-queue delay (CONFIG_SCHED_INFO; before Linux 5.14 not with nodelayacct), so it is "  \
        "unknown")                                                                                                     \
    ROW(TCLK_REFUSED_WAITS_MOVED, NULL,                                                                                \
        "self-test: %d of %d calls that switch nothing moved run-queue delay or time slices; the kernel is asked "     \
        "each time")                                                                                                   \
    ROW(TCLK_REFUSED_WAITS_MISSED, NULL,                                                                               \
        "self-test: %d of %d sleeps are no time slice; the kernel is asked each time")                                 \
    ROW(TCLK_REFUSED_DEMOTED, NULL, "missed a context switch while in use, and was given up")

#if defined(__x86_64__)
#define TCLK_IDS_SINCE "7.0.10"
#else
#define TCLK_IDS_SINCE "7.1"
#endif

#define TCLK_REFUSAL_NAME(name, call, text) name,

enum tclk_refusal { TCLK_REFUSALS(TCLK_REFUSAL_NAME) TCLK_REFUSAL_COUNT };

struct tclk_verdict {
    enum tclk_refusal refusal;
    int error; /* the errno, if a call was refused */
    int a;
    int b;
};

#endif
