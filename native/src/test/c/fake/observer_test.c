/* SPDX-License-Identifier: Apache-2.0 */

/* Tests how other threads see a thread. */

#include "machine.h"

#include "clock/observe.h"
#include "kernel/tid.h"

#include <errno.h>
#include <pthread.h>
#include <tap.h>

static struct tclk_times observe(pid_t tid)
{
    struct tclk_times times = {-1, -1, -1};
    int error = tclk_tid_read(tid, &times);
    if (error != 0) {
        times.cpu_ns = error;
    }
    return times;
}

/* ---- cost ---- */

TEST(asks_once_for_an_idle_thread)
{
    start_other(5 * MS);
    observe(OTHER);
    machine_sleep(S);
    RAISES(machine.other.clock_reads, 1, observe(OTHER), "a thread that has not run costs one call");
}

TEST(asks_for_ticks_once_in_each)
{
    start_other(5 * MS);
    observe(OTHER);
    machine_other_run(5 * MS, USER_MODE);
    RAISES(machine.other.clock_reads, 3, observe(OTHER), "one that has run costs three");
    machine_other_run(2000, USER_MODE);
    RAISES(machine.other.clock_reads, 1, observe(OTHER), "…one if it was in the same tick");
}

TEST(asks_once_for_cpu_time_alone)
{
    int64_t cpu_ns = -1;
    start_other(0);
    tclk_observe_cpu_ns(OTHER, &cpu_ns);
    machine_other_run(9 * MS, USER_MODE);
    RAISES(machine.other.clock_reads, 1, tclk_observe_cpu_ns(OTHER, &cpu_ns), "CPU time alone costs one call");
    is_ns(cpu_ns, 9 * MS, "…and is the scheduler's");
}

/* ---- the split ---- */

TEST(divides_as_the_kernel_does)
{
    start_other(0);
    machine_other_run(12 * MS, USER_MODE);
    machine_other_run(4 * MS, SYSTEM_MODE);
    struct tclk_times times = observe(OTHER);
    is_ns(times.cpu_ns, 16 * MS, "CPU time is the scheduler's");
    is_ns(times.user_ns, 12 * MS, "user time is the part of it that the ticks show");
    is_ns(times.system_ns, 4 * MS, "system time is the rest");
}

TEST(is_all_user_before_the_first_tick)
{
    start_other(MS);
    is_ns(observe(OTHER).user_ns, MS, "without a tick all CPU time is user time, as for the kernel");
}

TEST(never_decreases)
{
    start_other(0);
    machine_other_run(40 * MS, USER_MODE);
    struct tclk_times before = observe(OTHER);
    machine_other_run(20 * MS, SYSTEM_MODE);
    struct tclk_times after = observe(OTHER);
    is_ns(after.user_ns, before.user_ns, "user time waits where the ticks would take it back");
    is_ns(after.user_ns + after.system_ns, after.cpu_ns, "…and the sum is CPU time");
    machine_other_run(300 * MS, USER_MODE);
    int64_t short_ns = 340 * MS - observe(OTHER).user_ns;
    ok(short_ns >= 0 && short_ns < MS, "…until they show more again: %" PRId64 " ns short", short_ns);
}

TEST(grows_no_faster_than_cpu_time)
{
    start_other(0);
    machine_other_run(40 * MS, SYSTEM_MODE);
    struct tclk_times before = observe(OTHER);
    machine.other.system_ticks = 0;
    machine.other.user_ticks = 100;
    machine_other_run(20 * MS, USER_MODE);
    is_ns(observe(OTHER).user_ns, before.user_ns + 20 * MS,
          "user time grows by no more than CPU time, whatever the ticks say");
}

/* ---- tids that are used again ---- */

