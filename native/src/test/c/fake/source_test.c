/* SPDX-License-Identifier: Apache-2.0 */

/* Tests which source is chosen on which machine, what is said about the others, and how one is given up. */

#include "machine.h"

#include "clock/proof.h"
#include "clock/source.h"
#include "kernel/filter.h"
#include "kernel/rseq_area.h"
#include "real/process.h"

#include <errno.h>
#include <limits.h>
#include <string.h>

static void chooses(enum tclk_source expected, const char *on_what)
{
    enum tclk_source source = tclk_clock_source();
    ok(source == expected, "%s, %s is chosen (got %s)", on_what, tclk_source_name(expected), tclk_source_name(source));
}

/* ---- kinds of machine ---- */

struct verdict {
    const char *on_what;
    struct machine machine;
    enum tclk_source chosen;
    struct {
        enum tclk_source source;
        const char *part;
    } said[3];
};

/* Short for the table: the sources, and a machine on which only ids can detect. */
#define RSEQ TCLK_SOURCE_RSEQ
#define PERF TCLK_SOURCE_PERF
#define CLOCK TCLK_SOURCE_CLOCK
#define IDS TCLK_SOURCE_IDS
#define IDS_ALONE .kernel_major = 7, .kernel_minor = 1, .perf_error = EPERM, .libc_has_no_rseq = true

