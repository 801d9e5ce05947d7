/* SPDX-License-Identifier: Apache-2.0 */

/* Tests which source is chosen on which machine, what is said about the others, and how one is given up. */

#include "machine.h"
#include "verdicts.h"

#include "clock/proof.h"
#include "clock/source.h"
#include "kernel/filter.h"

#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <tap.h>
#include <unistd.h>

static void sound_machine(void)
{
    chooses(TCLK_SOURCE_RSEQ, "on a sound machine");
    says(TCLK_SOURCE_RSEQ, "sound here");
    says(TCLK_SOURCE_PERF, "not tried");
}

static void newer_kernel(void)
{
    machine.kernel_minor = 19;
    chooses(TCLK_SOURCE_PERF, "on Linux 6.19");
    says(TCLK_SOURCE_RSEQ, "Linux 6.19 keeps rseq_cs");
    machine.kernel_major = 7;
}

static void last_kernel_with_rseq(void)
{
    machine.kernel_minor = 18;
    chooses(TCLK_SOURCE_RSEQ, "on Linux 6.18");
}

static void rseq_refused(void)
{
    machine.rseq_error = ENOSYS;
    chooses(TCLK_SOURCE_PERF, "without rseq");
    says(TCLK_SOURCE_RSEQ, "rseq refused: ENOSYS");
}

static void both_refused(void)
{
    machine.rseq_error = EINVAL;
    machine.perf_error = EACCES;
    chooses(TCLK_SOURCE_CLOCK, "with rseq and perf refused");
    says(TCLK_SOURCE_RSEQ, "rseq refused: EINVAL");
    says(TCLK_SOURCE_PERF, "perf_event_open refused: EACCES (13), kernel.perf_event_paranoid=3");
}

static void both_killed_for(void)
{
    machine.rseq_error = TCLK_FILTER_KILLS;
    machine.perf_error = TCLK_FILTER_KILLS;
    chooses(TCLK_SOURCE_CLOCK, "where a filter kills for rseq and perf");
    says(TCLK_SOURCE_RSEQ, "rseq is not called: this process's seccomp filter kills for it");
    says(TCLK_SOURCE_PERF, "perf_event_open is not called: this process's seccomp filter kills");
}

static void too_large_to_try(void)
{
    struct tclk_config rseq = {.source = TCLK_SOURCE_RSEQ};
    machine.is_large_and_filtered = true;
    chooses(TCLK_SOURCE_CLOCK, "in a large process with a filter");
    says(TCLK_SOURCE_RSEQ, "is too large for a child to try; name the source");
    is_ns(tclk_clock_configure(&rseq), 0, "asked for by name, rseq is tried there all the same");
    says(TCLK_SOURCE_RSEQ, "sound here");
}

static void blind_detectors(void)
{
    machine.keeps_markers = true;
    chooses(TCLK_SOURCE_CLOCK, "where no detector sees a switch");
    says(TCLK_SOURCE_RSEQ, "16 of 16 sleeps went unnoticed");
}

static void jumpy_detectors(void)
{
    machine.loses_markers = true;
    chooses(TCLK_SOURCE_CLOCK, "where every system call looks like a switch");
    says(TCLK_SOURCE_RSEQ, "64 of 64 calls that switch nothing");
}

static void sleepless_machine(void)
{
    machine.switches_from_ns = INT64_MAX;
    chooses(TCLK_SOURCE_CLOCK, "where no sleep switches, so that nothing is proved");
    says(TCLK_SOURCE_RSEQ, "only 0 of 16 sleeps");
}

static void slow_sleepers(void)
{
    machine.switches_from_ns = 320000;
    chooses(TCLK_SOURCE_RSEQ, "where only longer sleeps switch");
}

static void counter_refused(void)
{
    machine.counter_is_refused = true;
    chooses(TCLK_SOURCE_CLOCK, "where the counter may not be read");
    says(TCLK_SOURCE_RSEQ, "PR_SET_TSC");
}

static void counter_varies(void)
{
    machine.counter_varies = true;
    chooses(TCLK_SOURCE_CLOCK, "where the counter is not invariant");
    says(TCLK_SOURCE_RSEQ, "not invariant");
}

static void counter_given_up(void)
{
    machine.counter_is_given_up = true;
    chooses(TCLK_SOURCE_CLOCK, "where the kernel has given the counter up");
    says(TCLK_SOURCE_RSEQ, "the kernel has given up the time-stamp counter");
}

static void raw_clock_stops(void)
{
    machine.raw_clock_stops = true;
    chooses(TCLK_SOURCE_CLOCK, "where the clock stands still that the counter is held against");
    says(TCLK_SOURCE_RSEQ, "does not advance with CLOCK_MONOTONIC_RAW");
}

static void clock_coarse(void)
{
    machine.clock_is_coarse = true;
    chooses(TCLK_SOURCE_CLOCK, "where the kernel's CPU clock moves by ticks");
    says(TCLK_SOURCE_RSEQ, "the thread's CPU clock stood still between 32 of 32 readings");
}

