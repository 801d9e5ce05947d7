/* SPDX-License-Identifier: Apache-2.0 */

/* Tests user time on a kernel that counts ticks. */

#include "machine.h"

#include <inttypes.h>
#include <tap.h>

static void smoothed_is_unbiased_in_the_long_run(void)
{
    struct tclk_point start = read_now();
    work_mixed(6 * S, 70);
    is_share(share_since(start), 0.66, 0.74, "smoothed: 70 % of user time over 6 s reads");
}

static void smoothed_tells_alike_requests_apart_from_ticks(void)
{
    double worst = 0;
    for (int i = 0; i < 200; i++) {
        struct tclk_point start = read_now();
        work_mixed(2 * MS, 70);
        double off = share_since(start) - 0.7;
        worst = off > worst ? off : -off > worst ? -off : worst;
    }
    ok(worst < 0.2, "smoothed: requests of 2 ms, 70 %% user, are off by %.3f at worst", worst);
}

static void smoothed_follows_a_long_stretch(void)
{
    struct tclk_point start = read_now();
    machine_run(3000 * MS, SYSTEM_MODE);
    is_share(share_since(start), 0, 0.05, "smoothed: 3 s of system time between two reads read as user time");
}

static int64_t user_after(int64_t past_ns, int past_percent_user, enum machine_mode mode)
{
    work_mixed(past_ns, past_percent_user);
    struct tclk_point start = read_now();
    for (int i = 0; i < 2000; i++) {
        run_and_read(500000, mode);
    }
    return read_now().user_ns - start.user_ns;
}

TEST(smoothed_follows_a_change_of_work)
{
    int64_t after_system_ns = user_after(6 * S, 8, USER_MODE);
    ok(after_system_ns > 950 * MS,
       "smoothed: 1 s of user time, after 6 s of which 8 %% were user "
       "time, reads %.3f s",
       (double)after_system_ns / 1e9);
    int64_t after_user_ns = user_after(6 * S, 92, SYSTEM_MODE);
    ok(after_user_ns < 50 * MS,
       "smoothed: 1 s of system time, after 6 s of which 92 %% were user "
       "time, reads %.3f s of user time",
       (double)after_user_ns / 1e9);
}

/* Half of the work is of each mode, and the tick finds the second one. */
static void work_for_a_tick(enum machine_mode first, enum machine_mode second)
{
    run_and_read(MACHINE_TICK_NS / 2, first);
    machine_run(MACHINE_TICK_NS - machine.raw_ns % MACHINE_TICK_NS + 1000, second);
}

/* The mean error of windows of two ticks, in parts of 1. */
static double off_in_step(int ticks, int ticks_alike)
{
    double sum = 0;
    for (int i = 0; i < ticks; i += 2) {
        struct tclk_point start = read_now();
        bool finds_user = i / ticks_alike % 2 == 0;
        for (int j = 0; j < 2; j++) {
            work_for_a_tick(finds_user ? SYSTEM_MODE : USER_MODE, finds_user ? USER_MODE : SYSTEM_MODE);
        }
        double off = share_since(start) - 0.5;
        sum += off < 0 ? -off : off;
    }
    return sum / (ticks / 2);
}

/* Only its repetition distinguishes such work from a change of work. */
TEST(smoothed_does_not_follow_the_tick)
{
    off_in_step(5000, 26);
    double often = off_in_step(5000, 26);
    ok(often < 0.07,
       "smoothed: a thread of half and half, which ticks find in one of them for 100 "
       "ms at a time, is off by %.3f in 8 ms",
       often);
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
    int64_t times = (int64_t)(machine.usage_reads - asked) - 2000;
    ok(times >= ticks / 2 && times <= 3 * ticks,
       "getrusage is asked once for each switch, and a few times a tick (%" PRId64 " times in %" PRId64 " ticks)",
       times, ticks);
}

TEST(new_thread_starts_at_the_process_share)
{
    machine.process_user_ns = 300 * MS;
    machine.process_system_ns = 700 * MS;
    struct tclk_point now = run_and_read(MS, SYSTEM_MODE);
    is_share(share_between((struct tclk_point){0, 0}, now), 0.29, 0.31,
             "a thread of 1 ms, without a tick of its own, has the process's share");
}

TEST(old_thread_starts_at_its_own_share)
{
    machine.process_user_ns = 300 * MS;
    machine.process_system_ns = 700 * MS;
    machine_run(900 * MS, USER_MODE);
    struct tclk_point now = run_and_read(100 * MS, SYSTEM_MODE);
    is_share(share_between((struct tclk_point){0, 0}, now), 0.89, 0.91,
             "a thread that is first read after 1 s has its own");
}

TEST(split_of_a_running_thread)
{
    smoothed_is_unbiased_in_the_long_run();
    smoothed_tells_alike_requests_apart_from_ticks();
    asks_for_the_split_once_a_tick();
    smoothed_follows_a_long_stretch();
}

TEST(ticks_split_is_raw)
{
    USE(.split = TCLK_SPLIT_TICKS);
    machine_run(MACHINE_TICK_NS, USER_MODE);
    is_ns(tclk_thread_user_ns(), machine.user_ticks * MACHINE_TICK_NS,
          "ticks: whole ticks, as the raw counter has them");
}