static const struct verdict verdicts[] = {
    {"on a sound machine", {0}, RSEQ, {{RSEQ, "sound here"}, {PERF, "not tried"}}},
    {"on Linux 6.18", {.kernel_minor = 18}, RSEQ, {{0}}},
    {"on Linux 6.19", {.kernel_minor = 19}, PERF, {{RSEQ, "Linux 6.19 keeps rseq_cs"}}},
    {"without rseq", {.rseq_error = ENOSYS}, PERF, {{RSEQ, "rseq refused: ENOSYS"}}},
    {"with rseq and perf refused",
     {.rseq_error = EINVAL, .perf_error = EACCES},
     CLOCK,
     {{RSEQ, "rseq refused: EINVAL"}, {PERF, "perf_event_open refused: EACCES (13), kernel.perf_event_paranoid=3"}}},
    {"where a filter kills for rseq and perf",
     {.rseq_error = TCLK_FILTER_KILLS, .perf_error = TCLK_FILTER_KILLS},
     CLOCK,
     {{RSEQ, "rseq is not called: this process's seccomp filter kills for it"},
      {PERF, "perf_event_open is not called: this process's seccomp filter kills"}}},
    {"in a large process with a filter",
     {.is_large_and_filtered = true},
     CLOCK,
     {{RSEQ, "is too large for a child to try; name the source"}}},
    {"where no detector sees a switch", {.keeps_markers = true}, CLOCK, {{RSEQ, "16 of 16 sleeps went unnoticed"}}},
    {"where every system call looks like a switch",
     {.loses_markers = true},
     CLOCK,
     {{RSEQ, "64 of 64 calls that switch nothing"}}},
    {"where no sleep switches, so that nothing is proved",
     {.switches_from_ns = INT64_MAX},
     CLOCK,
     {{RSEQ, "only 0 of 16 sleeps"}}},
    {"where only longer sleeps switch", {.switches_from_ns = 320000}, RSEQ, {{0}}},
    {"where the counter may not be read", {.counter_is_refused = true}, CLOCK, {{RSEQ, "PR_SET_TSC"}}},
    {"where the counter is not invariant", {.counter_varies = true}, CLOCK, {{RSEQ, "not invariant"}}},
    {"where the kernel has given the counter up",
     {.counter_is_given_up = true},
     CLOCK,
     {{RSEQ, "the kernel has given up the time-stamp counter"}}},
    {"where the clock stands still that the counter is held against",
     {.raw_clock_stops = true},
     CLOCK,
     {{RSEQ, "does not advance with CLOCK_MONOTONIC_RAW"}}},
    {"where the kernel's CPU clock moves by ticks",
     {.clock_is_coarse = true},
     CLOCK,
     {{RSEQ, "the thread's CPU clock stood still between 32 of 32 readings"}}},
    {"where the counter is slower than the system call", {.counter_is_slow = true}, CLOCK, {{RSEQ, "the system call"}}},

    {"on Linux 7.1 without perf", {IDS_ALONE}, IDS, {{IDS, "sound here"}}},
    {"on Linux 7.1 with perf",
     {.kernel_major = 7, .kernel_minor = 1, .libc_has_no_rseq = true},
     PERF,
     {{IDS, "not tried"}}},
    {"there, with libc's area",
     {.kernel_major = 7, .kernel_minor = 1, .perf_error = EPERM},
     CLOCK,
     {{IDS, "GLIBC_TUNABLES=glibc.pthread.rseq=0"}}},
    {"there, with someone else's area", {IDS_ALONE, .rseq_error = EINVAL}, CLOCK, {{IDS, "rseq refused: EINVAL"}}},
    {"there, with rseq debugging", {IDS_ALONE, .debugs_rseq = true}, CLOCK, {{IDS, "rseq debugging is on"}}},
    /* Nothing is known then, not even about debugging. */
    {"there, where no sleep switches",
     {IDS_ALONE, .debugs_rseq = true, .switches_from_ns = INT64_MAX},
     CLOCK,
     {{IDS, "only 0 of 16 sleeps"}}},
    {"there, where ids are written when they change",
     {IDS_ALONE, .keeps_ids = true},
     CLOCK,
     {{IDS, "16 of 16 sleeps went unnoticed"}}},
    {"there, where they change all the time",
     {IDS_ALONE, .keeps_ids = true, .has_no_children = true, .stays_in_one_of = INT_MAX},
     CLOCK,
     {{IDS, "only 0 of 16 sleeps"}}},
    {"there, where they change often",
     {IDS_ALONE, .keeps_ids = true, .stays_in_one_of = 3},
     CLOCK,
     {{IDS, "8 of 8 sleeps went unnoticed"}}},
    {"there, where two of three sleeps end on another CPU", {IDS_ALONE, .stays_in_one_of = 3}, IDS, {{0}}},
    /* A PREEMPT_RT kernel on an idle machine moves a thread that wakes to the CPU that has nothing to do. */
    {"there, where all sleeps end on another CPU", {IDS_ALONE, .stays_in_one_of = INT_MAX}, IDS, {{0}}},
    /* A sleep that the ids miss must be noticed there, too. */
    {"there, where all sleeps change them",
     {IDS_ALONE, .keeps_ids = true, .stays_in_one_of = INT_MAX},
     CLOCK,
     {{IDS, "8 of 8 sleeps went unnoticed"}}},
    {"on Linux 6.19 without perf",
     {.kernel_minor = 19, .perf_error = EPERM, .libc_has_no_rseq = true},
     CLOCK,
     {{IDS, "Linux 6.19 does not write the ids at every switch"}}},
    /* With the change of 7.0.10, as distributions have it. */
    {"on Linux 7.0 without perf",
     {.kernel_major = 7, .perf_error = EPERM, .libc_has_no_rseq = true},
     TCLK_RSEQ_IDS_MINOR == 0 ? IDS : CLOCK,
     {{IDS, TCLK_RSEQ_IDS_MINOR == 0 ? "sound here" : "Linux 7.0 does not write the ids"}}},
};

static const struct verdict *verdict;

static void is_the_verdict(void)
{
    machine_boot(verdict->machine);
    chooses(verdict->chosen, verdict->on_what);
    for (int i = 0; i < 3 && verdict->said[i].part != NULL; i++) {
        source_says(verdict->said[i].source, verdict->said[i].part);
    }
    is_ns(machine.killed, 0, "%s, no id is changed that may not be", verdict->on_what);
}

TEST(each_machine_has_its_source)
{
    for (verdict = verdicts; verdict < verdicts + sizeof verdicts / sizeof verdicts[0]; verdict++) {
        in_fresh_process(is_the_verdict);
    }
}

/* ---- by name ---- */

