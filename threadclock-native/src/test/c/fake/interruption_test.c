/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A signal, or another thread, after every single instruction of a read.
 *
 * The CPU single-steps through tclk_thread_read(), and at the k-th instruction a signal handler of the
 * thread does what it may do: it is switched out, computes, reads the clock itself, several times. For
 * every k from the first to the last instruction, of reads that extrapolate and of reads that ask the
 * kernel, all readings must lie on one curve.
 *
 * In the same way another thread observes this one at every instruction of a read, this one reads
 * itself at every instruction of an observation, and a handler reads at every instruction of a thread's first reading,
 * of its end, and of a child's beginning.
 */

#include "clock/directory.h"
#include "clock/observe.h"
#include "clock/sampler.h"
#include "clock/source.h"
#include "clock/thread_clock.h"
#include "kernel/tid.h"
#include "machine.h"
#include "stats.h"
#include "stepping.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <tap.h>
#include <unistd.h>

#if defined(STEPPING_IS_HERE)

#define READS_MAX 4

/* An intrusion: what the handler does. */
struct intrusion {
    const char *what;
    int64_t sleeps_ns;
    int64_t computes_ns;
    int reads;
    bool observes; /* another thread reads this one */
};

/* All sleeps are shorter than a window, so that the window's end does not hide a wrong reading. */
static const struct intrusion intrusions[] = {
    {"reads", 0, 0, 1, false},
    {"computes, and reads twice", 0, 30000, 2, false},
    {"sleeps, computes, and reads three times", 1000000, 20000, 3, false},
    {"sleeps", 1000000, 0, 0, false},
    {"is another thread that observes", 0, 30000, 2, true},
    {"is another thread that observes past the window's end", 0, 4500000, 1, true},
};

/* A time after the line's end, and before the window's. */
#define SLICES_NS (2 * TCLK_SAMPLE_SLICE_PERIODS * TCLK_SAMPLE_PERIOD_LEAST_NS)

static const struct intrusion begins_a_line = {"computes past its line's end, and reads", 0, SLICES_NS, 1, false};

static const struct intrusion comes_with_another_period = {"has another period, computes, and reads", 0, 30000, 2,
                                                           false};

static const struct intrusion comes_when_samples_are_asked_for = {"asks for samples again, computes, and reads", 0,
                                                                  30000, 2, false};

static const struct intrusion *intrusion;
static struct tclk_point intruded[READS_MAX];
static int intruded_reads;
static int64_t truth_at_intrusion[READS_MAX];

/* Reads this thread as another thread does. */
static struct tclk_point observe_now(void)
{
    struct tclk_times times = {-1, -1, -1};
    tclk_observe_times(tclk_tid_own(), 0, &times);
    return (struct tclk_point){times.cpu_ns, times.user_ns};
}

static struct tclk_point (*stepped)(void) = read_now;

/* Does what tclk_clock_configure() does in another thread. */
static void configure_another_period(void)
{
    int64_t period_ns = tclk_settings.sample_period_ns;
    tclk_settings.sample_period_ns = period_ns == 90000 ? 250000 : 90000;
}

static void intrude(void)
{
    if (intrusion == &comes_with_another_period) {
        configure_another_period();
    }
    if (intrusion == &comes_when_samples_are_asked_for) {
        tclk_settings.split = TCLK_SPLIT_SAMPLED;
    }
    if (intrusion->sleeps_ns > 0) {
        machine_sleep(intrusion->sleeps_ns);
    }
    for (int i = 0; i < intrusion->reads; i++) {
        machine_run(intrusion->computes_ns + 50, USER_MODE);
        intruded[intruded_reads] = intrusion->observes ? observe_now() : read_now();
        truth_at_intrusion[intruded_reads++] = machine.cpu_ns;
    }
}

static void intrude_as_signal(void)
{
    if (stepped == read_now && !intrusion->observes) {
        machine_signal();
    }
    intrude();
}

static struct tclk_point read_with_intrusion_at(long k)
{
    step = 0;
    steps_until_intrusion = k;
    intruded_reads = 0;
    start_stepping();
    struct tclk_point point = stepped();
    stop_stepping();
    machine.when_outside = NULL;
    return point;
}

