/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_CLOCKS_H
#define TCLK_TEST_CLOCKS_H

/* The kernel's clocks, read through libc alone, with which our readings are compared. */

#include "kind.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

#define US INT64_C(1000)
#define MS INT64_C(1000000)
#define S INT64_C(1000000000)

static inline int64_t ns_of_timespec(struct timespec t)
{
    return t.tv_sec * S + t.tv_nsec;
}

static inline int64_t ns_of_timeval(struct timeval t)
{
    return t.tv_sec * S + t.tv_usec * US;
}

static inline int64_t clock_now_ns(clockid_t id)
{
    struct timespec t = {0};
    clock_gettime(id, &t);
    return ns_of_timespec(t);
}

/* Past libc and the vDSO, whose clocks a preloaded library may have taken the place of, or which may be forbidden. */
static inline int64_t kernel_clock_ns(clockid_t id)
{
    struct timespec t = {0};
    syscall(SYS_clock_gettime, id, &t);
    return ns_of_timespec(t);
}

/* CPU time of the calling thread. */
static inline int64_t kernel_cpu_ns(void)
{
    return clock_now_ns(CLOCK_THREAD_CPUTIME_ID);
}

static inline int64_t wall_ns(void)
{
    return clock_now_ns(CLOCK_MONOTONIC);
}

static inline struct rusage usage_of(int who)
{
    struct rusage usage = {0};
    getrusage(who, &usage);
    return usage;
}

/* User time of the calling thread as the kernel adjusts it; up to date after kernel_cpu_ns(). */
static inline int64_t kernel_user_ns(void)
{
    return ns_of_timeval(usage_of(RUSAGE_THREAD).ru_utime);
}

/* The number of times that the calling thread has been switched out. */
static inline int64_t switches_now(void)
{
    struct rusage usage = usage_of(RUSAGE_THREAD);
    return usage.ru_nvcsw + usage.ru_nivcsw;
}

static inline void sleep_ns(int64_t ns)
{
    struct timespec t = {.tv_sec = ns / S, .tv_nsec = ns % S};
    while (nanosleep(&t, &t) != 0) {
    }
}

/* A reading may be ahead by this much: it counts what a hypervisor takes from a thread, and the kernel need not, up
 * to the end of the default window, when the kernel is asked again. The gate does not judge how far it is ahead. */
static inline int64_t ahead_most_ns(void)
{
    return kind_is_gate() ? INT64_MAX / 2 : 5 * MS;
}

/* Computes for this long, without a system call (CLOCK_MONOTONIC is in the vDSO). */
static inline void spin_wall_ns(int64_t ns)
{
    int64_t end_ns = wall_ns() + ns;
    while (wall_ns() < end_ns) {
    }
}

/* Computes for this much CPU time, or up to SPIN_STEP_NS more. */
#define SPIN_STEP_NS (100 * US)

static inline void spin_cpu_ns(int64_t ns)
{
    int64_t end_ns = kernel_cpu_ns() + ns;
    while (kernel_cpu_ns() < end_ns) {
        spin_wall_ns(SPIN_STEP_NS);
    }
}

static inline void spin_times(int64_t times)
{
    for (volatile int64_t i = 0; i < times; i++) {
    }
}

static inline int zeroes_fd(void)
{
    static int fd = -1;
    if (__atomic_load_n(&fd, __ATOMIC_RELAXED) < 0) {
        __atomic_store_n(&fd, open("/dev/zero", O_RDONLY | O_CLOEXEC), __ATOMIC_RELAXED);
    }
    return __atomic_load_n(&fd, __ATOMIC_RELAXED);
}

/* Works in the kernel: copies 64 KiB so many times. Not by read(), for which AddressSanitizer checks all of it, which
 * is user time. */
static inline void copy_zeroes(int64_t times)
{
    static _Thread_local char zeroes[1 << 16];
    for (int64_t i = 0; i < times; i++) {
        if (syscall(SYS_read, zeroes_fd(), zeroes, sizeof zeroes) != sizeof zeroes) {
            exit(2);
        }
    }
}

/* The calling thread takes this signal, or does not: SIG_UNBLOCK, SIG_BLOCK. */
static inline void signal_mask(int how, int number)
{
    sigset_t set;
    sigemptyset(&set);
    sigaddset(&set, number);
    pthread_sigmask(how, &set, NULL);
}

/* SIGALRM comes at this period of wall time, to any thread that does not block it; 0: no longer. */
static inline void set_alarms(int period_us, void (*handler)(int))
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART};
    struct itimerval timer = {{0, period_us}, {0, period_us}};
    sigaction(SIGALRM, &action, NULL);
    setitimer(ITIMER_REAL, &timer, NULL);
}

#endif
