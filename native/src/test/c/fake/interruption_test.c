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

#include "clock/divide/divide.h"
#include "clock/observe.h"
#include "clock/source.h"
#include "clock/thread.h"
#include "kernel/tid.h"
#include "machine.h"
#include "stepping.h"

#include <pthread.h>
#include <signal.h>
#include <sys/wait.h>
#include <tap.h>
#include <unistd.h>

#if defined(STEPPING_IS_HERE)

/* It sleeps, computes before each of its readings, and calls `then`. */
struct intrusion {
    const char *what;
    int64_t sleeps_ns;
    int64_t computes_ns;
    int reads;
    struct tclk_point (*read)(void); /* observe_own: another thread reads this one */
    void (*then)(void);
};

/* A time after the line's end, and before the window's. */
#define SLICES_NS (2 * TCLK_SAMPLE_SLICE_PERIODS * TCLK_SAMPLE_PERIOD_LEAST_NS)

/* All sleeps are shorter than a window, so that the window's end does not hide a wrong reading. */
static const struct intrusion intrusions[] = {
    {"reads", 0, 0, 1, read_now, NULL},
    {"computes, and reads twice", 0, 30 * US, 2, read_now, NULL},
    {"sleeps, computes, and reads three times", MS, 20 * US, 3, read_now, NULL},
    {"sleeps", MS, 0, 0, read_now, NULL},
    {"is another thread that observes", 0, 30 * US, 2, observe_own, NULL},
    {"is another thread that observes past the window's end", 0, 4500 * US, 1, observe_own, NULL},
};
static const struct intrusion begins_a_line = {
    "computes past its line's end, and reads", 0, SLICES_NS, 1, read_now, NULL};

#define INTRUSIONS (sizeof intrusions / sizeof intrusions[0])

static const struct intrusion *intrusion;
static struct tclk_point (*stepped)(void) = read_unjudged;

static void intrude(void)
{
    if (stepped == read_unjudged && intrusion->read == read_now) {
        machine_signal();
    }
    if (intrusion->sleeps_ns > 0) {
        machine_sleep(intrusion->sleeps_ns);
    }
    for (int i = 0; i < intrusion->reads; i++) {
        machine_run(intrusion->computes_ns + 50, USER_MODE);
        intrusion->read();
    }
    if (intrusion->then != NULL) {
        intrusion->then();
    }
}

static struct tclk_point read_in_steps(void)
{
    begin_steps();
    struct tclk_point point = stepped();
    end_steps();
    return point;
}

/* ---- readings ---- */

/* Prepares the thread for a reading. */
struct situation {
    const char *what;
    void (*prepare)(void);
    long stride;
    bool is_ahead; /* a steal has made the extrapolation run ahead */
};

#define STOLEN_NS (700 * US)

static void nothing_happens(void)
{
    machine_run(20 * US, USER_MODE);
}

static void is_stolen_from(void)
{
    machine_run(20 * US, USER_MODE);
    machine_steal(STOLEN_NS);
}

static void is_switched_out(void)
{
    machine_run(20 * US, USER_MODE);
    machine_preempt(MS);
}

static void is_past_its_window(void)
{
    machine_run(4500 * US, USER_MODE);
}

static void is_switched_out_ahead(void)
{
    is_stolen_from();
    read_now();
    machine_preempt(MS);
}

/* Beyond its line, `sampled` counts its samples without asking the kernel. */
static void is_past_its_line(void)
{
    machine_run(SLICES_NS, USER_MODE);
}

/* The line has begun at a time that the kernel has not reached yet, and the thread has read itself on it since. */
static void is_ahead_on_a_new_line(void)
{
    is_stolen_from();
    is_past_its_line();
    read_now();
    run_and_read(200, USER_MODE);
}

static void work_in_step(int bursts)
{
    for (int i = 0; i < bursts; i++) {
        machine_sleep_until(MS);
        read_now();
        run_and_read(300 * US, USER_MODE);
    }
}

static void ends_a_bout(void)
{
    for (int i = 0; i < 1000 && machine.sample_events == 0; i++) {
        work_in_step(1);
    }
    machine_run(3500 * US, USER_MODE);
    machine_preempt(1000);
}

static void is_in_step(void)
{
    work_in_step(13);
    machine_preempt(1000);
}

#define STRIDE 17

static const struct situation reads[] = {
    {"a read that extrapolates", nothing_happens, 1, false},
    {"a read that has run ahead", is_stolen_from, 1, true},
    {"a resync", is_switched_out, STRIDE, false},
    {"a resync at a window's end", is_past_its_window, STRIDE, false},
    {"a resync of a reading that has run ahead", is_switched_out_ahead, STRIDE, true},
};
static const struct situation observations[] = {
    {"an observation", nothing_happens, STRIDE, false},
    {"an observation past the window's end", is_past_its_window, STRIDE, false},
};
/* Only readings that ask the kernel differ then; reads that extrapolate are the same. */
static const struct situation sampled_reads[] = {
    {"a look at the samples", is_past_its_line, STRIDE, false},
    {"a resync with samples", is_switched_out, STRIDE, false},
};
static const struct situation observation_ahead = {"an observation where it is ahead", is_ahead_on_a_new_line, 1, true};
static const struct situation reads_in_step[] = {
    {"a read that ends a bout", ends_a_bout, 3 * STRIDE, false},
    {"a read that may begin one", is_in_step, 3 * STRIDE, false},
};

