/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Tests a process that is restored from a checkpoint. It goes on from where it was: nothing steps back, and the work of
 * its threads is seen, though the kernel counts it from 0.
 */

#include "machine.h"

#include "clock/observe.h"
#include "clock/process_share.h"
#include "kernel/tid.h"

#include <errno.h>
#include <tap.h>

/* The cost of asking is CPU time of the thread as well. */
#define ASKING_NS (50 * US)

static struct tclk_point observe_other(void)
{
    struct tclk_point times = {-1, -1};
    tclk_observe_times(OTHER, &times);
    return times;
}

static void work(int64_t ns, enum machine_mode mode)
{
    for (int64_t done_ns = 0; done_ns < ns; done_ns += 10 * MS) {
        run_and_read(10 * MS, mode);
    }
}

static void go_on(struct tclk_point from, struct tclk_point to, int64_t worked_ns, const char *who)
{
    int64_t passed_ns = to.cpu_ns - from.cpu_ns;
    int64_t user_ns = to.user_ns - from.user_ns;
    ok(passed_ns >= worked_ns && passed_ns <= worked_ns + worked_ns / 1000 + ASKING_NS,
       "%s: %" PRId64 " ns of work are %" PRId64 " ns of CPU time", who, worked_ns, passed_ns);
    ok(user_ns >= 0 && user_ns <= passed_ns, "…%" PRId64 " ns of them user time", user_ns);
}

/* ---- a thread that reads itself ---- */

TEST(goes_on_from_where_it_was)
{
    read_now();
    work(600 * S, USER_MODE);
    struct tclk_point before = read_now();
    machine_restore(3 * S, 0);
    struct tclk_point after = run_and_read(7 * MS, USER_MODE);
    go_on(before, after, 7 * MS, "the first reading after a restore");
    work(10 * S, USER_MODE);
    go_on(before, read_now(), 10 * S + 7 * MS, "the next 10 s");
}

TEST(divides_by_what_has_passed_since)
{
    work(600 * S, USER_MODE);
    machine_restore(3 * S, 0);
    struct tclk_point before = read_now();
    work(10 * S, SYSTEM_MODE);
    struct tclk_point after = read_now();
    int64_t user_ns = after.user_ns - before.user_ns;
    ok(user_ns < 200 * MS, "10 s of system time after 600 s of user time: %" PRId64 " ns user", user_ns);
}

/* A thread that has worked for so long and was read in this way, is restored, works again, and is read by both. */
static const struct restored {
    const char *who;
    enum tclk_source source;
    int64_t worked_ns;
    struct tclk_point (*before)(void);
    struct tclk_point (*first)(void);
    struct tclk_point (*next)(void);
} restored[] = {
    {"source clock", TCLK_SOURCE_CLOCK, 60 * S, read_now, read_now, read_now},
    {"a thread that reads itself, read by others first", TCLK_SOURCE_AUTO, 100 * S, read_now, observe_own, read_now},
    {"a thread of which others have seen more", TCLK_SOURCE_AUTO, 100 * S, observe_own, observe_own, read_now},
    {"a thread that first reads itself after the restore", TCLK_SOURCE_AUTO, 0, observe_own, read_now, observe_own},
};
static const struct restored *row;

static void goes_on(void)
{
    USE(.source = row->source);
    work(row->worked_ns, USER_MODE);
    machine_run(100 * S, USER_MODE);
    struct tclk_point before = row->before();
    machine_restore(S, 0);
    machine_run(5 * S, USER_MODE);
    go_on(before, row->first(), 5 * S, row->who);
    machine_run(S, USER_MODE);
    go_on(before, row->next(), 6 * S, "…goes on from there");
    go_on(before, observe_own(), 6 * S, "…for all");
}

TEST(goes_on_for_whoever_reads_it)
{
    for (row = restored; row < restored + sizeof restored / sizeof restored[0]; row++) {
        in_fresh_process(goes_on);
    }
}

TEST(is_restored_again)
{
    work(10 * S, USER_MODE);
    struct tclk_point before = read_now();
    for (int i = 0; i < 5; i++) {
        machine_restore(S, i % 2 == 0 ? 1000 * S : 0);
        work((5 - i) * S, i % 2 == 0 ? SYSTEM_MODE : USER_MODE);
    }
    go_on(before, read_now(), 15 * S, "five restores, one after the other");
}