static int ascending(const void *a, const void *b)
{
    const struct tclk_point *p = a;
    const struct tclk_point *q = b;
    return (p->cpu_ns > q->cpu_ns) - (p->cpu_ns < q->cpu_ns);
}

/* True if user time neither falls nor grows faster than CPU time along the points. */
static bool is_one_curve(struct tclk_point *points, int n)
{
    qsort(points, (size_t)n, sizeof *points, ascending);
    for (int i = 1; i < n; i++) {
        int64_t user_ns = points[i].user_ns - points[i - 1].user_ns;
        if (user_ns < 0 || user_ns > points[i].cpu_ns - points[i - 1].cpu_ns) {
            return false;
        }
    }
    return true;
}

/* A reading around a resync is late by the time that the resync takes after it has asked for the time. */
#define SLACK_NS 5000

struct outcome {
    long ks;
    int off_curve;
    int backwards;
    int wrong;
    int left; /* sampling events, without the one of a bout that goes on */
};

/* A steal has made the extrapolation run ahead by this much. */
static int64_t ahead_ns;
static struct tclk_point before; /* the last reading before the one that is stepped through */

static bool is_right(int64_t cpu_ns, int64_t from_ns, int64_t to_ns)
{
    return cpu_ns >= from_ns - SLACK_NS && cpu_ns <= to_ns + 100 + ahead_ns;
}

static void judge(struct outcome *outcome, struct tclk_point read, int64_t start_ns)
{
    int64_t end_ns = machine.cpu_ns;
    if (ahead_ns > 0) {
        machine_preempt(1000); /* the next reading asks the kernel, whose time is less */
    }
    struct tclk_point after = read_now();
    outcome->wrong += !is_right(after.cpu_ns, end_ns, machine.cpu_ns);
    struct tclk_point all[READS_MAX + 3] = {before, read, after};
    struct tclk_point newest = read;
    outcome->wrong += !is_right(read.cpu_ns, start_ns, end_ns);
    outcome->backwards += read.cpu_ns < before.cpu_ns;
    for (int i = 0; i < intruded_reads; i++) {
        all[3 + i] = intruded[i];
        outcome->backwards += intruded[i].cpu_ns < (i == 0 ? before : intruded[i - 1]).cpu_ns;
        outcome->wrong += !is_right(intruded[i].cpu_ns, start_ns, truth_at_intrusion[i]);
        newest = intruded[i].cpu_ns > newest.cpu_ns ? intruded[i] : newest;
    }
    outcome->backwards += after.cpu_ns < newest.cpu_ns || after.user_ns < newest.user_ns;
    outcome->off_curve += !is_one_curve(all, 3 + intruded_reads);
}

/* Tries one read with an intrusion at its k-th instruction. False if the read was over before that. */
static bool try_at(long k, void (*prepare)(void), struct outcome *outcome)
{
    ahead_ns = 0;
    machine_run(2000000, k % 3 == 0 ? SYSTEM_MODE : USER_MODE);
    machine_preempt(1000);
    before = read_now();
    prepare();
    int64_t start_ns = machine.cpu_ns;
    struct tclk_point read = read_with_intrusion_at(k);
    if (step <= k) {
        return false;
    }
    judge(outcome, read, start_ns);
    outcome->left += machine.sample_events > 1;
    outcome->ks++;
    return true;
}

static void nothing_happens(void)
{
    machine_run(20000, USER_MODE);
}

static void is_stolen_from(void)
{
    machine_run(20000, USER_MODE);
    machine_steal(700000);
    ahead_ns = 700000;
}

static void is_switched_out(void)
{
    machine_run(20000, USER_MODE);
    machine_preempt(1000000);
}

static void is_past_its_window(void)
{
    machine_run(4500000, USER_MODE);
}

/* Beyond its line, `sampled` counts its samples without asking the kernel. */
static void is_past_its_line(void)
{
    machine_run(SLICES_NS, USER_MODE);
}

