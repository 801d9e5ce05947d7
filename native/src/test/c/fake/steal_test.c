/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Tests time that the counter counts and the kernel does not book: a hypervisor's steal, accounted interrupts. For each
 * source and window, readings run ahead of the kernel's by the steal since the anchor, but less than the window, and
 * then wait for the kernel. No detector is given up for that. A detector that misses a switch is, above a bound.
 */

#include "machine.h"
#include "stats.h"

#include <errno.h>
#include <tap.h>

/* A window also ends when the counter's upper half changes, every 1.7 s. This part of all steals is hidden by that. */
#define UPPER_HALF_DIVISOR 100

static const int64_t windows_ns[] = {4 * MS, MS, 100 * US, 100 * MS};
static const char *const window_names[] = {"the default window of 4 ms", "the strict one of 1 ms",
                                           "the shortest of 100 us", "the longest of 100 ms"};

#define WINDOWS (int)(sizeof windows_ns / sizeof windows_ns[0])

static int64_t window_ns;
static const char *who;

/* ---- one steal ---- */

struct outcome {
    int tries;
    int ahead; /* ahead by more than the steal, or than the window */
    /* steals inside the window that mislead nothing, which would make the test void */
    int not_seen;
    int late; /* the resync did not correct it */
    int64_t most_ns;
};

/* At the end of the window the kernel is asked. When it has caught up, readings equal its own again. */
static void await_correction(struct outcome *o, int64_t stolen_ns)
{
    run_and_read(window_ns, SYSTEM_MODE);
    run_and_read(stolen_ns, USER_MODE);
    machine_preempt(US);
    struct tclk_point last = read_now();
    o->late += last.cpu_ns > machine.cpu_ns + ROUNDING_NS || last.cpu_ns < machine.cpu_ns - RESYNC_NS;
}

static void steal_at(struct outcome *o, int64_t at_ns, int64_t stolen_ns)
{
    anchor_now();
    run_and_read(at_ns, USER_MODE);
    machine_steal(stolen_ns);
    int64_t ahead_ns = read_now().cpu_ns - machine.cpu_ns;
    bool is_inside = at_ns + stolen_ns + RESYNC_NS < window_ns;
    o->tries++;
    o->ahead += ahead_ns > stolen_ns + ROUNDING_NS || ahead_ns > window_ns;
    o->not_seen += is_inside && ahead_ns < stolen_ns - RESYNC_NS;
    o->most_ns = ahead_ns > o->most_ns ? ahead_ns : o->most_ns;
    await_correction(o, stolen_ns);
}

/* Steals from 1/20 of a window to two windows, at each twentieth of one. */
static void one_steal(void)
{
    struct outcome o = {0};
    for (int stolen = 1; stolen <= 40; stolen++) {
        for (int at = 0; at < 20; at++) {
            steal_at(&o, window_ns * at / 20, window_ns * stolen / 20);
        }
    }
    is_ns(o.ahead, 0, "%s: a reading is ahead by no more than was stolen, nor than the window", who);
    ok(o.not_seen <= o.tries / UPPER_HALF_DIVISOR, "%s: a steal inside the window does show, or nothing was tried",
       who);
    is_ns(o.late, 0, "%s: once the kernel has caught up, readings are its own again", who);
    readings_keep_the_law(who);
    diag("%d steals, ahead by at most %" PRId64 " us", o.tries, o.most_ns / US);
}

/* ---- while the kernel catches up ---- */

/* A thread that was ahead when it was switched out begins again there, as a virtual thread on a carrier does. */
static void never_stands_still(void)
{
    int64_t least = INT64_MAX;
    for (int64_t stolen_ns = 10 * US; stolen_ns < window_ns / 4; stolen_ns += window_ns / 50) {
        for (int64_t work_ns = 2 * US; work_ns < stolen_ns; work_ns *= 2) {
            anchor_now();
            run_and_read(window_ns / 4, USER_MODE);
            machine_steal(stolen_ns);
            read_now();
            machine_preempt(US);
            int64_t before_ns = read_now().cpu_ns;
            machine_run(work_ns, USER_MODE);
            int64_t part = 100 * (read_now().cpu_ns - before_ns) / work_ns;
            least = part < least ? part : least;
        }
    }
    ok(least >= 45, "%s: while the kernel catches up, work has half its time at least", who);
    diag("%d %% at least", (int)least);
}

/* ---- steal without end ---- */

