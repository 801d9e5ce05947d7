/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the split `smoothed` for work in step with the clock tick, where ticks cannot be trusted. */

#include "clock/divide/tick_test.h"
#include "clock/observe.h"
#include "kernel/tid.h"
#include "machine.h"
#include "random.h"
#include "stats.h"

#include <string.h>
#include <tap.h>

#define EACCES_NUMBER 13

/* ---- work ---- */

/* Rounds of 97 us, so that they are not in step with the tick. */
static void work_mixed(int64_t cpu_ns, int percent_user)
{
    for (int64_t done_ns = 0; done_ns < cpu_ns; done_ns += 97 * US) {
        machine_run(97 * US * percent_user / 100, USER_MODE);
        read_now();
        machine_run(97 * US - 97 * US * percent_user / 100, SYSTEM_MODE);
        read_now();
    }
}

static void sleep_until_phase(int64_t phase_ns)
{
    machine_sleep(MACHINE_TICK_NS - (machine.raw_ns - phase_ns) % MACHINE_TICK_NS);
}

/* Runs bursts of user time and then system time, at a phase of the tick. Returns the share that is told. */
static double bursts(int times, int64_t phase_ns, int64_t user_ns, int64_t system_ns)
{
    int64_t told_ns = 0;
    int64_t cpu_ns = 0;
    for (int i = 0; i < times; i++) {
        sleep_until_phase(phase_ns);
        struct tclk_point from = read_now();
        machine_run(user_ns, USER_MODE);
        machine_run(system_ns, SYSTEM_MODE);
        machine.mode = USER_MODE; /* the library's own time comes next */
        struct tclk_point to = read_now();
        told_ns += to.user_ns - from.user_ns;
        cpu_ns += to.cpu_ns - from.cpu_ns;
    }
    return (double)told_ns / (double)cpu_ns;
}

/* ---- shares ---- */

static void trap_is_seen_through(int percent_user_before)
{
    double worst = 1;
    work_mixed(500 * MS, percent_user_before);
    double first = bursts(100, 100 * US, 300 * US, 0);
    for (int phase = 1; phase < 16; phase++) {
        double share = bursts(100, phase * MACHINE_TICK_NS / 16, 300 * US, 0);
        worst = share < worst ? share : worst;
    }
    ok(first > 0.92, "after a past of %d %% user, the first 100 bursts of user time read %.3f", percent_user_before,
       first);
    ok(worst > 0.95, "…and the others %.3f at worst", worst);
    is_ns(stats_now().threads_suspected, 1, "the thread is suspected");
    clock_says("the clock ticks of 1 threads cannot be trusted now; they are sampled at times");
}

TEST(trap_after_user_time)
{
    trap_is_seen_through(98);
}

TEST(trap_after_mixed_work)
{
    trap_is_seen_through(60);
}

TEST(trap_after_system_time)
{
    trap_is_seen_through(5);
}

TEST(trap_from_birth)
{
    machine.process_system_ns = 10 * S;
    bursts(100, MS, 300 * US, 0);
    double share = bursts(100, MS, 300 * US, 0);
    ok(share > 0.95, "a thread in step with the tick from its birth reads %.3f", share);
}

/* Each burst has 300 us of user time, and a wait after it takes as much system time as waits do. */
static struct tclk_point bursts_and_waits(int times)
{
    struct tclk_point sum = {0, 0};
    for (int i = 0; i < times; i++) {
        sleep_until_phase(MS);
        machine_run(20 * US, SYSTEM_MODE);
        machine.mode = USER_MODE;
        struct tclk_point from = read_now();
        machine_run(300 * US, USER_MODE);
        struct tclk_point to = read_now();
        sum.user_ns += to.user_ns - from.user_ns;
        sum.cpu_ns += to.cpu_ns - from.cpu_ns;
        machine_run(20 * US, SYSTEM_MODE);
    }
    return sum;
}

static double share_of(struct tclk_point sum)
{
    return (double)sum.user_ns / (double)sum.cpu_ns;
}

/* The waits take 12 points of the whole. Samples cannot tell a burst between two readings from the wait after it. */
TEST(bursts_have_the_share_of_all)
{
    work_mixed(500 * MS, 50);
    bursts_and_waits(300);
    struct tclk_point from = read_now();
    double share = share_of(bursts_and_waits(2000));
    double all = share_since(from);
    ok(share > 0.85 && share < 0.91, "bursts between two readings have the share of all: %.3f", share);
    ok(all > 0.85 && all < 0.91, "which is 0.88, waits included: %.3f", all);
}

/* The tick finds only the user part, each time. */
TEST(crowded_ticks_are_seen_through)
{
    work_mixed(500 * MS, 50);
    bursts(200, MACHINE_TICK_NS - 100 * US, 200 * US, 800 * US);
    double share = bursts(1000, MACHINE_TICK_NS - 100 * US, 200 * US, 800 * US);
    ok(share > 0.15 && share < 0.27, "a share of 0.2 that ticks take for 1 reads %.3f", share);
}

