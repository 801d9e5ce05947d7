/* SPDX-License-Identifier: Apache-2.0 */

/* The split `sampled`, on a kernel whose timer fires when it should. */

#include "clock/observe.h"
#include "clock/sampler.h"
#include "clock/source.h"
#include "kernel/tid.h"
#include "machine.h"
#include "random.h"
#include "stats.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <tap.h>

#define US INT64_C(1000)
#define MS INT64_C(1000000)
#define S INT64_C(1000000000)

/* From the shortest to the longest that may be asked for. */
static const int64_t periods_ns[] = {90 * US, 250 * US, 500 * US, MS, 2 * MS, 5 * MS, 10 * MS};
#define PERIODS (sizeof periods_ns / sizeof periods_ns[0])

static void sample_each(int64_t period_ns)
{
    struct tclk_config config = {
        .source = TCLK_SOURCE_RSEQ, .split = TCLK_SPLIT_SAMPLED, .sample_period_ns = period_ns};
    tclk_clock_configure(&config);
    read_now();
}

static int configure(enum tclk_split split, enum tclk_source source)
{
    struct tclk_config config = {.source = source, .split = split};
    return tclk_clock_configure(&config);
}

static void use_samples(enum tclk_source source)
{
    ok(configure(TCLK_SPLIT_SAMPLED, source) == 0, "sampled is available");
    read_now();
}

static bool explains(const char *words)
{
    char text[1024];
    tclk_clock_explain(text, sizeof text);
    return strstr(text, words) != NULL;
}

static double share_of_run(int64_t ns, enum machine_mode mode, int64_t piece_ns)
{
    struct tclk_point from = read_now();
    struct tclk_point to = from;
    while (to.cpu_ns < from.cpu_ns + ns) {
        machine_run(piece_ns, mode);
        to = read_now();
    }
    return (double)(to.user_ns - from.user_ns) / (double)(to.cpu_ns - from.cpu_ns);
}

/* ---- user time by samples ---- */

static void pure_work_is_pure(void)
{
    use_samples(TCLK_SOURCE_RSEQ);
    for (int64_t piece_ns = 10 * US; piece_ns <= MS; piece_ns *= 10) {
        share_of_run(10 * MS, USER_MODE, piece_ns);
        double user = share_of_run(S, USER_MODE, piece_ns);
        ok(user > 0.995, "1 s of user time, read each %d us, reads %.4f", (int)(piece_ns / US), user);
        share_of_run(10 * MS, SYSTEM_MODE, piece_ns);
        double system = share_of_run(S, SYSTEM_MODE, piece_ns);
        ok(system < 0.001, "1 s of system time, read each %d us, reads %.4f user", (int)(piece_ns / US), system);
    }
}

static void every_period_is_right_of_pure_work(void)
{
    for (size_t i = 0; i < PERIODS; i++) {
        sample_each(periods_ns[i]);
        share_of_run(300 * MS, USER_MODE, 300 * US);
        double user = share_of_run(S, USER_MODE, 300 * US);
        share_of_run(300 * MS, SYSTEM_MODE, 300 * US);
        double system = share_of_run(S, SYSTEM_MODE, 300 * US);
        ok(user > 0.995 && system < 0.001, "a sample each %d us: 1 s of user time reads %.4f, 1 s of system time %.4f",
           (int)(periods_ns[i] / US), user, system);
    }
}

/* The timer fires once per period. */
static void period_is_the_one_asked_for(void)
{
    for (size_t i = 0; i < PERIODS; i++) {
        sample_each(periods_ns[i]);
        int64_t before = machine.samples;
        share_of_run(S, USER_MODE, MS);
        int64_t all = machine.samples - before;
        int64_t expected = S / tclk_sample_period_ns(periods_ns[i]);
        ok(llabs(all - expected) <= 2 + expected / 1000, "asked for %d us: %d samples in 1 s (%d)",
           (int)(periods_ns[i] / US), (int)all, (int)expected);
    }
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
    return fabs((double)(to.user_ns - from.user_ns) / (double)(to.cpu_ns - from.cpu_ns) - 0.5);
}