TEST(has_ended)
{
    start_other(5 * MS);
    observe(OTHER);
    machine.other.tid = 0;
    is_ns(observe(OTHER).cpu_ns, -ESRCH, "a thread that has ended is no thread of this process");
    is_ns(observe(0).cpu_ns, -ESRCH, "nor is tid 0");
    is_ns(observe(-1).cpu_ns, -ESRCH, "nor -1");
    is_ns(observe(1 << 22).cpu_ns, -ESRCH, "nor one that the kernel never gives");
}

/* The tid is given to another thread after this time, with this much CPU time. */
static void reuse(int64_t after_ns, int64_t cpu_ns)
{
    start_other(0);
    machine_other_run(50 * MS, USER_MODE);
    observe(OTHER);
    machine_sleep(after_ns);
    start_other(cpu_ns);
    machine_sleep(20 * MS);
}

TEST(is_of_the_new_thread)
{
    reuse(S, 10 * MS);
    is_ns(observe(OTHER).cpu_ns, 10 * MS, "a tid given again is the new thread's, with less CPU time");
    reuse(S, 60 * MS);
    is_ns(observe(OTHER).cpu_ns, 60 * MS, "…and with more");
}

/* The thread ends `age_ns` after its start, right after it was seen; the next thread gets its tid after this time. */
static void reuse_at_once(int64_t age_ns, int64_t after_ns, int64_t cpu_ns)
{
    start_other(0);
    machine_sleep(age_ns);
    machine_other_run(2 * MS, SYSTEM_MODE);
    observe(OTHER);
    machine_sleep(after_ns);
    start_other(cpu_ns);
    machine.other.user_ticks = 5;
}

TEST(is_of_the_new_thread_at_once)
{
    reuse_at_once(0, 0, MS);
    is_ns(observe(OTHER).cpu_ns, MS, "a tid that is given again at once is the new thread's");
    reuse_at_once(3 * MS, 2 * MS, MS);
    is_ns(observe(OTHER).cpu_ns, MS, "…or after 2 ms");
    reuse_at_once(S, 2 * MS, MS);
    is_ns(observe(OTHER).cpu_ns, MS, "…or an old thread's");
    reuse_at_once(S, 5 * MS, 4 * MS);
    is_ns(observe(OTHER).cpu_ns, 4 * MS, "…if the new one has more CPU time");
    reuse_at_once(S, 0, MS);
    machine.proc_error = EMFILE;
    is_ns(observe(OTHER).cpu_ns, MS, "…or without /proc, with less CPU time");
}

/* Nobody has read the ended thread last, or made a record since. The new thread's user time begins on its curve. */
TEST(is_taken_for_the_old_thread_with_more_cpu_time)
{
    reuse(S, 60 * MS);
    machine.other.system_ticks = 15;
    struct tclk_times times = observe(OTHER);
    is_ns(times.cpu_ns, 60 * MS, "a new thread with more CPU time than its tid's last one had");
    is_ns(times.user_ns, 50 * MS, "…begins with the user time of that one");
    machine_other_run(200 * MS, SYSTEM_MODE);
    times = observe(OTHER);
    is_ns(times.user_ns, 50 * MS, "…and gains none that the kernel does not tell");
}

TEST(is_of_the_same_thread)
{
    start_other(0);
    machine_other_run(50 * MS, USER_MODE);
    struct tclk_times before = observe(OTHER);
    machine_sleep(S);
    machine_other_run(8 * MS, SYSTEM_MODE);
    struct tclk_times after = observe(OTHER);
    ok(after.user_ns >= before.user_ns && after.cpu_ns == 58 * MS, "a thread that has slept for long is the same one");
    is_ns(machine.other.start_reads, 0, "…and nobody asks when it was started");
}

/* A new record would divide the time anew: as mostly system time. */
static void has_only_worked_in_the_kernel(void)
{
    machine.other.system_ticks += 40;
}

static void is_held_up(void)
{
    machine_other_run(30 * MS, USER_MODE);
}

