/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/selftest.h"

#include "kernel/probe.h"
#include "kernel/schedstat.h"
#include "kernel/usage.h"

static int64_t voluntary_switches(void)
{
    struct tclk_usage usage;
    return tclk_usage_read(&usage) == 0 ? (int64_t)usage.voluntary_switches : -1;
}

struct sleep {
    bool switched;
    bool stayed; /* the thread returned to its place */
    bool kept;   /* the marker was still there */
};

/* With 0 ns, waits for a child instead. */
static void be_switched_out(int64_t ns)
{
    if (ns > 0) {
        tclk_probe_sleep(ns);
    } else {
        tclk_probe_await_child();
    }
}

static struct sleep sleep_armed(struct tclk_detector detector, int64_t ns)
{
    int64_t before = voluntary_switches();
    uint64_t place = tclk_detector_place(detector);
    uint64_t armed = tclk_detector_arm(detector);
    be_switched_out(ns);
    struct sleep sleep = {.kept = tclk_detector_is_intact(detector, armed)};
    sleep.stayed = tclk_detector_place(detector) == place;
    sleep.switched = before >= 0 && voluntary_switches() > before;
    return sleep;
}

static int64_t next_ns(int64_t ns, bool switched)
{
    return switched || ns >= TCLK_SELFTEST_SLEEP_MAX_NS ? ns : 2 * ns;
}

static void count_sleep(struct sleep sleep, struct tclk_selftest *test)
{
    if (sleep.switched && sleep.stayed) {
        test->sleeps++;
        test->missed += sleep.kept;
    }
}

static void call_once(struct tclk_detector detector, struct tclk_selftest *test)
{
    uint64_t armed = tclk_detector_arm(detector);
    tclk_probe_call();
    test->kept += tclk_detector_is_intact(detector, armed);
}

/* Another sleep replaces one that migrates the thread, because such a sleep proves nothing. */
static void sleep_often(struct tclk_detector detector, struct tclk_selftest *test)
{
    int64_t ns = TCLK_SELFTEST_SLEEP_NS;
    int moved = 0;
    for (int slept = 0; slept - moved < TCLK_SELFTEST_SLEEPS && moved <= TCLK_SELFTEST_MOVES; slept++) {
        struct sleep sleep = sleep_armed(detector, ns);
        moved += !sleep.stayed;
        count_sleep(sleep, test);
        ns = next_ns(ns, sleep.switched);
    }
}

/* Waits for children until there are as many results as sleeps should have given. The other detectors do not need
 * this: they detect a sleep wherever it ends, and the self-test creates no child for them (proof.c), because a
 * seccomp filter may forbid it. */
static void await_children(struct tclk_detector detector, struct tclk_selftest *test)
{
    int waits = detector.kind == TCLK_DETECTOR_IDS ? TCLK_SELFTEST_WAITS : 0;
    for (int i = 0; i < waits && test->sleeps < TCLK_SELFTEST_SLEEPS_NEEDED; i++) {
        count_sleep(sleep_armed(detector, 0), test);
    }
}

struct tclk_selftest tclk_selftest_run(struct tclk_detector detector)
{
    struct tclk_selftest test = {0};
    sleep_often(detector, &test);
    await_children(detector, &test);
    for (int i = 0; i < TCLK_SELFTEST_CALLS; i++) {
        call_once(detector, &test);
    }
    return test;
}

bool tclk_selftest_keeps(struct tclk_detector detector, int *sleeps)
{
    int64_t ns = TCLK_SELFTEST_SLEEP_NS;
    bool kept = false;
    *sleeps = 0;
    for (int i = 0; i < TCLK_SELFTEST_SLEEPS && !kept; i++) {
        struct sleep sleep = sleep_armed(detector, ns);
        kept = sleep.switched && sleep.kept;
        *sleeps += sleep.switched;
        ns = next_ns(ns, sleep.switched);
    }
    return kept;
}

/* ---- waits ---- */

/* All switches; -1 if they are unknown. */
static int64_t switches(void)
{
    struct tclk_switches all;
    return tclk_usage_read_switches(&all) == 0 ? all.voluntary + all.involuntary : -1;
}

static struct tclk_schedstat schedstat(void)
{
    struct tclk_schedstat stat = {0};
    tclk_schedstat_read(TCLK_SCHEDSTAT_OF_CALLER, &stat);
    return stat;
}

/* The switches are counted first and last, so that equal counts mean no switch in between. */
static void call_between(struct tclk_waits_selftest *test)
{
    int64_t before = switches();
    struct tclk_schedstat from = schedstat();
    tclk_probe_call();
    struct tclk_schedstat to = schedstat();
    if (before >= 0 && switches() == before) {
        test->calm++;
        test->moved += to.delay_ns != from.delay_ns || to.timeslices != from.timeslices;
    }
}

/* The switches are counted last and first here, so that a count that has grown means a switch in between. Involuntary
 * ones prove nothing: the kernel counts no time slice after one that came when the thread was about to sleep. */
static bool sleep_between(int64_t ns, struct tclk_waits_selftest *test)
{
    struct tclk_schedstat from = schedstat();
    int64_t before = voluntary_switches();
    tclk_probe_sleep(ns);
    bool slept = before >= 0 && voluntary_switches() > before;
    struct tclk_schedstat to = schedstat();
    test->sleeps += slept;
    test->missed += slept && to.timeslices == from.timeslices;
    return slept;
}

struct tclk_waits_selftest tclk_selftest_run_waits(void)
{
    struct tclk_waits_selftest test = {0};
    int64_t ns = TCLK_SELFTEST_SLEEP_NS;
    for (int i = 0; i < TCLK_SELFTEST_CALLS; i++) {
        call_between(&test);
    }
    for (int i = 0; i < TCLK_SELFTEST_SLEEPS; i++) {
        ns = next_ns(ns, sleep_between(ns, &test));
    }
    return test;
}