static const struct situation *situation;
static int64_t events_left; /* without the one of a bout that goes on */

static void read_once(void)
{
    machine_run(2 * MS, steps_until_intrusion % 3 == 0 ? SYSTEM_MODE : USER_MODE);
    machine_preempt(1000);
    read_now();
    situation->prepare();
    judge(read_in_steps);
    if (was_over()) {
        return;
    }
    if (situation->is_ahead) {
        machine_preempt(1000); /* the next reading asks the kernel, whose time is less */
    }
    read_now();
    events_left += machine.sample_events > 1;
}

/* A reading around a resync is late by the time that the resync takes after it has asked for the time. */
#define SLACK_NS 5000

static void are_right(const char *what, int64_t stolen_ns)
{
    readings_keep_the_law(what);
    ok(readings.ahead_ns <= 100 + stolen_ns && readings.behind_ns <= SLACK_NS,
       "…none is ahead by more than was stolen, so sleep is never counted (%" PRId64 " ns), nor behind (%" PRId64 ")",
       readings.ahead_ns, readings.behind_ns);
    readings_begin();
}

static void read_everywhere(const struct situation *in, const struct intrusion *with)
{
    situation = in;
    intrusion = with;
    events_left = 0;
    readings_begin();
    long tried = at_each_instruction(in->stride, read_once);
    ok(tried > 20 * in->stride / strides(in->stride), "%s, and a handler that %s: %ld instructions tried", in->what,
       with->what, tried);
    are_right(in->what, in->is_ahead ? STOLEN_NS : 0);
    is_ns(events_left, 0, "…no sampling event is left behind");
}

static void read_in_all(const struct situation *situations, size_t n, const struct intrusion *with, size_t kinds)
{
    for (size_t i = 0; i < kinds * n; i++) {
        read_everywhere(&situations[i % n], &with[i / n]);
    }
}

#define EACH(table) table, sizeof(table) / sizeof((table)[0])

static void no_switch_is_missed(void)
{
    is_ns(demotions(), 0, "no switch is taken for one that the detector missed");
}

static void try_source(enum tclk_source source)
{
    USE(.source = source);
    read_in_all(EACH(reads), EACH(intrusions));
    stepped = observe_unjudged;
    read_in_all(EACH(observations), EACH(intrusions));
    stepped = read_unjudged;
    no_switch_is_missed();
}

static void try_sampled(enum tclk_source source)
{
    USE(.source = source, .split = TCLK_SPLIT_SAMPLED);
    machine_preempt(1000);
    read_now(); /* the bout begins */
    read_in_all(EACH(sampled_reads), EACH(intrusions));
    stepped = observe_unjudged;
    read_everywhere(&observation_ahead, &begins_a_line);
    stepped = read_unjudged;
    no_switch_is_missed();
}

static void try_bouts(enum tclk_source source)
{
    USE(.source = source);
    work_in_step(1000);
    is_ns(stats_now().threads_suspected, 1, "a thread that sleeps often is sampled");
    int64_t opens = machine.sample_opens;
    read_in_all(EACH(reads_in_step), EACH(intrusions));
    ok(machine.sample_opens > opens + 20, "%d bouts began among them", (int)(machine.sample_opens - opens));
    no_switch_is_missed();
}

/* ---- a thread's first reading ---- */

static long records_given_back; /* between the handler's reading and the thread's */
static struct tclk_record *handlers;

static void note_record(void)
{
    handlers = tclk_record_find(tclk_tid_own());
}

static void *read_first(void *unused)
{
    handlers = NULL;
    judge(read_in_steps);
    records_given_back += !was_over() && tclk_record_find(tclk_tid_own()) != handlers;
    return unused;
}

static void in_thread(void *(*run)(void *))
{
    pthread_t thread;
    pthread_create(&thread, NULL, run, NULL);
    pthread_join(thread, NULL);
}

static void begin_thread(void)
{
    in_thread(read_first);
}

static int64_t opened_now(void)
{
    return machine.perf_pages + machine.sample_events;
}

static const struct intrusion takes_a_record = {"reads", 0, 0, 1, read_now, note_record};

/* The handler may have taken a record for the thread. Then this is the thread's record, to which further handlers
 * write. Whatever both have opened is given back when the thread ends. Each source tries every third instruction, from
 * another one on: a first reading has more than a thousand, and a step costs 11 us in a virtual machine whose
 * hypervisor handles debug exceptions. */
static void try_first_readings(enum tclk_source source, enum tclk_split split)
{
    int64_t opened = opened_now();
    USE(.source = source, .split = split);
    intrusion = &takes_a_record;
    records_given_back = 0;
    long tried = at_each_instruction(3, begin_thread);
    ok(tried > 500 / strides(3), "%s: a first reading, and a handler that reads: at %ld instructions",
       tclk_source_name(source), tried);
    is_ns(records_given_back, 0, "…what the handler has taken stays the thread's");
    is_ns(opened_now() - opened, 0, "…no page is left of it, nor sampling event");
}

