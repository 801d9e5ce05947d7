/* SPDX-License-Identifier: Apache-2.0 */

/* The split `sampled`, on a kernel whose timer fires when it should. */

#include "clock/observe.h"
#include "clock/proof.h"
#include "clock/settings.h"
#include "clock/source.h"
#include "kernel/tid.h"
#include "machine.h"
#include "random.h"
#include "stats.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tap.h>

/* From the shortest to the longest that may be asked for. */
static const int64_t periods_ns[] = {90 * US, 250 * US, 500 * US, MS, 2 * MS, 5 * MS, 10 * MS};
#define PERIODS (sizeof periods_ns / sizeof periods_ns[0])

static int64_t asked_ns;

/* A process has one period. */
static void at_period(int64_t period_ns, void (*test)(void))
{
    asked_ns = period_ns;
    in_fresh_process(test);
}

static void at_each_period(void (*test)(void))
{
    for (size_t i = 0; i < PERIODS; i++) {
        at_period(periods_ns[i], test);
    }
}

#define TEST_EACH_PERIOD(name)                                                                                         \
    static void name##_at_one(void);                                                                                   \
    TEST(name)                                                                                                         \
    {                                                                                                                  \
        at_each_period(name##_at_one);                                                                                 \
    }                                                                                                                  \
    static void name##_at_one(void)

static void sample_each(int64_t period_ns)
{
    USE(.source = TCLK_SOURCE_RSEQ, .split = TCLK_SPLIT_SAMPLED, .sample_period_ns = period_ns);
    read_now();
}

static void use_samples(enum tclk_source source)
{
    USE(.split = TCLK_SPLIT_SAMPLED, .source = source);
    read_now();
}

static double share_of_run(int64_t ns, enum machine_mode mode, int64_t piece_ns)
{
    struct tclk_point from = read_now();
    struct tclk_point to = from;
    while (to.cpu_ns < from.cpu_ns + ns) {
        to = run_and_read(piece_ns, mode);
    }
    return share_between(from, to);
}

/* ---- user time by samples ---- */

static void is_right_of_pure_work(int64_t piece_ns)
{
    share_of_run(300 * MS, USER_MODE, piece_ns);
    double user = share_of_run(S, USER_MODE, piece_ns);
    share_of_run(300 * MS, SYSTEM_MODE, piece_ns);
    double system = share_of_run(S, SYSTEM_MODE, piece_ns);
    ok(user > 0.995 && system < 0.001,
       "a sample each %d us, and a reading each %d: 1 s of user time reads %.4f, 1 s of system time %.4f",
       (int)(asked_ns / US), (int)(piece_ns / US), user, system);
}

TEST_EACH_PERIOD(every_period_is_right_of_pure_work)
{
    sample_each(asked_ns);
    for (int64_t piece_ns = 10 * US; piece_ns <= MS; piece_ns *= 10) {
        is_right_of_pure_work(piece_ns);
    }
}

/* The timer fires once per period. */
static void fires_once_per_period(void)
{
    sample_each(asked_ns);
    int64_t before = machine.samples;
    share_of_run(S, USER_MODE, MS);
    int64_t all = machine.samples - before;
    int64_t expected = S / tclk_sample_period_ns(asked_ns);
    ok(llabs(all - expected) <= 2 + expected / 1000, "asked for %d us: %d samples in 1 s (%d)", (int)(asked_ns / US),
       (int)all, (int)expected);
}

TEST(period_is_the_one_asked_for)
{
    at_each_period(fires_once_per_period);
    is_ns(tclk_sample_period_ns(90 * US), 89603, "90 us is 89.603 us");
    is_ns(tclk_sample_period_ns(250 * US), 189603, "250 us is 189.603 us");
    is_ns(tclk_sample_period_ns(MS), 789603, "1 ms is 789.603 us");
    is_ns(tclk_sample_period_ns(10 * MS), 8789603, "10 ms is 8.789603 ms");
}

/* Returns how far the share of rounds, half user and half system time, is from a half. */
static double off_of_rounds(int64_t round_ns, int64_t for_ns)
{
    struct tclk_point from = read_now();
    while (machine.cpu_ns - from.cpu_ns < for_ns) {
        machine_run(round_ns / 2, USER_MODE);
        machine_run(round_ns / 2, SYSTEM_MODE);
    }
    struct tclk_point to = read_now();
    return fabs(share_between(from, to) - 0.5);
}

/* A sample takes CPU time in which the thread does not run. */
TEST_EACH_PERIOD(usual_rounds_are_divided)
{
    static const int64_t rounds_ns[] = {20 * US, 50 * US, 100 * US, 200 * US, 500 * US, MS};
    double worst = 0;
    sample_each(asked_ns);
    for (machine.sample_cost_ns = 0; machine.sample_cost_ns <= 25 * US; machine.sample_cost_ns += US) {
        for (size_t r = 0; r < sizeof rounds_ns / sizeof rounds_ns[0]; r++) {
            double off = off_of_rounds(rounds_ns[r], 50 * tclk_sample_period_ns(asked_ns));
            worst = off > worst ? off : worst;
        }
    }
    ok(worst < 0.2,
       "asked for %d us: halves of rounds of 20 us to 1 ms, at a price of 0 to 25 us a sample, are off by %.3f at "
       "worst",
       (int)(asked_ns / US), worst);
}

/* The period that was asked for divides these rounds, so that a sample each 1 ms would find only one half. */
TEST_EACH_PERIOD(rounds_of_the_period_are_divided)
{
    sample_each(asked_ns);
    struct tclk_point from = read_now();
    while (read_now().cpu_ns - from.cpu_ns < 5 * S) {
        machine_run(asked_ns / 2, USER_MODE);
        machine_run(asked_ns / 2, SYSTEM_MODE);
    }
    struct tclk_point to = read_now();
    double share = share_between(from, to);
    ok(share > 0.48 && share < 0.52, "halves of a round of %d us, sampled each %d us: %.3f", (int)(asked_ns / US),
       (int)(asked_ns / US), share);
}

/* The work is in step with the tick, which finds only user time. */
TEST(ticks_do_not_matter)
{
    use_samples(TCLK_SOURCE_RSEQ);
    struct tclk_point from = read_now();
    for (int i = 0; i < 500; i++) {
        machine_run(MACHINE_TICK_NS - machine.raw_ns % MACHINE_TICK_NS - 3 * MS, SYSTEM_MODE);
        run_and_read(2 * MS, SYSTEM_MODE);
        run_and_read(MS + 100 * US, USER_MODE);
    }
    is_share(share_since(from), 0.26, 0.29, "a share of 0.275 that ticks take for 1 reads");
}

/* Each end may be wrong by one sample. */
static void tells_requests_apart(void)
{
    int64_t period_ns = tclk_sample_period_ns(asked_ns);
    int64_t worst_ns = 0;
    int64_t sum_ns = 0;
    sample_each(asked_ns);
    for (int i = 0; i < 1000; i++) {
        enum machine_mode mode = random_next() % 2 == 0 ? USER_MODE : SYSTEM_MODE;
        struct tclk_point from = read_now();
        struct tclk_point to = run_and_read(2 * MS, mode);
        int64_t off_ns = llabs(to.user_ns - from.user_ns - (mode == USER_MODE ? 2 * MS : 0));
        worst_ns = off_ns > worst_ns ? off_ns : worst_ns;
        sum_ns += off_ns;
    }
    ok(worst_ns < 2 * period_ns && sum_ns / 1000 < period_ns / 2,
       "sampled each %d us, requests of 2 ms, all user or all system, are off by %" PRId64 " us, at worst %" PRId64,
       (int)(asked_ns / US), sum_ns / 1000 / US, worst_ns / US);
}

TEST(requests_are_told_apart)
{
    at_period(90 * US, tells_requests_apart);
    at_period(250 * US, tells_requests_apart);
    at_period(500 * US, tells_requests_apart);
}

TEST_EACH_PERIOD(curve_keeps_the_law)
{
    sample_each(asked_ns);
    for (int i = 0; i < 50000; i++) {
        machine_run((int64_t)(random_next() % (UINT64_C(1) << random_next() % 20)),
                    random_next() % 2 == 0 ? USER_MODE : SYSTEM_MODE);
        if (random_next() % 64 == 0) {
            machine_sleep(10 * US);
        }
        read_now();
    }
    ok(readings.count > 50000, "%" PRId64 " readings are made at a sample each %d us", readings.count,
       (int)(asked_ns / US));
}

/* ---- calls of the kernel ---- */

TEST(asks_no_more_than_others)
{
    use_samples(TCLK_SOURCE_RSEQ);
    share_of_run(10 * MS, USER_MODE, 50 * US);
    uint64_t asked = machine.clock_reads;
    share_of_run(400 * MS, USER_MODE, 50 * US);
    is_ns((int64_t)(machine.clock_reads - asked) / 10, 20,
          "over 100 windows the kernel is asked 200 times: for the clock, and by the watch");
    struct tclk_stats stats = stats_now();
    ok(resyncs_in(stats) < 150, "a look at the samples does not count as asking it");
    diag("%d resyncs", (int)resyncs_in(stats));
}

TEST(follows_a_change_within_a_window)
{
    use_samples(TCLK_SOURCE_RSEQ);
    share_of_run(20 * MS, USER_MODE, 20 * US);
    uint64_t asked = machine.clock_reads;
    machine_sleep(MS);
    share_of_run(MS, SYSTEM_MODE, 20 * US);
    is_share(share_of_run(2 * MS, SYSTEM_MODE, 20 * US), 0, 0.1,
             "1 ms after a change of phase the new one shows, of user time");
    is_ns(machine.clock_reads - asked, 1, "the kernel was asked once, for the switch");
}

TEST(perf_shares_the_page)
{
    use_samples(TCLK_SOURCE_PERF);
    share_of_run(S, USER_MODE, MS);
    is_ns(machine.perf_pages, 0, "source perf has no page beside the sampled one");
    is_ns(machine.sample_events, 1, "there is one event");
    struct tclk_point before = read_now();
    machine_sleep(S);
    ok(read_now().cpu_ns - before.cpu_ns < MS, "the sampling event detects a sleep");
    RAISES(machine.clock_reads, 0, read_now(), "without a switch the kernel is not asked");
}

/* ---- observers ---- */

/* The ticks say 1, the last samples a quarter. The thread does not read meanwhile. */
TEST(observers_take_its_share)
{
    struct tclk_point last = {0, 0};
    use_samples(TCLK_SOURCE_RSEQ);
    share_of_run(S, USER_MODE, MS);
    for (int i = 0; i < 100; i++) {
        machine_run(20 * US, USER_MODE);
        run_and_read(59 * US, SYSTEM_MODE);
    }
    machine.system_ticks = 0;
    struct tclk_point first = observe_own();
    for (int i = 0; i < 1000; i++) {
        machine_run(79 * US, SYSTEM_MODE);
        last = observe_own();
    }
    is_share(share_between(first, last), 0.15, 0.35, "other threads go on at its last share");
    ok(read_now().user_ns >= last.user_ns, "and it does not read less than they did");
}

/* ---- sampling that fails ---- */

TEST(refused_is_smoothed)
{
    machine.sample_error = 13; /* EACCES */
    USE(.split = TCLK_SPLIT_SAMPLED, .source = TCLK_SOURCE_RSEQ);
    clock_says("split sampled: perf_event_open refused: EACCES (13)");
    clock_says("smoothed is used instead");
    RAISES(machine.sample_opens, 0,
           is_share(share_of_run(2 * S, USER_MODE, MS), 0.95, 1, "…and the time is divided all the same"),
           "nobody tries again");
}

TEST(refused_thread_is_smoothed)
{
    USE(.split = TCLK_SPLIT_SAMPLED, .source = TCLK_SOURCE_RSEQ);
    machine.sample_error = 24; /* EMFILE */
    RAISES(
        machine.sample_opens, 1,
        is_share(share_of_run(2 * S, USER_MODE, MS), 0.95, 1, "a thread that is refused one is divided all the same"),
        "it tried once");
    clock_says("split sampled: sound here");
    clock_says("split sampled, 1 threads: perf_event_open refused: EMFILE (24)");
}

TEST(limit_is_for_the_period)
{
    machine.sample_rate_max = 3000;
    sample_each(90 * US);
    clock_says("kernel.perf_event_max_sample_rate=3000; set it to 22320 or higher; smoothed is used instead");
    is_ns(machine.sample_opens, 0, "without an event");
    sample_each(MS);
    clock_says("split sampled: sound here, a sample each 789.6 us of CPU time");
    is_ns(machine.sample_events, 1, "and the thread is sampled");
}

/* Its bouts would need a shorter period than the limit allows. */
TEST(thread_without_bouts_is_sampled)
{
    machine.sample_rate_max = 3000;
    for (int i = 0; i < 100; i++) {
        run_and_read(300 * US, USER_MODE);
        machine_sleep(MS);
    }
    clock_says("1 threads cannot be sampled: kernel.perf_event_max_sample_rate=3000; set it to 16666");
    is_ns(machine.sample_opens, 0, "a thread that sleeps often is refused its bouts, without an event");
    sample_each(MS);
    is_ns(machine.sample_events, 1, "it is sampled where the split asks for longer periods");
    is_ns(stats_now().threads_suspected, 0, "and is no more counted among those that have bouts, or were refused any");
}

TEST(dead_event_is_refused)
{
    machine.samples_are_lost = true;
    USE(.split = TCLK_SPLIT_SAMPLED, .source = TCLK_SOURCE_RSEQ);
    clock_says("split sampled: its perf event takes no samples");
    is_ns(machine.sample_events, 0, "and is given back");
}

static int64_t threads_given_up(void)
{
    struct tclk_verdict last;
    return tclk_proof_threads_refused(&last);
}

TEST(silence_is_noticed)
{
    use_samples(TCLK_SOURCE_RSEQ);
    share_of_run(100 * MS, USER_MODE, MS);
    machine.samples_are_lost = true;
    share_of_run(150 * MS, USER_MODE, MS);
    is_ns(threads_given_up(), 1, "samples that stay away for 100 ms of user time are given up");
    clock_says("split sampled, 1 threads: its perf event takes no samples");
    share_of_run(500 * MS, USER_MODE, MS);
    is_share(share_of_run(S, USER_MODE, MS), 0.97, 1, "smoothed goes on");
}

/* With a share of one in a hundred, all of it by ticks, 1000 periods show that no samples come. */
TEST(long_periods_are_silent_for_longer)
{
    sample_each(10 * MS);
    share_of_run(100 * MS, USER_MODE, MS);
    machine.samples_are_lost = true;
    share_of_run(5 * S, USER_MODE, MS);
    is_ns(threads_given_up(), 0, "of samples each 10 ms, 500 that stay away are no silence");
    share_of_run(10 * S, USER_MODE, MS);
    is_ns(threads_given_up(), 1, "1500 are");
}

TEST(system_time_is_no_silence)
{
    use_samples(TCLK_SOURCE_RSEQ);
    share_of_run(3 * S, SYSTEM_MODE, MS);
    is_ns(threads_given_up(), 0, "3 s of system time without a sample are no silence");
}

/* ---- for the life of the process ---- */

static void stays(struct tclk_config config, const char *what)
{
    is_ns(tclk_clock_configure(&config), -EALREADY, "%s is refused to a process that samples", what);
    clock_says("split sampled:500us, ");
}

TEST(samples_to_the_end)
{
    sample_each(500 * US);
    stays((struct tclk_config){.split = TCLK_SPLIT_SMOOTHED}, "another split");
    stays((struct tclk_config){.split = TCLK_SPLIT_SAMPLED}, "another period");
    USE(.split = TCLK_SPLIT_SAMPLED, .sample_period_ns = 500 * US, .source = TCLK_SOURCE_CLOCK);
    share_of_run(100 * MS, SYSTEM_MODE, MS);
    is_share(share_of_run(100 * MS, SYSTEM_MODE, MS), 0, 0.01, "from another source, samples go on, of user time");
}