/* Reads as seldom as a bout of a frequent reader lasts, and ten times as seldom. */
TEST(seldom_reader_is_sampled_seldom)
{
    work_mixed(500 * MS, 50);
    struct tclk_point from = read_now();
    for (int i = 0; i < 300; i++) {
        if (i == 100) {
            from = read_now();
        }
        for (int j = 0; j < 100; j++) {
            sleep_until_phase(MS);
            machine_run(300 * US, USER_MODE);
        }
        read_now();
    }
    double share = share_since(from);
    ok(share > 0.95, "a thread that reads each 30 ms of its CPU time reads %.3f", share);
    is_ns(stats_now().threads_suspected, 1, "by its bouts");
}

/* Works for two hours of CPU time after trust began again. */
TEST(trust_lasts)
{
    work_mixed(500 * MS, 50);
    bursts(1000, MS, 300 * US, 0);
    work_mixed(1000 * MS, 30);
    struct tclk_point from = read_now();
    for (int64_t i = 0; i < 7200 * S / (10 * MS); i++) {
        machine_run(10 * MS, i % 10 < 3 ? USER_MODE : SYSTEM_MODE);
        read_now();
    }
    double share = share_since(from);
    ok(share > 0.28 && share < 0.32, "30 %% of user time over 2 h read %.3f", share);
}

TEST(change_of_work_is_followed)
{
    work_mixed(500 * MS, 50);
    bursts(1000, MS, 300 * US, 0);
    bursts(300, MS, 0, 300 * US);
    double share = bursts(300, MS, 0, 300 * US);
    ok(share < 0.05, "90 ms after its bursts have become system time they read %.3f user", share);
}

/* ---- the end of suspicion ---- */

TEST(ticks_are_trusted_again)
{
    work_mixed(500 * MS, 50);
    bursts(1000, MS, 300 * US, 0);
    work_mixed(1000 * MS, 30);
    is_ns(stats_now().threads_suspected, 0, "work out of step is not suspected any more");
    is_ns(machine.sample_events, 0, "it is not sampled");
    int64_t opens = machine.sample_opens;
    struct tclk_point from = read_now();
    work_mixed(5 * S, 30);
    double share = share_since(from);
    ok(share > 0.26 && share < 0.34, "30 %% of user time reads %.3f, whatever ticks said before", share);
    is_ns(machine.sample_opens - opens, 0, "…without samples");
}

/* Threads that compute beside it take turns with it at ticks, and one tick in three finds one of them. */
TEST(missed_ticks_take_no_user_time)
{
    work_mixed(500 * MS, 50);
    bursts(1000, MS, 300 * US, 0);
    work_mixed(1000 * MS, 100);
    is_ns(stats_now().threads_suspected, 0, "ticks are trusted again");
    struct tclk_point from = read_now();
    for (int i = 0; i < 60; i++) {
        work_mixed(3 * MACHINE_TICK_NS, 100);
        machine_preempt(MACHINE_TICK_NS);
        machine.user_ticks--;
    }
    double share = share_since(from);
    is_ns(stats_now().threads_suspected, 0, "…though one in three misses the thread,");
    ok(share > 0.97, "and they do not turn its user time into system time: %.3f", share);
}

TEST(steady_threads_are_left_alone)
{
    for (int percent = 0; percent <= 100; percent += 10) {
        work_mixed(5 * S, percent);
    }
    is_ns(stats_now().threads_suspected, 0, "steady work is not suspected");
    is_ns(machine.sample_opens, 0, "and never sampled");
}

/* ---- cost ---- */

static uint64_t calls_of_steady_work(void)
{
    work_mixed(S, 30);
    uint64_t before = machine.calls;
    work_mixed(4 * S, 30);
    return machine.calls - before;
}

TEST(asks_little_more_than_kernel)
{
    uint64_t smoothed = calls_of_steady_work();
    USE(.split = TCLK_SPLIT_KERNEL);
    uint64_t kernel = calls_of_steady_work();
    uint64_t ticks = 4 * S / MACHINE_TICK_NS;
    ok(smoothed <= kernel + ticks / TCLK_TICK_TEST_LOOK_TICKS,
       "the test of the ticks takes a system call more in three ticks: %d, and by the split kernel "
       "%d",
       (int)smoothed, (int)kernel);
}

#define SAMPLE_COST_NS (20 * US)

TEST(costs_one_part_in_a_hundred)
{
    machine.sample_cost_ns = SAMPLE_COST_NS;
    work_mixed(500 * MS, 50);
    bursts(100, MS, 300 * US, 0);
    int64_t samples = machine.samples;
    int64_t from_ns = machine.cpu_ns;
    bursts(10000, MS, 300 * US, 0);
    double part = (double)(machine.samples - samples) * SAMPLE_COST_NS / (double)(machine.cpu_ns - from_ns);
    ok(part > 0.002 && part < 0.01, "3 s of suspected work are sampled for %.2f %% of it", part * 100);
}