/* The thread has more CPU time than ever before, and fewer switches. */
TEST(is_found_out_by_switches)
{
    for (int i = 0; i < 1000; i++) {
        machine_run(100 * US, USER_MODE);
        machine_sleep(MS);
        read_now();
    }
    struct tclk_point before = read_now();
    machine_restore(S, 0);
    machine_run(5 * S, USER_MODE);
    go_on(before, read_now(), 5 * S, "a restore that only the count of switches tells of");
    work(S, USER_MODE);
    go_on(before, read_now(), 6 * S, "…and is told of once");
}

TEST(does_not_step_back_if_not_found_out)
{
    read_now();
    struct tclk_point before = run_and_read(20 * MS, USER_MODE);
    machine_restore(S, 0);
    struct tclk_point after = run_and_read(5 * S, SYSTEM_MODE);
    ok(after.cpu_ns >= 5 * S && after.user_ns >= before.user_ns,
       "a thread that has used more since the restore than before it does not step back");
}

TEST(blames_no_detector)
{
    for (int i = 0; i < 20; i++) {
        work(S, USER_MODE);
        machine_restore(i * S, i % 3 * 100000 * S);
    }
    is_ns((int64_t)demotions(), 0, "20 restores: no detector is given up");
}

/* ---- a thread that others read ---- */

static struct tclk_point work_of_other(int64_t ns)
{
    struct tclk_point now = {0, 0};
    for (int64_t done_ns = 0; done_ns < ns; done_ns += 100 * MS) {
        machine_other_run(100 * MS, USER_MODE);
        now = observe_other();
    }
    return now;
}

static void others_see_it_go_on(int64_t ahead_ns, const char *where)
{
    read_now();
    start_other(0);
    struct tclk_point before = work_of_other(100 * S);
    machine_restore(S, ahead_ns);
    machine_other_run(7 * MS, USER_MODE);
    struct tclk_point after = observe_other();
    diag("restored %s", where);
    go_on(before, after, 7 * MS, "a thread that others have read");
    go_on(before, work_of_other(10 * S), 10 * S + 7 * MS, "…later");
}

TEST(others_see_it_go_on_anywhere)
{
    machine_run(2000 * S, USER_MODE);
    others_see_it_go_on(0, "on the same machine");
    others_see_it_go_on(1000 * S, "on a machine that has run for longer");
    others_see_it_go_on(-1500 * S, "on a machine that has run for less long");
}

TEST(cpu_time_alone_goes_on)
{
    int64_t before_ns = -1;
    int64_t after_ns = -1;
    read_now();
    start_other(0);
    machine_other_run(100 * S, USER_MODE);
    tclk_observe_cpu_ns(OTHER, &before_ns);
    machine_restore(S, 0);
    machine_other_run(5 * S, USER_MODE);
    tclk_observe_cpu_ns(OTHER, &after_ns);
    is_ns(after_ns, before_ns + 5 * S, "CPU time alone goes on as well");
}

TEST(forgets_the_process_of_before)
{
    machine_run(2000 * S, USER_MODE);
    uint32_t before = tclk_share_of_process();
    machine_restore(S, -1500 * S);
    machine.process_system_ns = S;
    ok(before == TCLK_SHARE_ONE && tclk_share_of_process() == 0,
       "where a young thread starts is what the process has done since");
}

/* The kernel's clock of a tid also goes back when another thread gets it. */
TEST(tells_it_from_a_new_thread)
{
    read_now();
    start_other(0);
    machine_other_run(100 * S, USER_MODE);
    observe_other();
    machine_sleep(MS);
    start_other(0);
    machine_other_run(5 * MS, USER_MODE);
    is_ns(observe_other().cpu_ns, 5 * MS, "a tid that is given again is no restore");
    machine_restore(S, 0);
    machine_other_run(2 * MS, USER_MODE);
    is_ns(observe_other().cpu_ns, 7 * MS, "…nor is the restore after it a new thread");
    machine_sleep(30 * MS);
    start_other(0);
    machine_other_run(MS, USER_MODE);
    is_ns(observe_other().cpu_ns, MS, "…nor a new thread after that the restored one");
}

TEST(leaves_it_without_proc)
{
    machine.proc_error = EMFILE;
    work(10 * S, USER_MODE);
    struct tclk_point before = read_now();
    machine_restore(S, 0);
    machine_run(S, USER_MODE);
    struct tclk_point observed = observe_own();
    ok(observed.cpu_ns >= before.cpu_ns && observed.user_ns >= before.user_ns, "without /proc nothing steps back");
    is_ns((int64_t)stats_now().threads, 1, "…nor is a record taken from its thread");
    go_on(before, read_now(), S, "…which sees itself that it goes on");
}
