/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_MARKER_H
#define TCLK_TEST_MARKER_H

/* The facts about markers on which the sources rseq, perf and ids rest: what makes the kernel change one, and what does
 * not. */

#include "clock/detector.h"
#include "clocks.h"
#include "cpus.h"
#include "ids.h"
#include "kernel/probe.h"
#include "kernel/tid.h"
#include "rseq.h"

#include <signal.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <tap.h>
#include <unistd.h>

#define TRIES 100
#define TRIES_MOST 500 /* on a busy machine other threads switch this one out in many of them */

/* Long enough for a spinner on the same CPU to run. */
#define LOOPS (1 << 22)

/* This many of a hundred may be lost for reasons of the kernel's own. The library's self-test allows the same. */
#define LOST_PERCENT 6

static struct tclk_detector marker;
static bool marker_sees_calls; /* a switch inside a system call changes it */
static uint64_t armed;
static int cpus[2];

static void arm(void)
{
    armed = tclk_detector_arm(marker);
}

static bool is_intact(void)
{
    return tclk_detector_is_intact(marker, armed);
}

/* How often something was tried in which the thread was switched out (or not), and how often the marker was still
 * there afterwards. */
struct outcome {
    int tries;
    int kept;
};

/* Arms and counts at one moment, and checks at one moment, so that everything in between is seen. */
static int64_t arm_and_count(void)
{
    int64_t switches;
    do {
        arm();
        switches = switches_now();
    } while (!is_intact());
    return switches;
}

static struct outcome after(void (*what)(void), bool switching)
{
    struct outcome outcome = {0, 0};
    for (int i = 0; outcome.tries < TRIES && i < TRIES_MOST; i++) {
        int64_t before = arm_and_count();
        what();
        bool kept = is_intact();
        if ((switches_now() != before) == switching) {
            outcome.tries++;
            outcome.kept += kept && (!switching || is_intact());
        }
    }
    return outcome;
}

static void is_told(struct outcome outcome, const char *sentence)
{
    ok(outcome.tries > 0 && outcome.kept == 0, "%s", sentence);
    diag("kept in %d of %d", outcome.kept, outcome.tries);
}

/* Not where calls do not change the marker: the call that counts the switches may be the one that switches. */
static void is_changed_by(void (*what)(void), const char *sentence)
{
    is_told(after(what, true), sentence);
}

/* Computes until `seen` changes, which happens only while the thread is switched out, or for a while. */
static struct outcome after_computing(int64_t (*seen)(void))
{
    struct outcome outcome = {0, 0};
    for (int i = 0; outcome.tries < TRIES && i < TRIES_MOST; i++) {
        arm();
        int64_t before = seen();
        for (int loop = 0; loop < LOOPS && seen() == before; loop++) {
        }
        bool is_switched = seen() != before;
        outcome.tries += is_switched;
        outcome.kept += is_switched && is_intact();
    }
    return outcome;
}

static void is_kept_by(void (*what)(void), const char *sentence)
{
    struct outcome outcome = after(what, false);
    int lost = outcome.tries - outcome.kept;
    ok(outcome.tries > 0 && lost * 100 <= outcome.tries * LOST_PERCENT, "%s", sentence);
    diag("kept in %d of %d", outcome.kept, outcome.tries);
}

/* ---- system calls ---- */

static void move_to_other_cpu(void)
{
    static int moves;
    cpu_pin(0, cpus[moves++ % 2]);
}

static void sleep_shortly(void)
{
    tclk_probe_sleep(20 * US);
}

static void in_system_calls(int n)
{
    if (!marker_sees_calls) {
        skip("a sleep changes the marker", RSEQ_KEPT_SINCE);
        return;
    }
    is_changed_by(sleep_shortly, "a sleep changes the marker");
    if (n == 2) {
        is_changed_by(move_to_other_cpu, "moving to another CPU changes the marker");
    } else {
        skip("moving to another CPU changes the marker", CPUS_MISSING);
    }
}

/* ---- user mode ---- */

static void compute_shortly(void)
{
    spin_wall_ns(200 * US);
}

static struct spinner spinner;

static int64_t turns_of_spinner(void)
{
    return spinner_turns(&spinner);
}

static void beside_a_spinner(void)
{
    cpu_pin(0, cpus[0]);
    spinner_start(&spinner, cpus[0]);
    is_told(after_computing(turns_of_spinner), "being switched out while computing changes it");
    spinner_stop(&spinner);
}

static int64_t present_cpu(void)
{
    return sched_getcpu();
}