/* A sample takes CPU time in which the thread does not run. */
static void usual_rounds_are_divided(void)
{
    static const int64_t rounds_ns[] = {20 * US, 50 * US, 100 * US, 200 * US, 500 * US, MS};
    double worst = 0;
    for (int64_t cost_ns = 0; cost_ns <= 25 * US; cost_ns += US) {
        machine.sample_cost_ns = cost_ns;
        for (size_t i = 0; i < PERIODS; i++) {
            sample_each(periods_ns[i]);
            for (size_t r = 0; r < sizeof rounds_ns / sizeof rounds_ns[0]; r++) {
                double off = off_of_rounds(rounds_ns[r], 50 * tclk_sample_period_ns(periods_ns[i]));
                worst = off > worst ? off : worst;
            }
        }
    }
    ok(worst < 0.2,
       "halves of rounds of 20 us to 1 ms, at a price of 0 to 25 us a sample, are off by %.3f at "
       "worst",
       worst);
}

/* The period that was asked for divides these rounds, so that a sample each 1 ms would find only one half. */
static void rounds_of_the_period_are_divided(void)
{
    for (size_t i = 0; i < PERIODS; i++) {
        sample_each(periods_ns[i]);
        struct tclk_point from = read_now();
        while (read_now().cpu_ns - from.cpu_ns < 5 * S) {
            machine_run(periods_ns[i] / 2, USER_MODE);
            machine_run(periods_ns[i] / 2, SYSTEM_MODE);
        }
        struct tclk_point to = read_now();
        double share = (double)(to.user_ns - from.user_ns) / (double)(to.cpu_ns - from.cpu_ns);
        ok(share > 0.48 && share < 0.52, "halves of a round of %d us, sampled each %d us: %.3f",
           (int)(periods_ns[i] / US), (int)(periods_ns[i] / US), share);
    }
}

/* The work is in step with the tick, which finds only user time. */
static void ticks_do_not_matter(void)
{
    use_samples(TCLK_SOURCE_RSEQ);
    struct tclk_point from = read_now();
    for (int i = 0; i < 500; i++) {
        machine_run(MACHINE_TICK_NS - machine.raw_ns % MACHINE_TICK_NS - 3 * MS, SYSTEM_MODE);
        machine_run(2 * MS, SYSTEM_MODE);
        read_now();
        machine_run(MS + 100 * US, USER_MODE);
        read_now();
    }
    struct tclk_point to = read_now();
    double share = (double)(to.user_ns - from.user_ns) / (double)(to.cpu_ns - from.cpu_ns);
    ok(share > 0.26 && share < 0.29, "a share of 0.275 that ticks take for 1 reads %.3f", share);
}

/* Each end may be wrong by one sample. */
static void requests_are_told_apart_at(int64_t asked_ns)
{
    int64_t period_ns = tclk_sample_period_ns(asked_ns);
    int64_t worst_ns = 0;
    int64_t sum_ns = 0;
    sample_each(asked_ns);
    for (int i = 0; i < 1000; i++) {
        enum machine_mode mode = random_next() % 2 == 0 ? USER_MODE : SYSTEM_MODE;
        struct tclk_point from = read_now();
        machine_run(2 * MS, mode);
        struct tclk_point to = read_now();
        int64_t off_ns = llabs(to.user_ns - from.user_ns - (mode == USER_MODE ? 2 * MS : 0));
        worst_ns = off_ns > worst_ns ? off_ns : worst_ns;
        sum_ns += off_ns;
    }
    ok(worst_ns < 2 * period_ns && sum_ns / 1000 < period_ns / 2,
       "sampled each %d us, requests of 2 ms, all user or all system, are off by %" PRId64 " us, at worst %" PRId64,
       (int)(asked_ns / US), sum_ns / 1000 / US, worst_ns / US);
}