static int take(enum tclk_source source)
{
    return tclk_clock_configure(&(struct tclk_config){.source = source});
}

TEST(large_and_filtered_is_tried_by_name)
{
    machine.is_large_and_filtered = true;
    chooses(CLOCK, "in a large process with a filter");
    is_ns(take(RSEQ), 0, "asked for by name, rseq is tried there all the same");
    source_says(RSEQ, "sound here");
}

TEST(no_clock_is_no_source)
{
    machine.clock_error = EINVAL;
    is_ns(take(TCLK_SOURCE_AUTO), -ENOTSUP, "without a thread CPU clock there is no source");
    source_says(CLOCK, "clock_gettime on the thread's CPU clock refused: EINVAL");
}

TEST(refused_by_name)
{
    machine.perf_error = EPERM;
    tclk_clock_source();
    is_ns(take(PERF), -ENOTSUP, "a source that is refused is not taken by name");
    chooses(RSEQ, "after that refusal");
}

TEST(older_kernel_has_no_ids)
{
    machine.libc_has_no_rseq = true;
    is_ns(take(IDS), -ENOTSUP, "on Linux 6.12 ids are not taken by name");
    source_says(IDS, "Linux 6.12 has the source rseq");
}

TEST(window_is_bounded)
{
    struct tclk_config window = {.window_ns = 99999};
    struct tclk_config longer = {.window_ns = 100000001};
    is_ns(tclk_clock_configure(&window), -EINVAL, "a window below 100 us is refused");
    is_ns(tclk_clock_configure(&longer), -EINVAL, "…and one above 100 ms");
}

/* ---- a proof that is left ---- */

static void chooses_in_a_child(void)
{
    chooses(RSEQ, "in a child that was forked in the middle of another thread's proof");
}

TEST(fork_in_the_middle_of_a_proof)
{
    tclk_proof_begin(); /* as another thread would have */
    ok(tclk_clock_source() == CLOCK, "nobody waits while another thread proves");
    in_child(chooses_in_a_child);
    tclk_proof_end();
}

static void take_rseq(void)
{
    take(RSEQ);
}

/* In the middle of what is proved: it takes milliseconds. */
TEST(left_by_a_handler)
{
    jump_out_of(take_rseq, &machine.in_next_call, "a choice of source");
    is_ns(take(RSEQ), 0, "a handler that jumps out of a choice of source leaves nothing begun");
}

/* ---- the continuous check ---- */

/* The thread sleeps longer than a window, and the detector says nothing: from then on, or of that sleep alone. */
static void miss_switches(int times, bool for_a_while)
{
    for (int i = 0; i < times && demotions() == 0; i++) {
        machine.keeps_markers = true;
        machine_run(100 * US, USER_MODE);
        machine_sleep(10 * MS);
        machine.keeps_markers = !for_a_while;
        read_now();
    }
}

TEST(blinded_detector_is_given_up)
{
    chooses(RSEQ, "before rseq goes blind");
    miss_switches(4, false);
    is_ns(demotions(), 1, "a detector that misses switches is given up");
    chooses(CLOCK, "after rseq went blind, with perf as blind");
    source_says(RSEQ, "missed a context switch");
    struct tclk_point before = read_now();
    machine_sleep(2 * MS);
    ok(read_now().cpu_ns - before.cpu_ns < 5000, "…and sleep is not counted any more");
}

TEST(blinded_ids_are_given_up)
{
    machine_boot((struct machine){IDS_ALONE});
    chooses(IDS, "before ids go blind");
    miss_switches(4, false);
    is_ns(demotions(), 1, "ids that miss switches are given up");
    chooses(CLOCK, "after ids went blind");
    source_says(IDS, "missed a context switch");
}

/* Switches that are seen make the anchors, too soon after one another for their switch counts to be read. */
TEST(miss_is_found_out_without_counts)
{
    read_now();
    for (int i = 0; i < 3 && demotions() == 0; i++) {
        machine.keeps_markers = false;
        machine_preempt(1000);
        read_now();
        miss_switches(1, false);
    }
    is_ns(demotions(), 1, "a switch that was missed by an unwatched anchor makes the next ones watched");
}

