/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the split `smoothed` for threads that are sampled at times, above all in step with the clock tick. */

#include "clock/observe.h"
#include "kernel/tid.h"
#include "machine.h"
#include "random.h"
#include "stats.h"

#include <string.h>
#include <tap.h>

#define EACCES_NUMBER 13

/* ---- work ---- */

/* Runs bursts of user time and then system time, at a phase of the tick. Returns the share that is told. */
static double bursts(int times, int64_t phase_ns, int64_t user_ns, int64_t system_ns)
{
    int64_t told_ns = 0;
    int64_t cpu_ns = 0;
    for (int i = 0; i < times; i++) {
        machine_sleep_until(phase_ns);
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

static const int *percent_user_before;

static void trap_is_seen_through(void)
{
    double worst = 1;
    work_mixed(500 * MS, *percent_user_before);
    double first = bursts(100, 100 * US, 300 * US, 0);
    for (int phase = 1; phase < 16; phase++) {
        double share = bursts(100, phase * MACHINE_TICK_NS / 16, 300 * US, 0);
        worst = share < worst ? share : worst;
    }
    ok(first > 0.92, "after a past of %d %% user, the first 100 bursts of user time read %.3f", *percent_user_before,
       first);
    ok(worst > 0.95, "…and the others %.3f at worst", worst);
    clock_says("split smoothed: 1 threads are sampled at times");
}

TEST(trap_after_any_work)
{
    static const int percents[] = {98, 60, 5};
    for (percent_user_before = percents; percent_user_before < percents + 3; percent_user_before++) {
        in_fresh_process(trap_is_seen_through);
    }
}

TEST(trap_from_birth)
{
    machine.process_system_ns = 10 * S;
    bursts(100, MS, 300 * US, 0);
    is_share(bursts(100, MS, 300 * US, 0), 0.95, 1, "a thread in step with the tick from its birth reads");
}

/* Each burst has 300 us of user time, and a wait after it takes as much system time as waits do. */
static struct tclk_point bursts_and_waits(int times)
{
    struct tclk_point sum = {0, 0};
    for (int i = 0; i < times; i++) {
        machine_sleep_until(MS);
        machine_run(20 * US, SYSTEM_MODE);
        machine.mode = USER_MODE;
        struct tclk_point from = read_now();
        struct tclk_point to = run_and_read(300 * US, USER_MODE);
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

/* The waits take 12 points of the whole. */
TEST(bursts_are_told_apart_from_waits)
{
    work_mixed(500 * MS, 50);
    bursts_and_waits(300);
    struct tclk_point from = read_now();
    double share = share_of(bursts_and_waits(2000));
    double all = share_since(from);
    ok(share > 0.98, "bursts of user time between two readings read %.3f", share);
    ok(all > 0.85 && all < 0.91, "and all time, with the waits, 0.88: %.3f", all);
}

/* The tick finds only the user part, each time. */
TEST(crowded_ticks_are_seen_through)
{
    work_mixed(500 * MS, 50);
    bursts(200, MACHINE_TICK_NS - 100 * US, 200 * US, 800 * US);
    is_share(bursts(1000, MACHINE_TICK_NS - 100 * US, 200 * US, 800 * US), 0.15, 0.27,
             "a share of 0.2 that ticks take for 1 reads");
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
            machine_sleep_until(MS);
            machine_run(300 * US, USER_MODE);
        }
        read_now();
    }
    is_share(share_since(from), 0.95, 1, "a thread that reads each 30 ms of its CPU time reads");
}

TEST(change_of_work_is_followed)
{
    work_mixed(500 * MS, 50);
    bursts(1000, MS, 300 * US, 0);
    bursts(300, MS, 0, 300 * US);
    is_share(bursts(300, MS, 0, 300 * US), 0, 0.05,
             "90 ms after its bursts have become system time they read as user time");
}

TEST(change_is_seen_by_the_sleeps)
{
    bursts(100, MS, 0, 5 * MS);
    is_share(bursts(20, MS, 300 * US, 0), 0.85, 1,
             "the first 20 bursts of user time after longer ones of system time read");
}

TEST(gap_is_divided_by_ticks)
{
    bursts(1000, MS, 300 * US, 0);
    struct tclk_point from = read_now();
    machine_run(3 * S, SYSTEM_MODE);
    is_share(share_since(from), 0, 0.05, "3 s of system time between two readings read as user time");
}

TEST(ticks_count_while_a_thread_runs_on)
{
    machine.sample_cost_ns = 50 * US;
    for (int i = 0; i < 20; i++) { /* each change has a bout at once, and the rest after them is long */
        bursts(4, MS, 0, 5 * MS);
        bursts(20, MS, 300 * US, 0);
    }
    bursts(300, MS, 300 * US, 0);
    work_mixed(150 * MS, 70);
    struct tclk_point from = read_now();
    work_mixed(100 * MS, 70);
    is_share(share_since(from), 0.6, 0.8, "where bouts rest, ticks tell 70 % of user time");
}

/* ---- cost ---- */

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
    ok(part > 0.002 && part < 0.01, "3 s of work are sampled for %.2f %% of it", part * 100);
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
    is_share(bursts(1000, MS, 300 * US, 0), 0.9, 1, "…and is sampled when it reads again");
}

/* ---- the laws ---- */

/* The law is every test\'s. */
static void read_at_random(int times)
{
    for (int i = 0; i < times; i++) {
        enum machine_mode mode = random_next() % 4 != 0 ? USER_MODE : SYSTEM_MODE;
        if (random_next() % 8 != 0) {
            machine_sleep_until(MS);
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
    is_share(share_between(from, to), 0.9, 1, "other threads go on at its share");
}

/* ---- bouts that fail ---- */

TEST(refused_is_divided_by_ticks)
{
    machine.sample_error = EACCES_NUMBER;
    work_mixed(500 * MS, 30);
    bursts(100, MACHINE_TICK_NS - 100 * US, 300 * US, 0);
    clock_says("split smoothed: 1 threads cannot be sampled: perf_event_open refused: EACCES (13)");
    is_ns(stats_now().threads_unsampled, 1, "which the counts say, too");
    int64_t opens = machine.sample_opens;
    work_mixed(5 * S, 30);
    struct tclk_point from = read_now();
    work_mixed(5 * S, 30);
    is_share(share_since(from), 0.26, 0.34, "30 % of user time by ticks reads");
    is_ns(machine.sample_opens - opens, 0, "nobody tries again");
}

TEST(thread_that_runs_on_is_left_to_its_ticks)
{
    for (int percent = 0; percent <= 100; percent += 10) {
        work_mixed(5 * S, percent);
    }
    is_ns(machine.sample_opens, 0, "a thread that does not sleep is never sampled");
}

TEST(another_split_ends_the_bout)
{
    work_mixed(500 * MS, 60);
    for (int i = 0; machine.sample_events == 0 && i < 1000; i++) {
        bursts(1, MS, 300 * US, 0);
    }
    USE(.split = TCLK_SPLIT_SAMPLED);
    read_now();
    is_ns(machine.sample_events, 0, "another split ends the bout at the next read");
}