static void counter_slow(void)
{
    machine.counter_is_slow = true;
    chooses(TCLK_SOURCE_CLOCK, "where the counter is slower than the system call");
    says(TCLK_SOURCE_RSEQ, "the system call");
}

static void no_clock(void)
{
    struct tclk_config config = {.source = TCLK_SOURCE_AUTO};
    machine.clock_error = EINVAL;
    is_ns(tclk_clock_configure(&config), -ENOTSUP, "without a thread CPU clock there is no source");
    says(TCLK_SOURCE_CLOCK, "clock_gettime on the thread's CPU clock refused: EINVAL");
}

static void refused_by_name(void)
{
    struct tclk_config perf = {.source = TCLK_SOURCE_PERF};
    machine.perf_error = EPERM;
    tclk_clock_source();
    is_ns(tclk_clock_configure(&perf), -ENOTSUP, "a source that is refused is not taken by name");
    chooses(TCLK_SOURCE_RSEQ, "after that refusal");
}

static void bad_configurations(void)
{
    struct tclk_config source = {.source = (enum tclk_source)9};
    struct tclk_config split = {.split = (enum tclk_split)(TCLK_SPLIT_SAMPLED + 1)};
    struct tclk_config window = {.window_ns = 99999};
    struct tclk_config longer = {.window_ns = 100000001};
    is_ns(tclk_clock_configure(&source), -EINVAL, "a source that does not exist is refused");
    is_ns(tclk_clock_configure(&split), -EINVAL, "…and a split");
    is_ns(tclk_clock_configure(&window), -EINVAL, "…and a window below 100 us");
    is_ns(tclk_clock_configure(&longer), -EINVAL, "…and one above 100 ms");
}

static bool child_chooses_rseq(void)
{
    int status;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        _exit(tclk_clock_source() == TCLK_SOURCE_RSEQ ? 0 : 1);
    }
    waitpid(child, &status, 0);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

static void fork_in_the_middle_of_a_proof(void)
{
    tclk_proof_begin(); /* as another thread would have */
    ok(tclk_clock_source() == TCLK_SOURCE_CLOCK, "nobody waits while another thread proves");
    ok(child_chooses_rseq(), "a child that was forked in the middle of it proves for itself");
    tclk_proof_end();
}

/* ---- the continuous check ---- */

static void blinded_detector_is_given_up(void)
{
    chooses(TCLK_SOURCE_RSEQ, "before rseq goes blind");
    for (int i = 0; i < 4 && demotions() == 0; i++) {
        miss_a_switch();
    }
    is_ns((int64_t)demotions(), 1, "a detector that misses switches is given up");
    chooses(TCLK_SOURCE_CLOCK, "after rseq went blind, with perf as blind");
    says(TCLK_SOURCE_RSEQ, "missed a context switch");
    struct tclk_point before = read_now();
    machine_sleep(2 * MS);
    ok(read_now().cpu_ns - before.cpu_ns < 5000, "…and sleep is not counted any more");
}

/* Switches that are seen make the anchors, too soon after one another for their switch counts to be read. */
static void miss_is_found_out_without_counts(void)
{
    read_now();
    for (int i = 0; i < 3 && demotions() == 0; i++) {
        machine.keeps_markers = false;
        machine_preempt(1000);
        read_now();
        miss_a_switch();
    }
    is_ns((int64_t)demotions(), 1,
          "a switch that was missed by an unwatched anchor makes the next "
          "ones watched");
}

/* Only rseq is blind, and only for a while, so that perf can prove itself. */
static void next_source_is_perf(void)
{
    read_now();
    for (int i = 0; i < 4 && demotions() == 0; i++) {
        machine.keeps_markers = true;
        machine_run(100000, USER_MODE);
        machine_sleep(10 * MS);
        machine.keeps_markers = false;
        read_now();
    }
    is_ns((int64_t)demotions(), 1, "rseq is given up once");
    chooses(TCLK_SOURCE_PERF, "after rseq was given up, with a sound perf");
}

static void steal_demotes_nothing(void)
{
    read_now();
    for (int i = 0; i < 200; i++) {
        machine_run(MS, USER_MODE);
        machine_steal(4 * MS);
        read_now();
        machine_preempt(100000);
        read_now();
        machine_run(MS, USER_MODE);
        machine_steal(9 * MS);
        read_now();
    }
    is_ns((int64_t)demotions(), 0, "a hypervisor's steal is not mistaken for a missed switch");
}

/* The thread's anchor is from rseq. Another thread chooses a source before this one reads again. */
static void source_chosen_meanwhile_stays(void)
{
    struct tclk_config rseq = {.source = TCLK_SOURCE_RSEQ};
    struct tclk_config clock = {.source = TCLK_SOURCE_CLOCK};
    tclk_clock_configure(&rseq);
    machine_run(10 * MS, USER_MODE);
    read_now();
    machine_run(5 * MS, USER_MODE);
    read_now();
    machine.keeps_markers = true;
    machine_sleep(3 * MS);
    machine.keeps_markers = false;
    tclk_source_configure(&clock);
    machine_run(2 * MS, USER_MODE);
    read_now();
    is_ns((int64_t)demotions(), 1, "an anchor of the source before finds that it missed a switch");
    chooses(TCLK_SOURCE_CLOCK, "asked for by name meanwhile");
    is_ns(tclk_clock_configure(&rseq), -ENOTSUP, "the one that missed is not taken by name again");
}

