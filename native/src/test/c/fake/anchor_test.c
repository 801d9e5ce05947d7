/* SPDX-License-Identifier: Apache-2.0 */

/* Tests how readings go on from an anchor, and when the kernel is asked again. */

#include "machine.h"

#include "clock/source.h"

#include <tap.h>

static bool is_near(int64_t got_ns, int64_t true_ns, int64_t slack_ns)
{
    bool near = got_ns >= true_ns - slack_ns && got_ns <= true_ns + slack_ns;
    if (!near) {
        diag("got %" PRId64 " ns, true %" PRId64 " ns", got_ns, true_ns);
    }
    return near;
}

TEST(extrapolates_between_switches)
{
    anchor_now();
    uint64_t before = machine.clock_reads;
    struct tclk_point now = run_and_read(1000000, USER_MODE);
    ok(is_near(now.cpu_ns, machine.cpu_ns, ROUNDING_NS), "extrapolates what has been computed");
    ok(machine.clock_reads == before, "does not ask the kernel while nothing has happened");
}

static int64_t counted_ns(void (*pass)(int64_t ns), int64_t ns)
{
    int64_t before_ns = read_now().cpu_ns;
    pass(ns);
    return read_now().cpu_ns - before_ns;
}

TEST(counts_neither_sleep_nor_others)
{
    anchor_now();
    int64_t slept_ns = counted_ns(machine_sleep, 50 * MS);
    ok(slept_ns < 2000, "50 ms of sleep add %" PRId64 " ns of CPU time", slept_ns);
    anchor_now();
    int64_t waited_ns = 0;
    RAISES(stats_now().resyncs_switch, 1, waited_ns = counted_ns(machine_preempt, 3 * MS),
           "a preemption is counted as a resync by switch");
    ok(waited_ns < 2000, "3 ms of another thread add %" PRId64 " ns of CPU time", waited_ns);
}

TEST(asks_again_after_the_window)
{
    anchor_now();
    uint64_t windows = stats_now().resyncs_window;
    RAISES(machine.clock_reads, 0, run_and_read(3900 * US, USER_MODE), "a window of 4 ms is open for 3.9 ms");
    uint64_t asked = machine.clock_reads;
    run_and_read(200 * US, USER_MODE);
    ok(machine.clock_reads > asked, "after 4 ms the kernel is asked again");
    ok(stats_now().resyncs_window == windows + 1, "the end of a window is counted as such");
}

TEST(strict_window_is_shorter)
{
    USE(.source = TCLK_SOURCE_AUTO, .window_ns = MS);
    anchor_now();
    uint64_t asked = machine.clock_reads;
    run_and_read(1100 * US, USER_MODE);
    ok(machine.clock_reads > asked, "a window of 1 ms is over after 1.1 ms");
}

TEST(upper_half_of_the_counter_may_change)
{
    int wrong = 0;
    anchor_now();
    for (int i = 0; i < 2000; i++) {
        int64_t ns = run_and_read(1000000, USER_MODE).cpu_ns;
        wrong += ns < machine.cpu_ns - RESYNC_NS || ns > machine.cpu_ns + ROUNDING_NS;
    }
    is_ns(wrong, 0, "2 s, in which the counter's lower half overflows, are read right throughout");
}

/* After 2^32 counts, the lower half says that no time has passed. */
TEST(lower_half_may_come_round)
{
    anchor_now();
    machine_run(INT64_C(1717987000), USER_MODE);
    ok(is_near(read_now().cpu_ns, machine.cpu_ns, RESYNC_NS),
       "1.7 s without a read, after which the counter's lower half is where it was, are counted");
}

static void switch_out(void)
{
    machine_preempt(1000);
}

static void preempt_next_call(void)
{
    machine_preempt(1000);
    machine.in_next_call = preempt_next_call;
}

TEST(marker_lost_once_is_tried_again)
{
    anchor_now();
    uint64_t before = stats_now().lost;
    machine_preempt(1000);
    machine.in_next_call = switch_out;
    read_now();
    uint64_t asked = machine.clock_reads;
    run_and_read(1000, USER_MODE);
    ok(stats_now().lost == before && machine.clock_reads == asked,
       "a resync that is switched out once tries again, and is armed then");
}

TEST(marker_lost_three_times_stays_unarmed)
{
    anchor_now();
    uint64_t before = stats_now().lost;
    machine_preempt(1000);
    machine.in_next_call = preempt_next_call;
    struct tclk_point now = read_now();
    machine.in_next_call = NULL;
    ok(stats_now().lost == before + 1, "a resync that is switched out three times gives up");
    ok(is_near(now.cpu_ns, machine.cpu_ns, RESYNC_NS), "…with a right time");
    uint64_t asked = machine.clock_reads;
    uint64_t before_unarmed = stats_now().resyncs_unarmed;
    run_and_read(1000, USER_MODE);
    ok(machine.clock_reads > asked && stats_now().resyncs_unarmed == before_unarmed + 1,
       "…and keeps no anchor: the next read asks the kernel");
}

static void interrupt_for_long(void)
{
    machine_steal(100000);
}

TEST(wide_bracket_is_not_trusted)
{
    anchor_now();
    machine_preempt(1000);
    machine.in_next_call = interrupt_for_long;
    read_now();
    machine_run(10000, USER_MODE);
    ok(is_near(read_now().cpu_ns, machine.cpu_ns, ROUNDING_NS),
       "a kernel reading that an interrupt held up for 100 us makes no anchor");
}

TEST(comparison_sources_are_raw)
{
    USE(.source = TCLK_SOURCE_TICKS);
    machine_run(MACHINE_TICK_NS, USER_MODE);
    is_ns(tclk_thread_user_ns(), machine.user_ticks * MACHINE_TICK_NS, "source ticks returns the raw tick counter");
    USE(.source = TCLK_SOURCE_PROC);
    is_ns(tclk_thread_user_ns() % 10000000, 0, "source proc returns multiples of 10 ms");
}

TEST(change_of_source_goes_on_from_the_last_reading)
{
    static const enum tclk_source sources[] = {TCLK_SOURCE_RSEQ, TCLK_SOURCE_CLOCK, TCLK_SOURCE_PERF, TCLK_SOURCE_AUTO};
    for (int i = 0; i < 400; i++) {
        USE(.source = sources[i % 4]);
        run_and_read(70000, i % 2 == 0 ? USER_MODE : SYSTEM_MODE);
    }
    readings_keep_the_law("a thread over 400 changes of the source");
}

/* A system call takes 400 ns here, a reading of the counter 10 ns. */
TEST(source_clock_takes_one_system_call)
{
    USE(.source = TCLK_SOURCE_CLOCK);
    read_now();
    read_now();
    uint64_t asked = machine.clock_reads;
    uint64_t begin = machine.counter;
    read_now();
    is_ns(machine.clock_reads - asked, 1, "source clock asks the kernel once a read");
    is_ns(machine.counter - begin, 1000, "…and does not look at the counter");
}