static void requests_are_told_apart(void)
{
    requests_are_told_apart_at(90 * US);
    requests_are_told_apart_at(250 * US);
    requests_are_told_apart_at(500 * US);
}

static void curve_keeps_the_law(void)
{
    int64_t broken = 0;
    use_samples(TCLK_SOURCE_RSEQ);
    struct tclk_point last = read_now();
    for (int i = 0; i < 200000; i++) {
        if (random_next() % 512 == 0) {
            sample_each(periods_ns[random_next() % PERIODS]);
        }
        machine_run((int64_t)(random_next() % (UINT64_C(1) << random_next() % 20)),
                    random_next() % 2 == 0 ? USER_MODE : SYSTEM_MODE);
        if (random_next() % 64 == 0) {
            machine_sleep(10 * US);
        }
        struct tclk_point now = read_now();
        broken += now.user_ns < last.user_ns || now.cpu_ns < last.cpu_ns ||
                  now.user_ns - last.user_ns > now.cpu_ns - last.cpu_ns;
        last = now;
    }
    is_ns(broken, 0,
          "of 200 000 readings, by changing periods, none steps back, or shows more user time than "
          "CPU time");
}

/* ---- calls of the kernel ---- */

static void asks_no_more_than_others(void)
{
    use_samples(TCLK_SOURCE_RSEQ);
    share_of_run(10 * MS, USER_MODE, 50 * US);
    uint64_t asked = machine.clock_reads;
    share_of_run(400 * MS, USER_MODE, 50 * US);
    is_ns((int64_t)(machine.clock_reads - asked) / 10, 20,
          "over 100 windows the kernel is asked 200 times: for the clock, and by the watch");
    struct tclk_stats stats = stats_now();
    ok(stats.reads < 150, "a look at the samples does not count as asking it");
    diag("%d reads", (int)stats.reads);
}

static void follows_a_change_within_a_window(void)
{
    use_samples(TCLK_SOURCE_RSEQ);
    share_of_run(20 * MS, USER_MODE, 20 * US);
    uint64_t asked = machine.clock_reads;
    machine_sleep(MS);
    share_of_run(MS, SYSTEM_MODE, 20 * US);
    double share = share_of_run(2 * MS, SYSTEM_MODE, 20 * US);
    ok(share < 0.1, "1 ms after a change of phase the new one shows: %.3f user", share);
    is_ns((int64_t)(machine.clock_reads - asked), 1, "the kernel was asked once, for the switch");
}

static void perf_shares_the_page(void)
{
    use_samples(TCLK_SOURCE_PERF);
    share_of_run(S, USER_MODE, MS);
    is_ns(machine.perf_pages, 0, "source perf has no page beside the sampled one");
    is_ns(machine.sample_events, 1, "there is one event");
    struct tclk_point before = read_now();
    machine_sleep(S);
    ok(read_now().cpu_ns - before.cpu_ns < MS, "the sampling event detects a sleep");
    uint64_t asked = machine.clock_reads;
    read_now();
    is_ns((int64_t)(machine.clock_reads - asked), 0, "without a switch the kernel is not asked");
}

/* ---- observers ---- */

/* The ticks say 1, the last samples a quarter. The thread does not read meanwhile. */
static void observers_take_its_share(void)
{
    struct tclk_times first;
    struct tclk_times last;
    use_samples(TCLK_SOURCE_RSEQ);
    share_of_run(S, USER_MODE, MS);
    for (int i = 0; i < 100; i++) {
        machine_run(20 * US, USER_MODE);
        machine_run(59 * US, SYSTEM_MODE);
        read_now();
    }
    machine.system_ticks = 0;
    tclk_observe_times(tclk_tid_own(), 0, &first);
    for (int i = 0; i < 1000; i++) {
        machine_run(79 * US, SYSTEM_MODE);
        tclk_observe_times(tclk_tid_own(), 0, &last);
    }
    double share = (double)(last.user_ns - first.user_ns) / (double)(last.cpu_ns - first.cpu_ns);
    ok(share > 0.15 && share < 0.35, "other threads go on at its last share: %.3f", share);
    ok(read_now().user_ns >= last.user_ns, "and it does not read less than they did");
}