static void is_past_a_line_of_any_period(void)
{
    machine_run(1000000, USER_MODE);
}

static void has_another_period(void)
{
    configure_another_period();
    is_past_a_line_of_any_period();
}

static void is_switched_out_ahead(void)
{
    is_stolen_from();
    read_now();
    machine_preempt(1000000);
}

/* The line has begun at a time that the kernel has not reached yet, and the thread has read itself on it since. */
static void is_ahead_on_a_new_line(void)
{
    is_stolen_from();
    is_past_its_line();
    read_now();
    machine_run(200, USER_MODE);
    before = read_now();
}

/* Each instruction is tried; where there are a thousand, only every 17th one, and others with the next intrusion.
 * All instructions before are stepped through each time, so the cost is quadratic. */
#define STRIDE 17

/* A brief run of the suite tries fewer of those, and others with the next intrusion. The whole run tries all. */
static long strides(long stride)
{
    if (getenv("TCLK_BRIEF") == NULL) {
        return stride;
    }
    return stride == 1 ? 12 : 24 * stride;
}

/* Where signals are blocked, the handler comes at the first instruction after that, and has been tried there now. */
static long next_after(long k, long stride)
{
    return step > k + stride ? step : k + stride;
}

static void try_everywhere(const char *kind, void (*prepare)(void), long stride)
{
    struct outcome outcome = {0};
    static long turn;
    long k = turn++ % strides(stride);
    while (try_at(k, prepare, &outcome)) {
        k += strides(stride);
    }
    ok(outcome.ks > 20 * stride / strides(stride), "%s, and a handler that %s: %ld instructions tried", kind,
       intrusion->what, outcome.ks);
    is_ns(outcome.backwards, 0, "…no reading is less than one before it");
    is_ns(outcome.off_curve, 0, "…all readings lie on one curve");
    is_ns(outcome.wrong, 0, "…no reading is wrong, sleep is never counted");
    is_ns(outcome.left, 0, "…no sampling event is left behind");
}

static int64_t demotions(void)
{
    return (int64_t)stats_now().demotions;
}

static void try_source(enum tclk_source source)
{
    struct tclk_config config = {.source = source};
    ok(tclk_clock_configure(&config) == 0, "source %s is available", tclk_source_name(source));
    for (size_t i = 0; i < sizeof intrusions / sizeof intrusions[0]; i++) {
        intrusion = &intrusions[i];
        try_everywhere("a read that extrapolates", nothing_happens, 1);
        try_everywhere("a read that has run ahead", is_stolen_from, 1);
        try_everywhere("a resync", is_switched_out, STRIDE);
        try_everywhere("a resync at a window's end", is_past_its_window, STRIDE);
        try_everywhere("a resync of a reading that has run ahead", is_switched_out_ahead, STRIDE);
    }
    stepped = observe_now;
    for (size_t i = 0; i < sizeof intrusions / sizeof intrusions[0]; i++) {
        intrusion = &intrusions[i];
        try_everywhere("an observation", nothing_happens, STRIDE);
        try_everywhere("an observation past the window's end", is_past_its_window, STRIDE);
    }
    stepped = read_now;
    is_ns(demotions(), 0, "…and no switch is taken for one that the detector missed");
}

/* Only readings that ask the kernel differ then; reads that extrapolate are the same. */
static void try_sampled(enum tclk_source source)
{
    struct tclk_config config = {.source = source, .split = TCLK_SPLIT_SAMPLED};
    ok(tclk_clock_configure(&config) == 0, "sampled is available");
    for (size_t i = 0; i < sizeof intrusions / sizeof intrusions[0]; i++) {
        intrusion = &intrusions[i];
        try_everywhere("a look at the samples", is_past_its_line, STRIDE);
        try_everywhere("a resync with samples", is_switched_out, STRIDE);
    }
    intrusion = &intrusions[2];
    try_everywhere("a look at another period", has_another_period, 2 * STRIDE);
    intrusion = &comes_with_another_period;
    try_everywhere("a look at the samples", is_past_a_line_of_any_period, 2 * STRIDE);
    try_everywhere("a resync with samples", is_switched_out, 2 * STRIDE);
    try_everywhere("a look at another period", has_another_period, 2 * STRIDE);
    stepped = observe_now;
    intrusion = &begins_a_line;
    try_everywhere("an observation where it is ahead", is_ahead_on_a_new_line, 1);
    stepped = read_now;
    is_ns(demotions(), 0, "…and no switch is taken for one that the detector missed");
}

