/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A signal after every single instruction of tclk_thread_waits(): while it returns what it has kept, while it fetches,
 * and while it stores. The handler does what it may do. It is switched out, reads the clock and the waits itself, and
 * is switched out again. All figures that anybody gets must be the kernel's of one moment of the call, and the next
 * call's those of now.
 */

#include "machine.h"
#include "stats.h"
#include "stepping.h"

#include <tap.h>

#if defined(STEPPING_IS_HERE)

#define MS INT64_C(1000000)
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

static struct tclk_waits wait_with_intrusion_at(long k)
{
    struct tclk_waits waits = {0, 0, 0};
    step = 0;
    steps_until_intrusion = k;
    start_stepping();
    tclk_thread_waits(&waits);
    stop_stepping();
    machine.when_outside = NULL;
    return waits;
}

struct outcome {
    long ks;
    int wrong;
    int wrong_afterwards;
    int wrong_clock;
};

/* A reading may be late by the time that a resync takes. */
#define LATE_NS 5000

static bool try_at(long k, void (*prepare)(void), struct outcome *outcome)
{
    struct tclk_waits after = {0, 0, 0};
    tclk_thread_waits(&after);
    prepare();
    moments_known = 0;
    note_moment();
    struct tclk_waits waits = wait_with_intrusion_at(k);
    if (step <= k) {
        return false;
    }
    outcome->ks++;
    outcome->wrong += !is_of_a_moment(waits);
    int64_t ahead_ns = read_now().cpu_ns - machine.cpu_ns;
    outcome->wrong_clock += ahead_ns > 100 || ahead_ns < -LATE_NS;
    tclk_thread_waits(&after);
    outcome->wrong_afterwards += !are_equal(after, machines_waits());
    return true;
}

/* Where there are a thousand instructions, only every 17th is tried, and others with the next intrusion, because all
 * those before it are stepped through each time. A brief run of the suite tries fewer. */
#define STRIDE 17

static long strides(long stride)
{
    return getenv("TCLK_BRIEF") == NULL ? stride : 11 * stride;
}

static void try_everywhere(const char *kind, void (*prepare)(void), long stride)
{
    struct outcome outcome = {0, 0, 0, 0};
    static long turn;
    long k = turn++ % strides(stride);
    wrong_in_handler = 0;
    while (try_at(k, prepare, &outcome)) {
        k += strides(stride);
    }
    ok(outcome.ks > 0, "%s, and a handler that %s: %ld instructions tried", kind, intrusion->what, outcome.ks);
    is_ns(outcome.wrong, 0, "…all figures are of one moment of the call");
    is_ns(wrong_in_handler, 0, "…those of the handler are the kernel's");
    is_ns(outcome.wrong_afterwards, 0, "…the next call's are the kernel's, too");
    is_ns(outcome.wrong_clock, 0, "…and so is the clock");
}

static void nothing_happens(void)
{
    machine_run(20000, USER_MODE);
}

static void is_switched_out(void)
{
    machine_run(20000, USER_MODE);
    machine_preempt(MS / 10);
}

static void has_an_anchor_already(void)
{
    is_switched_out();
    read_now();
}

/* Every other time, the program has closed the file that the thread keeps. */
static void may_have_lost_its_file(void)
{
    has_an_anchor_already();
    machine.schedstat_is_closed = !machine.schedstat_is_closed;
}

static void try_kept_file(void)
{
    struct tclk_config config = {.source = TCLK_SOURCE_RSEQ, .keeps_descriptors = true};
    ok(tclk_clock_configure(&config) == 0, "descriptors may be kept");
    for (size_t i = 0; i < sizeof intrusions / sizeof intrusions[0]; i++) {
        intrusion = &intrusions[i];
        try_everywhere("a call that fetches from a kept file", has_an_anchor_already, 3);
    }
    is_ns(machine.open_files, 1, "one file is kept in the end");
    for (size_t i = 0; i < sizeof intrusions / sizeof intrusions[0]; i++) {
        intrusion = &intrusions[i];
        try_everywhere("a call whose file may be closed", may_have_lost_its_file, 3);
    }
}

static void try_source(enum tclk_source source)
{
    struct tclk_config config = {.source = source};
    ok(tclk_clock_configure(&config) == 0, "source %s is available", tclk_source_name(source));
    for (size_t i = 0; i < sizeof intrusions / sizeof intrusions[0]; i++) {
        intrusion = &intrusions[i];
        try_everywhere("a call that returns what is kept", nothing_happens, 1);
        try_everywhere("a call that fetches", has_an_anchor_already, 1);
        if (source != TCLK_SOURCE_CLOCK) {
            try_everywhere("a call that resyncs and fetches", is_switched_out, STRIDE);
        }
    }
    is_ns(stats_now().demotions, 0, "no detector is given up");
}

int main(void)
{
    stepping_begin(intrude);
    machine_boot();
    try_source(TCLK_SOURCE_PERF);
    try_source(TCLK_SOURCE_RSEQ);
    try_source(TCLK_SOURCE_CLOCK);
    try_kept_file();
    return done();
}

#else

int main(void)
{
    skip("a signal after every instruction", STEPPING_MISSING);
    return done();
}

#endif