/* ---- sampling that fails ---- */

static void refused_is_smoothed(void)
{
    machine.sample_error = 13; /* EACCES */
    ok(configure(TCLK_SPLIT_SAMPLED, TCLK_SOURCE_RSEQ) == 0, "sampled may be asked for in vain");
    ok(explains("split sampled: perf_event_open refused: EACCES (13)") && explains("smoothed is used instead"),
       "it is explained");
    int64_t opens = machine.sample_opens;
    double user = share_of_run(2 * S, USER_MODE, MS);
    ok(user > 0.95, "…and the time is divided all the same: %.3f", user);
    is_ns(machine.sample_opens - opens, 0, "nobody tries again");
}

static void refused_thread_is_smoothed(void)
{
    configure(TCLK_SPLIT_SAMPLED, TCLK_SOURCE_RSEQ);
    machine.sample_error = 24; /* EMFILE */
    int64_t opens = machine.sample_opens;
    double user = share_of_run(2 * S, USER_MODE, MS);
    ok(user > 0.95, "a thread that is refused one is divided all the same: %.3f", user);
    is_ns(machine.sample_opens - opens, 1, "it tried once");
    ok(explains("split sampled: sound here") &&
           explains("split sampled, 1 threads: perf_event_open refused: EMFILE (24)"),
       "both is explained");
}

static void slow_limit_is_refused(void)
{
    machine.sample_rate_max = 1000;
    configure(TCLK_SPLIT_SAMPLED, TCLK_SOURCE_RSEQ);
    ok(explains("kernel.perf_event_max_sample_rate=1000; set it to 22"), "a limit that would throttle is refused");
    is_ns(machine.sample_opens, 0, "without an event");
}

static void limit_is_for_the_period(void)
{
    machine.sample_rate_max = 3000;
    sample_each(90 * US);
    ok(explains("set it to 22320 or higher; smoothed is used instead"), "90 us are too short for it");
    sample_each(MS);
    ok(explains("split sampled: sound here, a sample each 789.6 us of CPU time"), "a period of 1 ms is long enough");
    is_ns(machine.sample_events, 1, "and the thread is sampled");
    sample_each(90 * US);
    is_ns(machine.sample_events, 0, "90 us again: it is not any more");
}

static void dead_event_is_refused(void)
{
    machine.samples_are_lost = true;
    configure(TCLK_SPLIT_SAMPLED, TCLK_SOURCE_RSEQ);
    ok(explains("split sampled: its perf event takes no samples"), "an event that takes no samples is refused");
    is_ns(machine.sample_events, 0, "and is given back");
}

static void silence_is_noticed(void)
{
    use_samples(TCLK_SOURCE_RSEQ);
    share_of_run(100 * MS, USER_MODE, MS);
    machine.samples_are_lost = true;
    share_of_run(150 * MS, USER_MODE, MS);
    is_ns(machine.sample_events, 0, "samples that stay away for 100 ms of user time are given up");
    ok(explains("split sampled, 1 threads: its perf event takes no samples"), "visibly");
    share_of_run(500 * MS, USER_MODE, MS);
    double user = share_of_run(S, USER_MODE, MS);
    ok(user > 0.97, "smoothed goes on: %.3f", user);
}

/* With a share of one in a hundred, all of it by ticks, 1000 periods show that no samples come. */
static void long_periods_are_silent_for_longer(void)
{
    sample_each(10 * MS);
    share_of_run(100 * MS, USER_MODE, MS);
    machine.samples_are_lost = true;
    share_of_run(5 * S, USER_MODE, MS);
    is_ns(machine.sample_events, 1, "of samples each 10 ms, 500 that stay away are no silence");
    share_of_run(10 * S, USER_MODE, MS);
    is_ns(machine.sample_events, 0, "1500 are");
}