/* An observer may lose its CPU between its readings of two clocks. */
TEST(is_of_the_same_thread_after_a_look_that_took_long)
{
    observe_own();
    start_other(0);
    machine_other_run(2 * MS, USER_MODE);
    machine.in_next_call = is_held_up;
    struct tclk_times before = observe(OTHER);
    machine_other_run(30 * MS, USER_MODE);
    has_only_worked_in_the_kernel();
    ok(observe(OTHER).user_ns >= before.user_ns,
       "a thread whose observer was held up in its first look is the same one at the next");
    machine_other_run(12 * MS, USER_MODE);
    machine.in_next_call = is_held_up;
    before = observe(OTHER);
    machine_sleep(S);
    machine_other_run(MS, USER_MODE);
    has_only_worked_in_the_kernel();
    ok(observe(OTHER).user_ns >= before.user_ns, "…or in a later one");
}

static struct tclk_times overtaking;

static void overtake(void)
{
    machine_other_run(20 * MS, USER_MODE);
    overtaking = observe(OTHER);
    has_only_worked_in_the_kernel();
}

static void is_overtaken_after_this_call(void)
{
    machine.when_outside = overtake;
}

TEST(is_of_the_same_thread_for_who_is_overtaken)
{
    observe_own();
    machine.proc_error = EMFILE;
    start_other(0);
    machine_other_run(50 * MS, USER_MODE);
    observe(OTHER);
    machine_other_run(20 * MS, USER_MODE);
    machine.in_next_call = is_overtaken_after_this_call;
    ok(observe(OTHER).user_ns >= overtaking.user_ns && overtaking.user_ns > 0,
       "less CPU time than another observer has seen meanwhile is not a new thread's");
}

/* After three ticks of user time and twelve of system time, a new division would have much less user time. */
TEST(goes_on_without_proc)
{
    machine.proc_error = EMFILE;
    start_other(0);
    machine_other_run(12 * MS, USER_MODE);
    struct tclk_times before = observe(OTHER);
    machine_sleep(S);
    machine_other_run(12 * MS, SYSTEM_MODE);
    machine.other.system_ticks += 9;
    struct tclk_times after = observe(OTHER);
    ok(after.user_ns >= before.user_ns, "where nobody tells when a thread was started, user time goes on all the same");
    is_ns(after.cpu_ns, before.cpu_ns + 12 * MS, "…with CPU time");
    machine_sleep(S);
    start_other(5 * MS);
    machine_sleep(20 * MS);
    is_ns(observe(OTHER).cpu_ns, 5 * MS, "…and less CPU time is a new thread's");
}

/* ---- a thread that reads itself ---- */

/* The counter is too slow, so the thread extrapolates to less than the kernel tells others. */
TEST(returns_no_less_than_others_have_read)
{
    read_now();
    machine.counter_rate_ppm = -20000;
    machine_run(2 * MS, USER_MODE);
    observe_own();
    read_now();
    readings_keep_the_law("a thread that extrapolates to less than others have read");
    machine_run(MS, USER_MODE);
    int64_t cpu_ns = -1;
    tclk_observe_cpu_ns(tclk_tid_own(), &cpu_ns);
    ok(read_now().cpu_ns >= cpu_ns, "own CPU time is not below one that was observed alone");
}

/* After steal, the thread has read more than the kernel tells others. */
TEST(others_read_no_less_than_it_has_returned)
{
    read_now();
    machine_steal(2 * MS);
    struct tclk_point own = read_now();
    observe_own();
    int64_t cpu_ns = -1;
    tclk_observe_cpu_ns(tclk_tid_own(), &cpu_ns);
    ok(own.cpu_ns > machine.cpu_ns, "the thread has run ahead of the kernel");
    readings_keep_the_law("others, who read a thread that has run ahead");
    ok(cpu_ns >= own.cpu_ns, "others do not read less if they ask for CPU time alone");
}