TEST(next_source_is_perf)
{
    read_now();
    miss_switches(4, true);
    is_ns(demotions(), 1, "rseq is given up once");
    chooses(PERF, "after rseq was given up, with a sound perf");
}

TEST(next_source_is_ids)
{
    machine_boot((struct machine){.kernel_major = 7, .kernel_minor = 1, .libc_has_no_rseq = true});
    take(PERF);
    read_now();
    machine.perf_error = EPERM;
    miss_switches(4, true);
    is_ns(demotions(), 1, "perf, asked for by name, is given up once");
    chooses(IDS, "after that, with sound ids");
}

/* The thread's anchor is from rseq. Another thread chooses a source before this one reads again. */
TEST(source_chosen_meanwhile_stays)
{
    take(RSEQ);
    run_and_read(10 * MS, USER_MODE);
    run_and_read(5 * MS, USER_MODE);
    machine.keeps_markers = true;
    machine_sleep(3 * MS);
    machine.keeps_markers = false;
    tclk_source_configure(&(struct tclk_config){.source = CLOCK});
    run_and_read(2 * MS, USER_MODE);
    is_ns(demotions(), 1, "an anchor of the source before finds that it missed a switch");
    chooses(CLOCK, "asked for by name meanwhile");
    is_ns(take(RSEQ), -ENOTSUP, "the one that missed is not taken by name again");
}

TEST(counter_given_up_later)
{
    chooses(RSEQ, "while the kernel keeps the counter");
    for (int i = 0; i < 40; i++) {
        machine.counter_is_given_up = i >= 20;
        run_and_read(5 * MS, USER_MODE);
    }
    chooses(CLOCK, "after the kernel has given the counter up");
    source_says(RSEQ, "the kernel has given up the time-stamp counter");
    is_ns(demotions(), 0, "no detector is blamed for that");
    uint64_t asked = machine.clock_reads;
    struct tclk_point before = read_now();
    machine_run(1000, USER_MODE);
    ok(read_now().cpu_ns > before.cpu_ns && machine.clock_reads == asked + 2, "…and each reading asks the kernel");
}

TEST(demotion_is_announced)
{
    int ends[2];
    char line[200] = "";
    ok(pipe(ends) == 0, "a pipe for stderr");
    dup2(ends[1], STDERR_FILENO);
    tclk_source_announce_demotions(true);
    read_now();
    miss_switches(6, false);
    ssize_t n = read(ends[0], line, sizeof line - 1);
    ok(n > 0 && strncmp(line, "threadclock: source rseq missed a context switch", 48) == 0 &&
           strchr(line, '\n') == line + n - 1,
       "a demotion is one line on stderr");
}

/* ---- perf pages under auto ---- */

static bool has_page(int reads_per_switch)
{
    machine.sample_error = EACCES; /* a bout asks the kernel, too */
    for (int i = 0; i < 40; i++) {
        for (int j = 0; j < reads_per_switch; j++) {
            run_and_read(20000, USER_MODE);
        }
        machine_preempt(10000);
    }
    uint64_t asked = machine.clock_reads;
    run_and_read(1000, USER_MODE);
    run_and_read(1000, USER_MODE);
    return machine.clock_reads - asked < 2;
}

TEST(page_where_it_pays)
{
    machine.rseq_error = ENOSYS;
    ok(has_page(100), "auto: a thread that reads 100 times a switch gets a perf page");
}

TEST(no_page_where_it_does_not)
{
    machine.rseq_error = ENOSYS;
    ok(!has_page(2), "auto: a thread that reads twice a switch keeps the system call");
}

TEST(page_by_name)
{
    take(PERF);
    ok(has_page(2), "perf, asked for by name: every thread that reads gets a page");
}

TEST(foreign_area)
{
    tclk_clock_source();
    machine.rseq_error = EINVAL;
    ok(has_page(100), "a thread whose area is someone else's gets the next detector");
}
