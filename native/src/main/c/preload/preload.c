/* SPDX-License-Identifier: Apache-2.0 */

/*
 * libthreadclock-preload.so takes two things over from libc: the CPU time of threads; and the calls by which a program
 * sets a seccomp filter, which are noted (kernel/filter.h). Everything else, and every error, is libc's. All of it is
 * async-signal-safe, leaves errno as it was unless libc sets it, and works before constructors have run: until this
 * library's own has, libc's answers are passed on.
 */

#include "clock/first_copy.h"
#include "clock/thread.h"
#include "include/threadclock.h"
#include "kernel/clockid.h"
#include "kernel/filter.h"
#include "kernel/fork.h"
#include "preload/libc.h"
#include "preload/vfork.h"

#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/syscall.h>

#define NS_PER_S INT64_C(1000000000)

/* In C these have names of their own: libc's headers promise what a caller may rely on, such as a pointer that is
 * not NULL, and we may not. */
__attribute__((visibility("default"))) int tclk_preload_clock_gettime(clockid_t id,
                                                                      struct timespec *t) __asm__("clock_gettime");
__attribute__((visibility("default"))) int tclk_preload_getrusage(int who, struct rusage *usage) __asm__("getrusage");
__attribute__((visibility("default"))) int tclk_preload_prctl(int option, long a, long b, long c,
                                                              long d) __asm__("prctl");

/* syscall.S calls this for seccomp(2) and prctl(2). */
long tclk_preload_syscall(long number, long a, long b, long c, long d, long e);

static bool is_set_up;

/* ---- reading ---- */

static bool may_answer(void)
{
    return __atomic_load_n(&is_set_up, __ATOMIC_ACQUIRE) && !tclk_vfork_is_child();
}

__attribute__((noinline)) static int64_t own_slowly_ns(void)
{
    return may_answer() ? tclk_thread_cpu_ns() : -1;
}

/* Negative: libc must answer. The same is true of the functions below. */
static inline int64_t own_ns(void)
{
    struct tclk_point now;
    return tclk_thread_extrapolate(&tclk_thread, &now) ? now.cpu_ns : own_slowly_ns();
}

__attribute__((noinline)) static int64_t by_tid_ns(pid_t tid)
{
    return may_answer() ? tclk_tid_cpu_ns(tid) : -1;
}

/* A clock id of pthread_getcpuclockid(3). */
static inline bool is_threads(clockid_t id)
{
    return id < 0 && tclk_clockid_encode(tclk_clockid_tid(id), TCLK_CLOCK_THREAD, TCLK_CLOCK_SCHED) == id;
}

static int64_t thread_ns(clockid_t id)
{
    if (id == CLOCK_THREAD_CPUTIME_ID) {
        return own_ns();
    }
    if (!is_threads(id)) {
        return -1;
    }
    pid_t tid = tclk_clockid_tid(id);
    return tid == 0 || tclk_thread_is(tid) ? own_ns() : by_tid_ns(tid);
}

__attribute__((noinline)) static int gettime(clockid_t id, struct timespec *t)
{
    int64_t ns = t == NULL ? -1 : thread_ns(id);
    if (ns < 0) {
        return tclk_libc.clock_gettime(id, t);
    }
    t->tv_sec = ns / NS_PER_S;
    t->tv_nsec = ns % NS_PER_S;
    return 0;
}

/* The clocks that programs ask for most, CLOCK_REALTIME and CLOCK_MONOTONIC, cost one comparison more than in libc. */
int tclk_preload_clock_gettime(clockid_t id, struct timespec *t)
{
    return (uint32_t)id < CLOCK_THREAD_CPUTIME_ID ? tclk_libc.clock_gettime(id, t) : gettime(id, t);
}

/* Each is rounded down by itself, as the kernel does it, so that neither ever steps back. */
static struct timeval timeval_of(int64_t ns)
{
    return (struct timeval){ns / NS_PER_S, ns % NS_PER_S / 1000};
}

/* The clock is read after the kernel, so that the times are not older than the counts. It does not know how times are
 * divided once a filter forbids to ask. */
int tclk_preload_getrusage(int who, struct rusage *usage)
{
    struct tclk_times times;
    int error = tclk_libc.getrusage(who, usage);
    if (error == 0 && who == RUSAGE_THREAD && !tclk_filter_forbids() && may_answer() && tclk_thread_read(&times) == 0) {
        usage->ru_utime = timeval_of(times.user_ns);
        usage->ru_stime = timeval_of(times.system_ns);
    }
    return error;
}

/* ---- the program's seccomp filters ---- */

/* A filter is counted before it is there, because other threads read meanwhile. A child of vfork() has the program's
 * memory, but its filters are its own. */
static bool count_filter(bool is_coming)
{
    bool is_counted = is_coming && !tclk_vfork_is_child();
    if (is_counted) {
        tclk_clock_count_filter(1);
    }
    return is_counted;
}

static long count_result(bool is_counted, long result)
{
    if (is_counted && result < 0) {
        tclk_clock_count_filter(-1);
    }
    return result;
}

int tclk_preload_prctl(int option, long a, long b, long c, long d)
{
    bool is_counted = count_filter(option == PR_SET_SECCOMP);
    return (int)count_result(is_counted, tclk_libc.prctl(option, a, b, c, d));
}

long tclk_preload_syscall(long number, long a, long b, long c, long d, long e)
{
    bool is_counted =
        count_filter(number == SYS_seccomp ? (unsigned)a <= SECCOMP_SET_MODE_FILTER : a == PR_SET_SECCOMP);
    return count_result(is_counted, tclk_libc_syscall(number, a, b, c, d, e));
}

/* ---- set-up ---- */

/* This runs after the constructor of clock/, which has a priority. */
__attribute__((constructor)) static void library_is_loaded(void)
{
    tclk_libc_find();
    tclk_fork_watch(tclk_vfork_after_fork);
    __atomic_store_n(&is_set_up, true, __ATOMIC_RELEASE);
}