/* The thread is about to stop its event, and a handler opens it again, as tclk_clock_configure() in other threads wants
 * it. */
static void try_stops(enum tclk_source source)
{
    struct tclk_config config = {.source = source, .split = TCLK_SPLIT_SAMPLED};
    long opened = 0;
    long blind = 0;
    tclk_clock_configure(&config);
    intrusion = &comes_when_samples_are_asked_for;
    for (long k = 0; opened < 40; k++) {
        tclk_settings.split = TCLK_SPLIT_SAMPLED;
        is_past_its_window();
        read_now();
        tclk_settings.split = TCLK_SPLIT_SMOOTHED;
        is_past_its_window();
        int64_t opens = machine.sample_opens;
        read_with_intrusion_at(k);
        if (step <= k) {
            break;
        }
        opened += machine.sample_opens != opens;
        machine_run(1000, USER_MODE);
        read_now();
        machine_sleep(1000000);
        blind += read_now().cpu_ns > machine.cpu_ns + 100;
    }
    is_ns(opened, 40, "an event that is about to be stopped, and a handler that opens it");
    is_ns(blind, 0, "…no sleep is counted after that");
}

/* ---- bouts of samples ---- */

static void work_in_step(int bursts)
{
    for (int i = 0; i < bursts; i++) {
        machine_sleep(MACHINE_TICK_NS - (machine.raw_ns - 1000000) % MACHINE_TICK_NS);
        read_now();
        machine_run(300000, USER_MODE);
        before = read_now();
    }
}

static void ends_a_bout(void)
{
    for (int i = 0; i < 1000 && machine.sample_events == 0; i++) {
        work_in_step(1);
    }
    machine_run(3500000, USER_MODE);
    machine_preempt(1000);
}

static void is_in_step(void)
{
    work_in_step(13);
    machine_preempt(1000);
}

static void try_bouts(enum tclk_source source)
{
    struct tclk_config config = {.source = source};
    struct tclk_stats stats;
    tclk_clock_configure(&config);
    work_in_step(1000); /* the thread may have been suspected before */
    tclk_clock_stats(&stats);
    is_ns((int64_t)stats.threads_suspected, 1, "in step with the tick the thread is suspected");
    int64_t opens = machine.sample_opens;
    for (size_t i = 0; i < sizeof intrusions / sizeof intrusions[0]; i++) {
        intrusion = &intrusions[i];
        try_everywhere("a read that ends a bout", ends_a_bout, 3 * STRIDE);
        try_everywhere("a read that may begin one", is_in_step, 3 * STRIDE);
    }
    ok(machine.sample_opens > opens + 20, "%d bouts began among them", (int)(machine.sample_opens - opens));
    is_ns(demotions(), 0, "…and no switch is taken for one that the detector missed");
}

/* ---- a thread's first reading ---- */

struct first {
    long k;
    bool is_over; /* the handler's reading was over before the k-th instruction */
    bool is_kept; /* the record has both readings, so it was not given back in between */
};

static void *begin(void *argument)
{
    struct first *first = argument;
    read_with_intrusion_at(first->k);
    first->is_over = step <= first->k;
    first->is_kept = tclk_directory_find(tclk_tid_own())->reads == (first->is_over ? 1 : 2);
    return NULL;
}

/* Each source tries every third instruction, from another one on: a first reading has more than a thousand, and a step
 * costs 11 us in a virtual machine whose hypervisor handles debug exceptions. */
#define FIRST_STRIDE 3

/* The handler may have taken a record for the thread. Then this is the thread's record, to which further handlers
 * write. Whatever both have opened is given back when the thread ends. */