static void counter_given_up_later(void)
{
    chooses(TCLK_SOURCE_RSEQ, "while the kernel keeps the counter");
    for (int i = 0; i < 40; i++) {
        machine.counter_is_given_up = i >= 20;
        machine_run(5 * MS, USER_MODE);
        read_now();
    }
    chooses(TCLK_SOURCE_CLOCK, "after the kernel has given the counter up");
    says(TCLK_SOURCE_RSEQ, "the kernel has given up the time-stamp counter");
    is_ns((int64_t)demotions(), 0, "no detector is blamed for that");
    uint64_t asked = machine.clock_reads;
    struct tclk_point before = read_now();
    machine_run(1000, USER_MODE);
    ok(read_now().cpu_ns > before.cpu_ns && machine.clock_reads == asked + 2, "…and each reading asks the kernel");
}

static void demotion_is_announced(void)
{
    int ends[2];
    char line[200] = "";
    ok(pipe(ends) == 0, "a pipe for stderr");
    dup2(ends[1], STDERR_FILENO);
    tclk_source_announce_demotions(true);
    read_now();
    for (int i = 0; i < 6; i++) {
        miss_a_switch();
    }
    ssize_t n = read(ends[0], line, sizeof line - 1);
    ok(n > 0 && strncmp(line, "threadclock: source rseq missed a context switch", 48) == 0 &&
           strchr(line, '\n') == line + n - 1,
       "a demotion is one line on stderr");
}

/* ---- perf pages under auto ---- */

static bool has_page(int reads_per_switch)
{
    for (int i = 0; i < 40; i++) {
        for (int j = 0; j < reads_per_switch; j++) {
            machine_run(20000, USER_MODE);
            read_now();
        }
        machine_preempt(10000);
    }
    uint64_t asked = machine.clock_reads;
    machine_run(1000, USER_MODE);
    read_now();
    machine_run(1000, USER_MODE);
    read_now();
    return machine.clock_reads - asked < 2;
}

static void page_where_it_pays(void)
{
    machine.rseq_error = ENOSYS;
    ok(has_page(100), "auto: a thread that reads 100 times a switch gets a perf page");
}

static void no_page_where_it_does_not(void)
{
    machine.rseq_error = ENOSYS;
    ok(!has_page(2), "auto: a thread that reads twice a switch keeps the system call");
}

static void page_by_name(void)
{
    struct tclk_config perf = {.source = TCLK_SOURCE_PERF};
    tclk_clock_configure(&perf);
    ok(has_page(2), "perf, asked for by name: every thread that reads gets a page");
}

static void foreign_area(void)
{
    tclk_clock_source();
    machine.rseq_error = EINVAL;
    ok(has_page(100), "a thread whose area is someone else's gets the next detector");
}

static sigjmp_buf way_out;

static void jump_out(int signal)
{
    siglongjmp(way_out, signal);
}

static void signal_comes(void)
{
    raise(SIGUSR1);
}

/* In the middle of what is proved: it takes milliseconds. */
static void left_by_a_handler(void)
{
    struct sigaction action = {.sa_handler = jump_out};
    struct tclk_config rseq = {.source = TCLK_SOURCE_RSEQ};
    sigaction(SIGUSR1, &action, NULL);
    machine.in_next_call = signal_comes;
    if (sigsetjmp(way_out, 1) == 0) {
        tclk_clock_configure(&rseq);
        ok(false, "a handler jumps out of a choice of source");
    }
    machine.inside = 0;
    is_ns(tclk_clock_configure(&rseq), 0, "a handler that jumps out of a choice of source leaves nothing begun");
}

int main(void)
{
    void (*const tests[])(void) = {
        sound_machine,
        newer_kernel,
        last_kernel_with_rseq,
        rseq_refused,
        both_refused,
        both_killed_for,
        too_large_to_try,
        blind_detectors,
        jumpy_detectors,
        sleepless_machine,
        slow_sleepers,
        counter_refused,
        counter_varies,
        counter_given_up,
        raw_clock_stops,
        clock_coarse,
        counter_slow,
        no_clock,
        refused_by_name,
        bad_configurations,
        blinded_detector_is_given_up,
        fork_in_the_middle_of_a_proof,
        miss_is_found_out_without_counts,
        next_source_is_perf,
        steal_demotes_nothing,
        source_chosen_meanwhile_stays,
        counter_given_up_later,
        demotion_is_announced,
        page_where_it_pays,
        no_page_where_it_does_not,
        page_by_name,
        foreign_area,
    };
    for (size_t i = 0; i < sizeof tests / sizeof tests[0]; i++) {
        in_fresh_process(tests[i]);
    }
    in_fresh_process(left_by_a_handler);
    return done();
}
