/* SPDX-License-Identifier: Apache-2.0 */

/* How user time comes out on a kernel that accounts by ticks. */

#include "machine.h"

#include <tap.h>

#define MS INT64_C(1000000)

static void configure(enum tclk_split split, enum tclk_source source)
{
    struct tclk_config config = {.source = source, .split = split};
    ok(tclk_clock_configure(&config) == 0, "split %d is to be had", (int)split);
}

static double share_since(struct tclk_point from)
{
    struct tclk_point now = read_now();
    return (double)(now.user_ns - from.user_ns) / (double)(now.cpu_ns - from.cpu_ns);
}

static void work(int64_t user_ns, int64_t system_ns)
{
    machine_run(user_ns, USER_MODE);
    read_now();
    machine_run(system_ns, SYSTEM_MODE);
    read_now();
}

static void sum_is_cpu_time(void)
{
    struct tclk_times times;
    int wrong = 0;
    for (int i = 0; i < 1000; i++) {
        work(30000, 20000);
        tclk_thread_read(&times);
        wrong += times.user_ns + times.system_ns != times.cpu_ns || times.system_ns < 0;
    }
    is_ns(wrong, 0, "user time + system time = CPU time, in each of 1000 readings");
}

/* 70 us and 30 us: the period of 100 us and the tick of 4 ms would be in step, so that ticks would see
 * one of the two alone; 97 us are not. */
static void smoothed_is_unbiased_in_the_long_run(void)
{
    struct tclk_point start = read_now();
    for (int i = 0; i < 60000; i++) {
        work(67900, 29100);
    }
    double share = share_since(start);
    ok(share > 0.66 && share < 0.74, "smoothed: 70 %% of user time over 6 s reads %.3f", share);
}

static void smoothed_tells_alike_requests_apart_from_ticks(void)
{
    double worst = 0;
    for (int i = 0; i < 200; i++) {
        struct tclk_point start = read_now();
        for (int j = 0; j < 20; j++) {
            work(67900, 29100);
        }
        double off = share_since(start) - 0.7;
        worst = off > worst ? off : -off > worst ? -off : worst;
    }
    ok(worst < 0.2, "smoothed: requests of 2 ms, 70 %% user, are off by %.3f at worst", worst);
}

static void smoothed_follows_a_long_stretch(void)
{
    struct tclk_point start = read_now();
    machine_run(3000 * MS, SYSTEM_MODE);
    double share = share_since(start);
    ok(share < 0.05, "smoothed: 3 s of system time between two reads read %.3f user", share);
}

static void asks_for_the_split_once_a_tick(void)
{
    read_now();
    uint64_t asked = machine.usage_reads;
    int64_t start_ns = machine.cpu_ns;
    for (int i = 0; i < 2000; i++) {
        machine_run(20000, USER_MODE);
        machine_preempt(1000);
        read_now();
    }
    int64_t ticks = (machine.cpu_ns - start_ns) / MACHINE_TICK_NS + 1;
    int64_t times = (int64_t)(machine.usage_reads - asked);
    ok(times <= ticks && times >= ticks / 2,
       "getrusage is asked once a tick of CPU time, however many switches (%" PRId64
       " times in %" PRId64 " ticks)",
       times, ticks);
}

static void new_thread_starts_at_the_process_share(void)
{
    machine.process_user_ns = 300 * MS;
    machine.process_system_ns = 700 * MS;
    machine_run(MS, SYSTEM_MODE);
    struct tclk_point now = read_now();
    double share = (double)now.user_ns / (double)now.cpu_ns;
    ok(share > 0.29 && share < 0.31,
       "a thread of 1 ms, without a tick of its own, has the process's share (%.3f)", share);
}

static void old_thread_starts_at_its_own_share(void)
{
    machine.process_user_ns = 300 * MS;
    machine.process_system_ns = 700 * MS;
    machine_run(900 * MS, USER_MODE);
    machine_run(100 * MS, SYSTEM_MODE);
    struct tclk_point now = read_now();
    double share = (double)now.user_ns / (double)now.cpu_ns;
    ok(share > 0.89 && share < 0.91, "a thread that is first read after 1 s has its own (%.3f)",
       share);
}

static void kernel_split_is_the_kernels(void)
{
    configure(TCLK_SPLIT_KERNEL, TCLK_SOURCE_AUTO);
    machine_run(40 * MS, USER_MODE);
    read_now();
    machine_run(60 * MS, SYSTEM_MODE);
    struct tclk_point now = read_now();
    double share = (double)now.user_ns / (double)now.cpu_ns;
    ok(share > 0.39 && share < 0.42, "kernel: 40 ms of user time, then 60 of system: %.3f", share);
}

static void ticks_split_is_raw(void)
{
    configure(TCLK_SPLIT_TICKS, TCLK_SOURCE_AUTO);
    machine_run(MACHINE_TICK_NS, USER_MODE);
    is_ns(tclk_thread_user_ns(), machine.user_ticks * MACHINE_TICK_NS,
          "ticks: whole ticks, as the raw counter has them");
}

static void split_of_a_running_thread(void)
{
    configure(TCLK_SPLIT_SMOOTHED, TCLK_SOURCE_AUTO);
    sum_is_cpu_time();
    smoothed_is_unbiased_in_the_long_run();
    smoothed_tells_alike_requests_apart_from_ticks();
    asks_for_the_split_once_a_tick();
    smoothed_follows_a_long_stretch();
}

int main(void)
{
    machine_boot();
    in_fresh_process(split_of_a_running_thread);
    in_fresh_process(new_thread_starts_at_the_process_share);
    in_fresh_process(old_thread_starts_at_its_own_share);
    in_fresh_process(kernel_split_is_the_kernels);
    in_fresh_process(ticks_split_is_raw);
    return done();
}
