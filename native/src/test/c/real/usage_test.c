/* SPDX-License-Identifier: Apache-2.0 */

/* Tests getrusage(2) for the calling thread, and for the process. */

#include "kernel/usage.h"
#include "real.h"

/* Both times are rounded down to a microsecond. */
#define CUT_NS (2 * US)

static struct tclk_usage usage_now(void)
{
    struct tclk_usage usage = {-1, -1, UINT32_MAX, UINT32_MAX};
    if (tclk_usage_read(&usage) != 0) {
        ok(false, "getrusage(2) answers");
    }
    return usage;
}

static void is_fresh_after_the_clock(void)
{
    int64_t before_ns = kernel_cpu_ns();
    struct tclk_usage usage = usage_now();
    int64_t after_ns = kernel_cpu_ns();
    int64_t all_ns = usage.user_ns + usage.system_ns;
    ok(before_ns - CUT_NS <= all_ns && all_ns <= after_ns,
       "user + system time lies between two readings of the CPU clock");
    diag("%" PRId64 " <= %" PRId64 " <= %" PRId64, before_ns, all_ns, after_ns);
}

static void is_in_microseconds(void)
{
    struct tclk_usage usage = usage_now();
    ok(usage.user_ns % 1000 == 0 && usage.system_ns % 1000 == 0, "times are whole microseconds");
}

/* The kernel decides how to divide the time. This tests that user and system time are not swapped. */
static void tells_user_from_system(void)
{
    struct rusage before = usage_of(RUSAGE_THREAD);
    struct tclk_usage usage = usage_now();
    struct rusage after = usage_of(RUSAGE_THREAD);
    ok(ns_of_timeval(before.ru_utime) <= usage.user_ns && usage.user_ns <= ns_of_timeval(after.ru_utime),
       "user time is the kernel's user time");
    ok(ns_of_timeval(before.ru_stime) <= usage.system_ns && usage.system_ns <= ns_of_timeval(after.ru_stime),
       "system time is the kernel's system time");
}

static bool switches_lie_between(struct rusage before, struct tclk_usage usage, struct rusage after)
{
    return before.ru_nvcsw <= usage.voluntary_switches && usage.voluntary_switches <= after.ru_nvcsw &&
           before.ru_nivcsw <= usage.involuntary_switches && usage.involuntary_switches <= after.ru_nivcsw;
}

/* Counts before and after several sleeps, because a hypervisor may make a sleep end before it begins, which is not a
 * switch. */
#define SLEEPS 10

static void counts_switches(void)
{
    struct rusage begin = usage_of(RUSAGE_THREAD);
    struct tclk_usage before = usage_now();
    struct rusage began = usage_of(RUSAGE_THREAD);
    for (int i = 0; i < SLEEPS; i++) {
        sleep_ns(100 * US);
    }
    struct rusage end = usage_of(RUSAGE_THREAD);
    struct tclk_usage after = usage_now();
    struct rusage ended = usage_of(RUSAGE_THREAD);
    ok(switches_lie_between(begin, before, began) && switches_lie_between(end, after, ended),
       "switches of both kinds are the kernel's");
    ok(after.voluntary_switches > before.voluntary_switches, "sleeps are voluntary ones");
    is_ns(tclk_usage_switches(&after), after.voluntary_switches + after.involuntary_switches,
          "all switches are the voluntary and the involuntary ones");
}

/* The second thread's CPU time belongs to the process and not to this thread, also after it has ended. */
static void tells_of_the_process_what_ended_threads_have_cost(int64_t ended_cpu_ns)
{
    struct tclk_usage process = {-1, -1, UINT32_MAX, UINT32_MAX};
    struct tclk_usage own = usage_now(); /* first, so that what this thread uses next is not the other's */
    struct rusage before = usage_of(RUSAGE_SELF);
    int error = tclk_usage_read_process(&process);
    struct rusage after = usage_of(RUSAGE_SELF);
    ok(error == 0 && ns_of_timeval(before.ru_utime) <= process.user_ns &&
           process.user_ns <= ns_of_timeval(after.ru_utime),
       "the process's user time is the kernel's user time of all threads");
    ok(ns_of_timeval(before.ru_stime) <= process.system_ns && process.system_ns <= ns_of_timeval(after.ru_stime),
       "its system time is the kernel's system time of all threads");
    int64_t others_ns = process.user_ns + process.system_ns - own.user_ns - own.system_ns;
    ok(others_ns >= ended_cpu_ns - CUT_NS, "it has the CPU time of a thread that has ended");
    diag("%" PRId64 " ns of others >= %" PRId64 " ns", others_ns, ended_cpu_ns);
}

static int64_t second_cpu_ns;

static void in_second_thread(void)
{
    spin_cpu_ns(20 * MS);
    is_fresh_after_the_clock();
    second_cpu_ns = kernel_cpu_ns();
}

int main(void)
{
    spin_cpu_ns(20 * MS);
    is_fresh_after_the_clock();
    test_in_thread(in_second_thread);
    is_in_microseconds();
    tells_user_from_system();
    tells_of_the_process_what_ended_threads_have_cost(second_cpu_ns);
    counts_switches();
    return done();
}