/* Within the reach of the anchor, all readings are on its line, whatever the ticks say. */
TEST(others_take_its_own_split)
{
    USE(.source = TCLK_SOURCE_RSEQ);
    for (int i = 0; i < 400; i++) {
        run_and_read(680000, USER_MODE);
        run_and_read(290000, SYSTEM_MODE);
    }
    struct tclk_point first = read_now();
    machine_run(100000, SYSTEM_MODE);
    struct tclk_point seen = observe_own();
    is_share(share_between(first, seen), 0.6, 0.8, "others divide its user time as the thread does");
    machine_run(6000 * MS, SYSTEM_MODE);
    struct tclk_point later = observe_own();
    ok(later.user_ns - seen.user_ns < 20 * MS,
       "…and as the kernel does when it has not read itself for 6 s: %" PRId64 " ns more user time",
       later.user_ns - seen.user_ns);
    read_now();
    readings_keep_the_law("the thread, which then goes on from there");
}

TEST(takes_over_what_others_have_seen)
{
    machine_run(50 * MS, USER_MODE);
    observe_own();
    read_now();
    readings_keep_the_law("a thread's first reading, after others have read it");
    is_ns(stats_now().threads + stats_now().threads_observed, 1, "…and there is one record for both");
}

/* ---- a thread at its end ---- */

struct ended {
    pid_t tid;
    struct tclk_point last;
};

static void *run_ahead_and_end(void *unused)
{
    static struct ended ended;
    (void)unused;
    run_and_read(3 * MS, SYSTEM_MODE);
    machine_steal(2 * MS);
    read_now();
    machine_preempt(MS);
    ended = (struct ended){tclk_tid_own(), read_now()};
    return &ended;
}

/* Destructors of other keys may still run in the thread when the library's has left its record to observers. */
static struct ended run_ahead_until_the_end(int64_t age_ns)
{
    pthread_t thread;
    void *ended = NULL;
    machine_sleep(age_ns);
    pthread_create(&thread, NULL, run_ahead_and_end, NULL);
    pthread_join(thread, &ended);
    struct ended thread_ended = *(struct ended *)ended;
    machine.other = (struct other_thread){.tid = thread_ended.tid,
                                          .started_ns = machine.started_ns,
                                          .cpu_ns = machine.cpu_ns,
                                          .user_ticks = machine.user_ticks,
                                          .system_ticks = machine.system_ticks};
    ok(thread_ended.last.cpu_ns > machine.cpu_ns, "a thread ends when it has run ahead of the kernel");
    return thread_ended;
}

static void does_not_step_back(struct ended ended, const char *who)
{
    struct tclk_times observed = observe(ended.tid);
    ok(observed.cpu_ns >= ended.last.cpu_ns, "…others do not read less CPU time than it has told, %s", who);
    ok(observed.user_ns >= ended.last.user_ns && observed.system_ns >= ended.last.cpu_ns - ended.last.user_ns,
       "…nor less user or system time");
}

/* Its start and its end are in one unit of what tells starts. */
TEST(is_the_same_at_its_end)
{
    does_not_step_back(run_ahead_until_the_end(0), "soon after its start");
}

TEST(is_the_same_at_its_end_later)
{
    does_not_step_back(run_ahead_until_the_end(S), "long after it");
}

TEST(is_the_same_at_its_end_without_proc)
{
    struct ended ended = run_ahead_until_the_end(S);
    machine.proc_error = EMFILE;
    does_not_step_back(ended, "where nobody tells when it was started");
}

/* ---- kernels and sources ---- */

TEST(shows_ticks_as_they_are)
{
    USE(.source = TCLK_SOURCE_TICKS);
    start_other(MS);
    machine.other.user_ticks = 3;
    struct tclk_times times = observe(OTHER);
    is_ns(times.user_ns, 12 * MS, "source ticks shows the raw ticks");
    is_ns(times.cpu_ns, MS, "…beside the scheduler's CPU time");
}