static void try_first_readings(enum tclk_source source, enum tclk_split split)
{
    struct tclk_config config = {.source = source, .split = split, .counts_reads = true};
    static long turn;
    struct first first = {.k = turn++ % FIRST_STRIDE};
    long stride = strides(FIRST_STRIDE);
    long ks = 0;
    long given_back = 0;
    int64_t pages = machine.perf_pages;
    int64_t events = machine.sample_events;
    tclk_clock_configure(&config);
    intrusion = &intrusions[0];
    for (; !first.is_over; first.k = next_after(first.k, stride)) {
        pthread_t thread;
        pthread_create(&thread, NULL, begin, &first);
        pthread_join(thread, NULL);
        given_back += !first.is_kept;
        ks++;
    }
    ok(ks > 500 / stride, "%s: a first reading, and a handler that reads: at %ld instructions",
       tclk_source_name(source), ks);
    is_ns(given_back, 0, "…what the handler has taken stays the thread's");
    is_ns(machine.perf_pages - pages, 0, "…no page is left of it");
    is_ns(machine.sample_events - events, 0, "…no sampling event is left of it");
}

/* ---- a thread's end, and a child's beginning ---- */

/* The library registers for both when it is loaded; what is registered before and after it is called before and
 * after it. */
static void (*before_the_library)(void);
static void (*after_the_library)(void);
static pthread_key_t key_before;
static pthread_key_t key_after;

static void call_before(void *unused)
{
    (void)unused;
    before_the_library();
}

static void call_after(void *unused)
{
    (void)unused;
    after_the_library();
}

static void fork_before(void)
{
    if (before_the_library != NULL) {
        before_the_library();
    }
}

static void fork_after(void)
{
    if (after_the_library != NULL) {
        after_the_library();
    }
}

__attribute__((constructor(101))) static void register_before_the_library(void)
{
    pthread_key_create(&key_before, call_before);
    pthread_atfork(NULL, NULL, fork_before);
}

static void register_after_the_library(void)
{
    pthread_key_create(&key_after, call_after);
    pthread_atfork(NULL, NULL, fork_after);
}

static void begin_stepping(void)
{
    step = 0;
    intruded_reads = 0;
    start_stepping();
}

static void end_stepping(void)
{
    stop_stepping();
    machine.when_outside = NULL;
}

struct end {
    const struct tclk_record *record;
    struct tclk_point last;
    bool is_held; /* observers hold the record, and the thread's own words point to none */
    bool is_right;
};

static struct end end;

static void judge_end(void)
{
    end_stepping();
    pid_t tid = tclk_tid_own();
    end.is_held = tclk_directory_find(tid) == end.record && tclk_record_hold_of(end.record, tid) == TCLK_HOLD_ENDED &&
                  tclk_thread.counting == NULL && !tclk_thread_is(tid);
    struct tclk_point after = read_now();
    end.is_right = after.cpu_ns >= end.last.cpu_ns && is_right(after.cpu_ns, 0, machine.cpu_ns);
    for (int i = 0; i < intruded_reads; i++) {
        end.is_right = end.is_right && intruded[i].cpu_ns >= end.last.cpu_ns && intruded[i].cpu_ns <= after.cpu_ns &&
                       is_right(intruded[i].cpu_ns, 0, truth_at_intrusion[i]);
    }
}

static void *live_and_end(void *unused)
{
    machine_run(2000000, USER_MODE);
    read_now();
    machine_run(20000, USER_MODE);
    end.last = read_now();
    end.record = tclk_directory_find(tclk_tid_own());
    pthread_setspecific(key_before, &end);
    pthread_setspecific(key_after, &end);
    return unused;
}