/* The thread stops reading in a bout. */
TEST(bout_ends_without_the_thread)
{
    work_mixed(500 * MS, 50);
    for (int i = 0; machine.sample_events == 0 && i < 1000; i++) {
        bursts(1, MS, 300 * US, 0);
    }
    int64_t samples = machine.samples;
    machine_run(10 * S, USER_MODE);
    ok(machine.samples - samples <= 64, "a thread that reads no more gets %d samples in 10 s",
       (int)(machine.samples - samples));
    double share = bursts(1000, MS, 300 * US, 0);
    ok(share > 0.9, "…and is sampled when it reads again: %.3f", share);
}

/* ---- the laws ---- */

/* The law is every test\'s. */
static void read_at_random(int times)
{
    for (int i = 0; i < times; i++) {
        enum machine_mode mode = random_next() % 4 != 0 ? USER_MODE : SYSTEM_MODE;
        if (random_next() % 8 != 0) {
            sleep_until_phase(MS);
        }
        machine_run((int64_t)(random_next() % (UINT64_C(1) << random_next() % 21)), mode);
        if (random_next() % 16 == 0) {
            machine_preempt(10 * US);
        }
        machine.mode = USER_MODE; /* the library's own time comes next */
        if (random_next() % 4 == 0) {
            observe_own();
        }
        read_now();
    }
}

TEST(curve_keeps_the_law)
{
    read_at_random(200000);
    ok(machine.sample_opens > 10, "%d bouts began among them", (int)machine.sample_opens);
}

TEST(curve_keeps_the_law_without_samples)
{
    machine.sample_error = EACCES_NUMBER;
    read_at_random(200000);
}

TEST(observers_take_its_share)
{
    work_mixed(500 * MS, 10);
    bursts(1000, MS, 300 * US, 0);
    struct tclk_point from = observe_own();
    machine_run(50 * MS, USER_MODE);
    machine.user_ticks -= 12; /* in step with the tick, too */
    struct tclk_point to = observe_own();
    double share = share_between(from, to);
    ok(share > 0.9, "other threads go on at its share: %.3f", share);
}

/* ---- bouts that fail ---- */

TEST(refused_goes_by_the_rule)
{
    machine.sample_error = EACCES_NUMBER;
    work_mixed(500 * MS, 30);
    bursts(100, MS, 300 * US, 0);
    double share = bursts(300, MS, 300 * US, 0);
    ok(share > 0.95, "without perf events a thread that gets no ticks is in user mode: %.3f", share);
    is_ns(stats_now().threads_unsampled, 1, "the text says that the thread cannot be sampled");
    clock_says("the clock ticks of 1 threads cannot be trusted now; 1 cannot be sampled: "
               "perf_event_open refused: EACCES (13)");
    int64_t opens = machine.sample_opens;
    bursts(1000, MS, 300 * US, 0);
    is_ns(machine.sample_opens - opens, 0, "nobody tries again");
    work_mixed(S, 30);
    is_ns(stats_now().threads_suspected, 0, "until ticks come again");
    struct tclk_point from = read_now();
    work_mixed(5 * S, 30);
    share = share_since(from);
    ok(share > 0.26 && share < 0.34, "30 %% of user time reads %.3f then", share);
}

TEST(slow_limit_is_refused)
{
    machine.sample_rate_max = 1000;
    work_mixed(500 * MS, 30);
    bursts(200, MS, 300 * US, 0);
    clock_says("1 cannot be sampled: kernel.perf_event_max_sample_rate=1000; set it to 22222");
    is_ns(machine.sample_opens, 0, "without an event");
}

TEST(kernels_split_is_not_tested)
{
    USE(.split = TCLK_SPLIT_KERNEL);
    work_mixed(500 * MS, 60);
    bursts(1000, MS, 300 * US, 0);
    is_ns(stats_now().threads_suspected, 0, "split kernel: nothing is suspected");
    is_ns(machine.sample_opens, 0, "nor sampled");
}

/* The notes of one split must mean nothing to another, in each state of the thread. */
TEST(splits_change_all_the_time)
{
    static const enum tclk_split splits[] = {TCLK_SPLIT_SMOOTHED, TCLK_SPLIT_KERNEL};
    work_mixed(500 * MS, 60);
    for (int i = 0; i < 400; i++) {
        USE(.split = splits[i % 2]);
        read_at_random(50);
        bursts(20, MS, 300 * US, 0);
        if (i % 7 == 0) {
            work_mixed(150 * MS, 40);
        }
    }
    ok(machine.sample_opens > 10, "splits change in each state, and %d bouts began", (int)machine.sample_opens);
}

TEST(another_split_ends_the_bout)
{
    work_mixed(500 * MS, 60);
    for (int i = 0; machine.sample_events == 0 && i < 1000; i++) {
        bursts(1, MS, 300 * US, 0);
    }
    USE(.split = TCLK_SPLIT_KERNEL);
    read_now();
    is_ns(machine.sample_events, 0, "another split ends the bout at the next read");
}
