/* SPDX-License-Identifier: Apache-2.0 */

/* What getrusage(2) says of the calling thread. */

#include "clocks.h"
#include "kernel/usage.h"

#include <pthread.h>
#include <tap.h>

/* Both times are cut to a microsecond. */
#define CUT_NS (2 * US)

static struct tclk_usage usage_now(void)
{
    struct tclk_usage usage = {-1, -1, -1, -1};
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

/* What it is made of is the kernel's affair; that neither is taken for the other is ours. */
static void tells_user_from_system(void)
{
    struct rusage before = usage_of(RUSAGE_THREAD);
    struct tclk_usage usage = usage_now();
    struct rusage after = usage_of(RUSAGE_THREAD);
    ok(ns_of_timeval(before.ru_utime) <= usage.user_ns &&
           usage.user_ns <= ns_of_timeval(after.ru_utime),
       "user time is the kernel's user time");
    ok(ns_of_timeval(before.ru_stime) <= usage.system_ns &&
           usage.system_ns <= ns_of_timeval(after.ru_stime),
       "system time is the kernel's system time");
}

/* One that a hypervisor makes over before it has begun is none. */
#define SLEEPS 10

static void counts_switches(void)
{
    struct tclk_usage before = usage_now();
    for (int i = 0; i < SLEEPS; i++) {
        sleep_ns(100 * US);
    }
    struct tclk_usage after = usage_now();
    int64_t switches = after.voluntary_switches - before.voluntary_switches;
    ok(switches >= SLEEPS / 2 && switches <= SLEEPS, "sleeps are voluntary switches");
    diag("%" PRId64 " switches in %d sleeps", switches, SLEEPS);
    is_ns(tclk_usage_switches(&after), after.voluntary_switches + after.involuntary_switches,
          "all switches are the voluntary and the involuntary ones");
}

static void *in_second_thread(void *unused)
{
    (void)unused;
    is_fresh_after_the_clock();
    return NULL;
}

int main(void)
{
    pthread_t thread;
    spin_cpu_ns(20 * MS);
    is_fresh_after_the_clock();
    pthread_create(&thread, NULL, in_second_thread, NULL);
    pthread_join(thread, NULL);
    is_in_microseconds();
    tells_user_from_system();
    counts_switches();
    return done();
}