static void try_ends(enum tclk_source source, enum tclk_split split, long stride)
{
    struct tclk_config config = {.source = source, .split = split};
    long held = 0;
    long right = 0;
    long ks = 0;
    int64_t pages = machine.perf_pages;
    int64_t events = machine.sample_events;
    tclk_clock_configure(&config);
    before_the_library = begin_stepping;
    after_the_library = judge_end;
    intrusion = &intrusions[1];
    for (steps_until_intrusion = 0;; steps_until_intrusion += strides(stride)) {
        pthread_t thread;
        pthread_create(&thread, NULL, live_and_end, NULL);
        pthread_join(thread, NULL);
        if (step <= steps_until_intrusion) {
            break;
        }
        ks++;
        held += end.is_held;
        right += end.is_right;
    }
    before_the_library = after_the_library = NULL;
    ok(ks > 300 / strides(stride), "%s: a thread's end, and a handler that reads: at %ld instructions",
       tclk_source_name(source), ks);
    is_ns(held, ks, "…observers have the record, and the thread has not");
    is_ns(right, ks, "…each reading is the thread's own time");
    is_ns(machine.perf_pages - pages + machine.sample_events - events, 0, "…nothing is left of it");
}

/* True if the thread has a record that is found by its tid and that nobody else will be given. */
static bool has_record(void)
{
    read_now();
    struct tclk_record *record = tclk_directory_find(tclk_tid_own());
    if (record == NULL || tclk_record_hold(record) != TCLK_HOLD_OWNER) {
        return false;
    }
    uint64_t reads = record->reads;
    read_now();
    return record->reads == reads + 1 && tclk_record_index(record) < tclk_record_used();
}

enum { CHILD_IS_RIGHT, CHILD_IS_WRONG, CHILD_IS_OVER };

static int fork_once(void)
{
    int status;
    pid_t child = fork();
    if (child == 0) {
        bool is_over = step <= steps_until_intrusion;
        _exit(!has_record() ? CHILD_IS_WRONG : is_over ? CHILD_IS_OVER : CHILD_IS_RIGHT);
    }
    waitpid(child, &status, 0);
    return status;
}

static void *fork_everywhere(void *wrong)
{
    int status;
    steps_until_intrusion = 0;
    read_now();
    do {
        status = fork_once();
        *(long *)wrong += status != W_EXITCODE(CHILD_IS_RIGHT, 0) && status != W_EXITCODE(CHILD_IS_OVER, 0);
        steps_until_intrusion += strides(3);
    } while (status != W_EXITCODE(CHILD_IS_OVER, 0) && steps_until_intrusion < 20000);
    return NULL;
}

/* This thread is not the first, and has another thread's place in the pool then. */
static void try_children(void)
{
    struct tclk_config config = {.source = TCLK_SOURCE_CLOCK};
    pthread_t thread;
    long wrong = 0;
    tclk_clock_configure(&config);
    before_the_library = begin_stepping;
    after_the_library = end_stepping;
    intrusion = &intrusions[0];
    pthread_create(&thread, NULL, fork_everywhere, &wrong);
    pthread_join(thread, NULL);
    before_the_library = after_the_library = NULL;
    ok(steps_until_intrusion > 100, "a child's beginning, and a handler that reads: at %ld instructions",
       steps_until_intrusion);
    is_ns(wrong, 0, "…the child's thread has a record, which is nobody else's");
}

int main(void)
{
    stepping_begin(intrude_as_signal);
    machine_boot();
    register_after_the_library();
    try_source(TCLK_SOURCE_PERF);
    try_source(TCLK_SOURCE_RSEQ);
    try_sampled(TCLK_SOURCE_PERF);
    try_sampled(TCLK_SOURCE_RSEQ);
    try_bouts(TCLK_SOURCE_RSEQ);
    try_stops(TCLK_SOURCE_PERF);
    try_first_readings(TCLK_SOURCE_CLOCK, TCLK_SPLIT_SMOOTHED);
    try_first_readings(TCLK_SOURCE_PERF, TCLK_SPLIT_SMOOTHED);
    try_first_readings(TCLK_SOURCE_RSEQ, TCLK_SPLIT_SAMPLED);
    try_ends(TCLK_SOURCE_RSEQ, TCLK_SPLIT_SMOOTHED, 3);
    try_ends(TCLK_SOURCE_PERF, TCLK_SPLIT_SAMPLED, 1);
    try_children();
    return done();
}

#else

int main(void)
{
    skip("a signal after every instruction", STEPPING_MISSING);
    return done();
}

#endif