/* A host that takes the CPU for 5 ms out of every 10, with readings on each side of it. */
static void half_the_cpu(void)
{
    struct outcome o = {0};
    anchor_now();
    for (int i = 0; i < 2000; i++) {
        run_and_read(5 * MS, i % 4 == 0 ? SYSTEM_MODE : USER_MODE);
        machine_steal(5 * MS);
        int64_t ahead_ns = read_now().cpu_ns - machine.cpu_ns;
        o.ahead += ahead_ns > window_ns;
        o.late += ahead_ns < -RESYNC_NS;
    }
    is_ns(o.ahead, 0, "%s: half the CPU stolen for 20 s never adds up to more than a window", who);
    is_ns(o.late, 0, "%s: … nor does a reading fall behind", who);
    readings_keep_the_law(who);
}

/* Interrupts that the kernel books elsewhere take 2 % of the time, as accounted ones do. */
static void interrupts(void)
{
    struct outcome o = {0};
    anchor_now();
    for (int i = 0; i < 20000; i++) {
        machine_run(98 * US, USER_MODE);
        machine_steal(2 * US);
        int64_t ahead_ns = read_now().cpu_ns - machine.cpu_ns;
        o.ahead += ahead_ns > window_ns / 50 + 2 * US + RESYNC_NS;
    }
    is_ns(o.ahead, 0, "%s: 2 %% of interrupt time mislead by 2 %% of a window", who);
    readings_keep_the_law(who);
}

static void with_each_window(void (*test)(void))
{
    char name[96];
    static const enum tclk_source sources[] = {TCLK_SOURCE_RSEQ, TCLK_SOURCE_PERF};
    for (int s = 0; s < 2; s++) {
        for (int i = 0; i < WINDOWS; i++) {
            struct tclk_config config = {.source = sources[s], .window_ns = windows_ns[i]};
            window_ns = windows_ns[i];
            snprintf(name, sizeof name, "%s, %s", tclk_source_name(sources[s]), window_names[i]);
            who = name;
            ok(tclk_clock_configure(&config) == 0, "%s is set", who);
            test();
        }
    }
}

TEST(steal_is_bounded)
{
    machine.sample_error = EACCES; /* only the reads themselves ask the kernel */
    with_each_window(one_steal);
    with_each_window(never_stands_still);
    with_each_window(half_the_cpu);
    with_each_window(interrupts);
    is_ns(demotions(), 0, "no detector is given up for all that was stolen");
}

/* Samples end lines long before the window, also the line of a clock that waits for the kernel. */
TEST(waits_for_the_kernel_no_longer_than_it_takes)
{
    USE(.source = TCLK_SOURCE_RSEQ, .split = TCLK_SPLIT_SAMPLED);
    int64_t most_ns = 0;
    for (int64_t stolen_ns = 10 * US; stolen_ns < 2 * MS; stolen_ns += 10 * US) {
        anchor_now();
        machine_steal(stolen_ns);
        read_now();
        machine_preempt(US);
        readings_begin();
        for (int i = 0; i < 400; i++) {
            run_and_read(10 * US, USER_MODE);
        }
        most_ns = readings.behind_ns > most_ns ? readings.behind_ns : most_ns;
    }
    ok(most_ns <= RESYNC_NS, "after a steal of 10 us to 2 ms, no reading is behind the kernel's (%" PRId64 " ns)",
       most_ns);
}

/* ---- the bound of the continuous check ---- */

/* A thread that sleeps unnoticed, in windows that are otherwise full. */
static void miss(int64_t slept_ns)
{
    machine_run(window_ns, USER_MODE);
    machine_sleep(slept_ns);
    read_now();
}

static int64_t demotions_after(int64_t configured_ns, int64_t slept_ns)
{
    USE(.window_ns = configured_ns);
    window_ns = configured_ns;
    anchor_now();
    machine.keeps_markers = true;
    for (int i = 0; i < 20; i++) {
        miss(slept_ns);
    }
    return demotions();
}

TEST(forgives_below_a_twentieth)
{
    is_ns(demotions_after(4 * MS, 190 * US), 0,
          "a miss of less than 5 %% of 4 ms may be anything, and demotes nothing");
}

TEST(blames_above_a_twentieth)
{
    ok(demotions_after(4 * MS, 210 * US) > 0, "one of more than 5 %% demotes the source");
}

TEST(forgives_below_the_least)
{
    is_ns(demotions_after(100 * US, 45 * US), 0,
          "in the shortest window less than 50 us demote nothing, although it is half of it");
}

TEST(blames_in_the_strict_window)
{
    ok(demotions_after(MS, 60 * US) > 0, "in the strict window, a miss of 60 us demotes the source");
}

/* With a miss and a steal in one window, the steal does not excuse the miss. */
TEST(steal_excuses_no_miss)
{
    USE(.window_ns = 0);
    window_ns = 4 * MS;
    anchor_now();
    machine.keeps_markers = true;
    for (int i = 0; i < 20; i++) {
        machine_steal(MS);
        miss(MS);
    }
    ok(demotions() > 0, "a host that steals does not excuse a missed switch");
}