static void moved_by_another(int n)
{
    struct mover mover;
    if (n < 2) {
        skip("being moved by another thread changes it", CPUS_MISSING);
        return;
    }
    mover_start(&mover, tclk_tid_own(), cpus, MS);
    is_told(after_computing(present_cpu), "being moved by another thread changes it");
    mover_stop(&mover);
}

/* ---- signals ---- */

static volatile sig_atomic_t signals;

static void on_signal(int number)
{
    (void)number;
    signals++;
}

static void raise_signal(void)
{
    syscall(SYS_tgkill, getpid(), tclk_tid_own(), SIGUSR1);
}

static void wait_for_alarm(void)
{
    struct itimerval once = {.it_value = {.tv_usec = 100}};
    int before = signals;
    setitimer(ITIMER_REAL, &once, NULL);
    while (signals == before) {
    }
}

/* A signal is not a switch. If none came in between, only the signal can have changed the marker. */
static void is_changed_by_signal(void (*what)(void), const char *sentence)
{
    if (!marker_sees_calls) { /* 6.19 to 7.0.9: nor does a signal that is delivered at their end */
        skip(sentence, RSEQ_KEPT_SINCE);
        return;
    }
    struct outcome outcome = after(what, false);
    if (outcome.tries == 0) { /* a real-time kernel delivers timer signals by a thread */
        skip(sentence, "a signal that switches nothing");
        return;
    }
    ok(outcome.kept == 0, "%s", sentence);
    diag("kept in %d of %d", outcome.kept, outcome.tries);
}

/* A perf page moves with switches alone. */
static void on_signals(void)
{
    if (marker.kind == TCLK_DETECTOR_PERF) {
        return;
    }
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGUSR1, &action, NULL);
    sigaction(SIGALRM, &action, NULL);
    is_changed_by_signal(raise_signal, "a signal to oneself changes it");
    is_changed_by_signal(wait_for_alarm, "a timer's signal while computing changes it");
}

/* Tests the facts about a marker of the calling thread. */
static void marker_facts(struct tclk_detector detector, bool sees_calls)
{
    marker = detector;
    marker_sees_calls = sees_calls;
    int n = cpus_allowed(cpus, 2);
    is_kept_by(tclk_probe_call, "a system call that switches nothing keeps it");
    is_kept_by(compute_shortly, "computing keeps it, ticks and all");
    in_system_calls(n);
    moved_by_another(n);
    beside_a_spinner();
    on_signals();
    cpu_pin_to_both(cpus[0], cpus[n - 1]);
}

/* ---- ids that the program changes ---- */

/* The kernel writes them at the next switch; or when the ids change; or kills the program then. */
enum ids_mode { IDS_WRITTEN, IDS_KEPT, IDS_GUARDED };

static inline enum ids_mode ids_mode_in_child(struct tclk_rseq_area *area)
{
    marker = tclk_detector_of_ids(area);
    cpu_pin(0, cpus[0]);
    struct outcome sleeps = after(sleep_shortly, true);
    arm();
    cpu_pin(0, cpus[1]);
    return sleeps.kept * 2 > sleeps.tries ? IDS_KEPT : IDS_WRITTEN;
}

static inline enum ids_mode ids_mode_of(struct tclk_rseq_area *area)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        _exit((int)ids_mode_in_child(area));
    }
    waitpid(child, &status, 0);
    return WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV ? IDS_GUARDED : (enum ids_mode)WEXITSTATUS(status);
}

/* Versions of the form 7.0.x do not tell. */
static inline enum ids_mode ids_mode_expected(unsigned length, enum ids_mode got)
{
    return !ids_kernel_is_at_least(7, 0)   ? IDS_KEPT
           : !ids_kernel_is_at_least(7, 1) ? got
           : length > TCLK_RSEQ_AREA_BYTES ? IDS_GUARDED
                                           : IDS_WRITTEN;
}

/* Tests how the kernel treats the ids of the calling thread's area. */
static inline enum ids_mode ids_are_treated(struct tclk_rseq_area *area)
{
    static const char *const modes[] = {"writes them at every switch", "writes them when they change",
                                        "kills a program that has changed them"};
    unsigned length = rseq_registered_length(area);
    if (cpus_allowed(cpus, 2) < 2) {
        skip("the kernel's way with ids is known", CPUS_MISSING);
        return IDS_KEPT;
    }
    enum ids_mode got = ids_mode_of(area);
    enum ids_mode expected = ids_mode_expected(length, got);
    ok(got == expected, "of an area of %u bytes, the kernel %s", length, modes[expected]);
    diag("it %s", modes[got]);
    return got;
}

#endif
