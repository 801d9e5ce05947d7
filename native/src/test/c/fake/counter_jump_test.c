/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Tests a counter that is wrong: it jumps ahead while the machine is suspended, starts again at 0 when the machine
 * resumes on another host, or has an offset on one CPU. Readings are then within a resync of the kernel's, they go on
 * from where they were, and no detector is given up.
 */

#include "clock/counter.h"
#include "machine.h"
#include "stats.h"

#include <stdlib.h>
#include <tap.h>

#define HOUR (3600 * S)

/* 2.5 counts a ns. */
#define COUNTS(ns) ((uint64_t)(ns)*5 / 2)

static const char *source;
static int wrong;

static void begin(void)
{
    wrong = 0;
    anchor_now();
}

static void note(int64_t slack_ns)
{
    struct tclk_point now = read_now();
    int64_t off_ns = now.cpu_ns - machine.cpu_ns;
    wrong += off_ns > slack_ns + ROUNDING_NS || off_ns < -RESYNC_NS - slack_ns;
}

static void work(void)
{
    for (int i = 0; i < 40; i++) {
        machine_run(300 * US, i % 3 == 0 ? SYSTEM_MODE : USER_MODE);
        note(0);
    }
}

static void is_right(const char *what)
{
    is_ns(wrong, 0, "%s: %s: readings are the kernel's", source, what);
    readings_keep_the_law(what);
}

/* ---- suspended ---- */

/* The counter ran on, but no clock did, and the thread was not switched out. */
static void suspended(void)
{
    static const int64_t slept_ns[] = {5 * MS, 2 * S, HOUR, 1000 * HOUR};
    begin();
    for (int i = 0; i < 4; i++) {
        work();
        machine_jump(slept_ns[i]);
        note(0);
        work();
    }
    is_right("a machine that was suspended for 5 ms to 1000 hours");
}

/* The machine is suspended while the kernel is asked, so that the moment of the answer is unknown. */
static int64_t suspended_ns;

static void suspend_now(void)
{
    machine_jump(suspended_ns);
}

static void suspended_in_a_resync(void)
{
    begin();
    for (int i = 0; i < 50; i++) {
        suspended_ns = i % 5 == 0 ? HOUR : i * 60 * US + 20 * US;
        machine_preempt(US);
        machine.in_next_call = suspend_now;
        note(0);
        work();
    }
    is_right("a machine that was suspended in the middle of a resync");
}

/* ---- started again ---- */

static void started_again(void)
{
    begin();
    work();
    machine_run(100 * S, USER_MODE);
    note(0);
    machine.counter_offset = 0 - COUNTS(machine.raw_ns);
    machine.counter = 0;
    note(0);
    work();
    is_right("a counter that started again at 0");
    machine.counter_offset = 0;
    machine_run(US, USER_MODE);
    note(0);
    work();
    is_right("a counter that came back from there");
}

/* A step that is smaller than the time since the anchor looks like a step back in time, and the kernel decides. */
static void small_steps_back(void)
{
    begin();
    for (int i = 0; i < 400; i++) {
        machine_run(500 * US, USER_MODE);
        note(0);
        machine_jump(-(i * US));
        note(i * US);
        machine_run(100 * US, USER_MODE);
        machine_preempt(US);
        note(0);
    }
    is_right("a counter that steps back by 0 to 400 us");
}

/* ---- a CPU whose counter is off ---- */

/* Every migration is a switch, so no reading combines the counters of two CPUs. */
static void two_cpus(int64_t apart_ns)
{
    begin();
    for (int i = 0; i < 500; i++) {
        machine_preempt(20 * US);
        machine_jump(i % 2 == 0 ? -apart_ns : apart_ns);
        note(0);
        machine_run(200 * US, USER_MODE);
        note(0);
    }
}

static int64_t apart_ns;

static void move_now(void)
{
    machine_preempt(US);
    machine_jump(-apart_ns);
}

static void moved_in_a_resync(void)
{
    begin();
    for (int i = 0; i < 200; i++) {
        apart_ns = i % 2 == 0 ? 50 * MS : -50 * MS;
        machine_preempt(US);
        machine.in_next_call = move_now;
        note(0);
        machine_run(200 * US, USER_MODE);
        note(0);
    }
    is_right("a thread that is moved to it in the middle of a resync");
}

static void offset_cpu(void)
{
    two_cpus(US);
    is_right("a CPU whose counter is 1 us behind");
    two_cpus(10 * S);
    is_right("a CPU whose counter is 10 s behind");
    moved_in_a_resync();
}

/* ---- afterwards ---- */

static double off_ppm(void)
{
    double true_scale = 0.4 * 4294967296.0 * 1e6 / (1e6 + (double)machine.counter_rate_ppm);
    double off = (double)tclk_calibration_scale() / true_scale - 1;
    return (off < 0 ? -off : off) * 1e6;
}

static void work_for(int64_t ns)
{
    for (int64_t done_ns = 0; done_ns < ns; done_ns += 3 * MS) {
        run_and_read(3 * MS, USER_MODE);
    }
}

static void scale_is_kept(void)
{
    work_for(S);
    ok(off_ppm() < 10, "%s: the scale has not followed any of these jumps (%.1f ppm off)", source, off_ppm());
    is_ns(demotions(), 0, "%s: and no detector is given up for them", source);
}

/* A virtual machine resumes on a host whose counter is younger, and has another rate. */
static void another_host(void)
{
    work_for(200 * S);
    machine_jump(-150 * S);
    machine.counter_rate_ppm = 20000;
    work_for(120 * S);
    ok(off_ppm() < 500, "%s: the rate of another host is followed, though its counter is younger", source);
    diag("%.1f ppm off", off_ppm());
}

static void try_source(enum tclk_source which)
{
    struct tclk_config config = {.source = which};
    source = tclk_source_name(which);
    ok(tclk_clock_configure(&config) == 0, "%s is available", source);
    suspended();
    suspended_in_a_resync();
    started_again();
    small_steps_back();
    offset_cpu();
    scale_is_kept();
    another_host();
}

TEST(with_rseq)
{
    try_source(TCLK_SOURCE_RSEQ);
}

TEST(with_perf)
{
    try_source(TCLK_SOURCE_PERF);
}