/* ---- a thread's end, and a child's beginning ---- */

/* The library registers for both when it is loaded; what is registered before and after it is called before and
 * after it. */
static void (*before_the_library)(void);
static void (*after_the_library)(void);
static pthread_key_t key_before;
static pthread_key_t key_after;

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

static void call_before(void *unused)
{
    (void)unused;
    fork_before();
}

static void call_after(void *unused)
{
    (void)unused;
    fork_after();
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

static const struct tclk_record *record_at_end;
static long ends_not_held; /* observers hold the record, and the thread's own words point to none */

static void judge_end(void)
{
    end_steps();
    pid_t tid = tclk_tid_own();
    ends_not_held += tclk_record_find(tid) != record_at_end ||
                     tclk_record_hold_of(record_at_end, tid) != TCLK_HOLD_ENDED || tclk_thread.counting != NULL ||
                     tclk_thread_is(tid);
    read_now();
}

static void *live_and_end(void *unused)
{
    run_and_read(2 * MS, USER_MODE);
    run_and_read(20 * US, USER_MODE);
    record_at_end = tclk_record_find(tclk_tid_own());
    pthread_setspecific(key_before, &key_before);
    pthread_setspecific(key_after, &key_after);
    return unused;
}

static void end_thread(void)
{
    in_thread(live_and_end);
}

static void try_ends(enum tclk_source source, enum tclk_split split, long stride)
{
    int64_t opened = opened_now();
    USE(.source = source, .split = split);
    before_the_library = begin_steps;
    after_the_library = judge_end;
    intrusion = &intrusions[1];
    long tried = at_each_instruction(stride, end_thread);
    before_the_library = after_the_library = NULL;
    ok(tried > 300 / strides(stride), "%s: a thread's end, and a handler that reads: at %ld instructions",
       tclk_source_name(source), tried);
    is_ns(ends_not_held, 0, "…observers have the record, and the thread has not");
    are_right("a thread's end", 0);
    is_ns(opened_now() - opened, 0, "…nothing is left of it");
}

/* True if the thread has a record that is found by its tid and that nobody else will be given. */
static bool has_record(void)
{
    read_now();
    struct tclk_record *record = tclk_record_find(tclk_tid_own());
    if (record == NULL || tclk_record_hold(record) != TCLK_HOLD_OWNER) {
        return false;
    }
    uint32_t counted = tclk_record_resyncs(record);
    machine_sleep(MS);
    read_now();
    return tclk_record_resyncs(record) == counted + 1 && tclk_record_index(record) < tclk_record_used();
}

static long wrong_children;

/* The child tells how many instructions were stepped through in it. */
static void fork_once(void)
{
    int ends[2];
    if (pipe(ends) != 0) {
        wrong_children++;
        return;
    }
    pid_t child = fork();
    if (child == 0) {
        long steps = step;
        _exit(has_record() && write(ends[1], &steps, sizeof steps) == sizeof steps ? 0 : 1);
    }
    int status;
    waitpid(child, &status, 0);
    wrong_children += status != 0 || read(ends[0], &step, sizeof step) != sizeof step;
    close(ends[0]);
    close(ends[1]);
}

static long forks;

static void *fork_everywhere(void *unused)
{
    read_now();
    forks = at_each_instruction(3, fork_once);
    return unused;
}

/* This thread is not the first, and has another thread's place in the pool then. */
static void try_children(void)
{
    USE(.source = TCLK_SOURCE_CLOCK);
    before_the_library = begin_steps;
    after_the_library = end_steps;
    intrusion = &intrusions[0];
    in_thread(fork_everywhere);
    before_the_library = after_the_library = NULL;
    ok(forks > 100 / strides(3), "a child's beginning, and a handler that reads: at %ld instructions", forks);
    is_ns(wrong_children, 0, "…the child's thread has a record, which is nobody else's");
}

int main(void)
{
    stepping_begin(intrude);
    machine_boot((struct machine){0});
    register_after_the_library();
    try_source(TCLK_SOURCE_PERF);
    try_source(TCLK_SOURCE_RSEQ);
    try_bouts(TCLK_SOURCE_RSEQ);
    try_first_readings(TCLK_SOURCE_CLOCK, TCLK_SPLIT_SMOOTHED);
    try_first_readings(TCLK_SOURCE_PERF, TCLK_SPLIT_SMOOTHED);
    try_ends(TCLK_SOURCE_RSEQ, TCLK_SPLIT_SMOOTHED, 3);
    try_children();
    try_sampled(TCLK_SOURCE_PERF); /* from here on, the process samples */
    try_sampled(TCLK_SOURCE_RSEQ);
    try_first_readings(TCLK_SOURCE_RSEQ, TCLK_SPLIT_SAMPLED);
    try_ends(TCLK_SOURCE_PERF, TCLK_SPLIT_SAMPLED, 1);
    return done();
}

#endif
