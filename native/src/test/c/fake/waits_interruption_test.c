/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A signal after every single instruction of tclk_thread_waits(): while it returns what it has kept, while it fetches,
 * and while it stores. The handler does what it may do. It is switched out, reads the clock and the waits itself, and
 * is switched out again. All figures that anybody gets must be the kernel's of one moment of the call, and the next
 * call's those of now.
 */

#include "machine.h"
#include "stepping.h"

#include <tap.h>

#if defined(STEPPING_IS_HERE)

#define MOMENTS_MAX 8

/* The steps of the handler, in this order. */
struct intrusion {
    const char *what;
    bool sleeps;
    bool reads_clock;
    bool reads_waits;
    bool sleeps_then;
    bool reads_then;
};

static const struct intrusion intrusions[] = {
    {"does nothing", false, false, false, false, false},
    {"sleeps", true, false, false, false, false},
    {"reads the clock", false, true, false, false, false},
    {"sleeps, and reads the clock", true, true, false, false, false},
    {"sleeps, and asks", true, false, true, false, false},
    {"reads the clock, and sleeps", false, true, false, true, false},
    {"sleeps, asks, and sleeps", true, false, true, true, false},
    {"sleeps, asks, sleeps, and asks", true, false, true, true, true},
};

static const struct intrusion *intrusion;

/* The kernel's figures at each moment since the call began. */
static struct tclk_waits moments[MOMENTS_MAX];
static int moments_known;
static int wrong_in_handler;

static struct tclk_waits machines_waits(void)
{
    return (struct tclk_waits){machine.run_delay_ns, machine.voluntary_switches, machine.involuntary_switches};
}

static bool are_equal(struct tclk_waits a, struct tclk_waits b)
{
    return a.run_delay_ns == b.run_delay_ns && a.voluntary_switches == b.voluntary_switches &&
           a.involuntary_switches == b.involuntary_switches;
}

static void note_moment(void)
{
    moments[moments_known++] = machines_waits();
}

/* Without a detector each figure is of a moment of its own. */
static bool is_of_a_moment(struct tclk_waits waits)
{
    bool has_detector = tclk_clock_source() != TCLK_SOURCE_CLOCK;
    bool has_delay = false;
    bool has_switches = false;
    for (int i = 0; i < moments_known; i++) {
        struct tclk_waits moment = moments[i];
        bool delay = waits.run_delay_ns == moment.run_delay_ns;
        bool switches = waits.voluntary_switches == moment.voluntary_switches &&
                        waits.involuntary_switches == moment.involuntary_switches;
        if (delay && switches) {
            return true;
        }
        has_delay |= delay;
        has_switches |= switches;
    }
    return !has_detector && has_delay && has_switches;
}

static void be_switched_out(bool really)
{
    if (really) {
        machine_preempt(MS / 10);
        machine_sleep(MS / 10);
        note_moment();
    }
}

static void ask_in_handler(bool really)
{
    struct tclk_waits waits = {0, 0, 0};
    if (really) {
        wrong_in_handler += tclk_thread_waits(&waits) != 0 || !are_equal(waits, machines_waits());
    }
}

static void intrude(void)
{
    machine_signal();
    be_switched_out(intrusion->sleeps);
    if (intrusion->reads_clock) {
        read_now();
    }
    ask_in_handler(intrusion->reads_waits);
    be_switched_out(intrusion->sleeps_then);
    ask_in_handler(intrusion->reads_then);
}

static int wrong;
static int wrong_afterwards;

/* Prepares the thread for a call. */
struct situation {
    const char *what;
    void (*prepare)(void);
    long stride;
};

static const struct situation *situation;

static void ask_once(void)
{
    struct tclk_waits waits = {0, 0, 0};
    tclk_thread_waits(&waits);
    situation->prepare();
    moments_known = 0;
    note_moment();
    begin_steps();
    tclk_thread_waits(&waits);
    end_steps();
    if (was_over()) {
        return;
    }
    wrong += !is_of_a_moment(waits);
    read_now();
    tclk_thread_waits(&waits);
    wrong_afterwards += !are_equal(waits, machines_waits());
}

/* A reading may be late by the time that a resync takes. */
#define LATE_NS 5000

static void ask_everywhere(const struct situation *in)
{
    situation = in;
    for (intrusion = intrusions; intrusion < intrusions + sizeof intrusions / sizeof intrusions[0]; intrusion++) {
        wrong = wrong_in_handler = wrong_afterwards = 0;
        readings_begin();
        long tried = at_each_instruction(in->stride, ask_once);
        ok(tried > 0, "%s, and a handler that %s: %ld instructions tried", in->what, intrusion->what, tried);
        is_ns(wrong, 0, "…all figures are of one moment of the call");
        is_ns(wrong_in_handler, 0, "…those of the handler are the kernel's");
        is_ns(wrong_afterwards, 0, "…the next call's are the kernel's, too");
        ok(readings.ahead_ns <= 100 && readings.behind_ns <= LATE_NS, "…and so is the clock");
        readings_keep_the_law(in->what);
    }
}

static void nothing_happens(void)
{
    machine_run(20 * US, USER_MODE);
}

static void is_switched_out(void)
{
    machine_run(20 * US, USER_MODE);
    machine_preempt(MS / 10);
}

static void has_an_anchor_already(void)
{
    is_switched_out();
    read_now();
}

static const struct situation kept = {"a call that returns what is kept", nothing_happens, 1};
static const struct situation to_fetch = {"a call that fetches", has_an_anchor_already, 1};
static const struct situation to_resync = {"a call that resyncs and fetches", is_switched_out, 8};

static void try_source(enum tclk_source source)
{
    USE(.source = source);
    ask_everywhere(&kept);
    ask_everywhere(&to_fetch);
    if (source != TCLK_SOURCE_CLOCK) {
        ask_everywhere(&to_resync);
    }
    is_ns(demotions(), 0, "no detector is given up");
}

int main(void)
{
    stepping_begin(intrude);
    machine_boot((struct machine){0});
    try_source(TCLK_SOURCE_PERF);
    try_source(TCLK_SOURCE_RSEQ);
    try_source(TCLK_SOURCE_CLOCK);
    return done();
}

#endif