static void system_time_is_no_silence(void)
{
    use_samples(TCLK_SOURCE_RSEQ);
    share_of_run(3 * S, SYSTEM_MODE, MS);
    is_ns(machine.sample_events, 1, "3 s of system time without a sample are no silence");
}

/* ---- changing settings ---- */

static void ends_and_begins_again(void)
{
    use_samples(TCLK_SOURCE_PERF);
    share_of_run(100 * MS, USER_MODE, MS);
    configure(TCLK_SPLIT_SMOOTHED, TCLK_SOURCE_PERF);
    struct tclk_point before = read_now();
    is_ns(machine.sample_events, 0, "smoothed again: the event is gone at the next read");
    share_of_run(100 * MS, SYSTEM_MODE, MS);
    configure(TCLK_SPLIT_SAMPLED, TCLK_SOURCE_PERF);
    struct tclk_point after = read_now();
    is_ns(machine.sample_events, 1, "sampled again: there is one");
    ok(after.user_ns >= before.user_ns && after.cpu_ns >= before.cpu_ns, "no time is lost");
    double share = share_of_run(100 * MS, SYSTEM_MODE, 100 * US);
    ok(share < 0.01, "its samples begin anew: %.3f user", share);
}

/* Neither the samples of the old period nor their absence count. */
static void follows_another_period(void)
{
    sample_each(90 * US);
    share_of_run(S, USER_MODE, MS);
    struct tclk_point before = read_now();
    sample_each(5 * MS);
    is_ns(machine.sample_events, 1, "another period: there is one event");
    is_ns(machine.sample_period_ns, tclk_sample_period_ns(5 * MS), "the event has the new period");
    ok(explains("split sampled:5ms, ") && explains(", a sample each 4389.6 us of CPU time\n"), "which is told");
    ok(read_now().user_ns >= before.user_ns, "no time is lost");
    double user = share_of_run(100 * MS, USER_MODE, 100 * US);
    ok(user > 0.97, "its share goes on: %.3f user", user);
    share_of_run(100 * MS, SYSTEM_MODE, MS);
    sample_each(90 * US);
    double system = share_of_run(100 * MS, SYSTEM_MODE, MS);
    ok(system < 0.01, "and so does it back to the shorter one: %.3f user", system);
    is_ns(machine.perf_pages, 0, "nothing else is opened for it");
}

/* The next event's page may have the very word that the anchor's marker had. */
static void asks_the_kernel_at_another_period(void)
{
    use_samples(TCLK_SOURCE_PERF);
    share_of_run(10 * MS, USER_MODE, 20 * US);
    uint64_t asked = machine.clock_reads;
    tclk_settings.sample_period_ns = MS; /* another thread has configured it */
    share_of_run(MS, USER_MODE, 20 * US);
    ok(machine.clock_reads > asked, "within a ms of another period the kernel is asked");
    struct tclk_point before = read_now();
    machine_sleep(S);
    ok(read_now().cpu_ns - before.cpu_ns < MS, "and a sleep is told of");
}

int main(void)
{
    void (*tests[])(void) = {
        every_period_is_right_of_pure_work,
        period_is_the_one_asked_for,
        usual_rounds_are_divided,
        rounds_of_the_period_are_divided,
        limit_is_for_the_period,
        long_periods_are_silent_for_longer,
        follows_another_period,
        asks_the_kernel_at_another_period,
        pure_work_is_pure,
        ticks_do_not_matter,
        requests_are_told_apart,
        curve_keeps_the_law,
        asks_no_more_than_others,
        follows_a_change_within_a_window,
        perf_shares_the_page,
        observers_take_its_share,
        refused_is_smoothed,
        refused_thread_is_smoothed,
        slow_limit_is_refused,
        dead_event_is_refused,
        silence_is_noticed,
        system_time_is_no_silence,
        ends_and_begins_again,
    };
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        in_fresh_process(tests[i]);
    }
    return done();
}
