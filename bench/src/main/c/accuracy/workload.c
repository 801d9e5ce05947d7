/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What windows are made of, and the truth about each. It is a chain of stretches, each of user time or of system calls
 * alone, and each begins at the count at which the one before ended. So user time is the sum of the user stretches'
 * lengths, and of the costs of calls with the way into the kernel and back left out. Interrupts belong to what they
 * interrupt.
 *
 * Counts go on while the thread is switched out, CPU time does not. What the counts have in excess of the kernel's CPU
 * clock is time away; it lies in those stretches that took much longer than expected, and is taken from them in
 * proportion to how much longer.
 */

#include "accuracy.h"
#include "clock/counter.h"
#include "kernel/clockid.h"
#include "kernel/proc_stat.h"
#include "kernel/tid.h"

#include <errno.h>
#include <math.h>
#include <sched.h>
#include <stdlib.h>
#include <sys/prctl.h>
#include <sys/resource.h>

#define UNIT_NS (100 * US)   /* of work that is neither all user nor all system time */
#define STRETCH_NS (50 * US) /* longer ones are cut into these: so it shows in which the thread was switched out */
#define GLANCE_NS MS

/* Caches, neighbours and a tick may slow a stretch by this much; being switched out takes longer. */
#define EXCESS_FACTOR 0.25
#define EXCESS_NS 5000

/* ---- stretches ---- */

static double excess_ns(double ns, double expected_ns)
{
    double excess = ns - expected_ns;
    return excess > EXCESS_NS + EXCESS_FACTOR * expected_ns ? excess : 0;
}

/* The meter's own few ns are user time, and the thread may be switched out in them as anywhere. */
static void end_stretch(struct meter *meter, enum work kind, double pieces)
{
    uint64_t end = tclk_counter_read();
    double ns = (double)(end - meter->end) * work_ns_per_count;
    double expected_ns = pieces * work_costs[kind].ns;
    double user_ns = kind == SPIN ? ns : pieces * work_costs[kind].user_ns;
    *(kind == SPIN ? &meter->user_excess_ns : &meter->system_excess_ns) += excess_ns(ns, expected_ns);
    meter->system_ns += ns - user_ns;
    meter->end = tclk_counter_read();
    double own_ns = (double)(meter->end - end) * work_ns_per_count;
    meter->user_ns += user_ns + own_ns;
    meter->user_excess_ns += excess_ns(own_ns, 0);
}

static void work(struct worker *worker, enum work kind, double pieces)
{
    struct tclk_times unused;
    struct meter *meter = &worker->meter;
    work_do(kind, true, (int64_t)pieces);
    end_stretch(meter, kind, pieces);
    if (worker->workload->glances && (double)(meter->end - meter->glanced) * work_ns_per_count >= GLANCE_NS) {
        tclk_thread_read(&unused);
        meter->glanced = meter->end;
        end_stretch(meter, READING, 1);
    }
}

static void compute(struct worker *worker, double ns)
{
    for (; ns > 0; ns -= STRETCH_NS) {
        work(worker, SPIN, floor(fmin(ns, STRETCH_NS) / work_costs[SPIN].ns));
    }
}

/* Whole calls alone can be made: the last one may be half a call too long or too short. */
static void copy(struct worker *worker, double ns)
{
    while (ns >= work_costs[COPY_SHORT].ns / 2) {
        enum work kind = ns >= work_costs[COPY_LONG].ns ? COPY_LONG : COPY_SHORT;
        work(worker, kind, 1);
        ns -= work_costs[kind].ns;
    }
}

static void mix(struct worker *worker, double ns, double user_share)
{
    for (; ns > 0; ns -= UNIT_NS) {
        compute(worker, UNIT_NS * user_share);
        copy(worker, UNIT_NS * (1 - user_share));
    }
}

static double random_between(struct worker *worker, double low, double high)
{
    return low + (high - low) * erand48(worker->random);
}

/* ---- the clock tick ---- */

#define NARROW_PARTS 400 /* of a tick's length: how narrowly one has to be caught */
#define LATE_PARTS 80    /* how late a thread may be woken: a burst is a little longer than two of these */
#define CATCHES 32       /* that are tried; then the last one is taken as it is */
#define WAKES 16         /* likewise */

/* A tick, as the coarse clock shows it by moving. */
static double catch_tick(double length_ns)
{
    double before_ns;
    do {
        double last_ns = now_ns(CLOCK_MONOTONIC_COARSE);
        do {
            before_ns = now_ns(CLOCK_MONOTONIC);
        } while (now_ns(CLOCK_MONOTONIC_COARSE) == last_ns);
    } while (now_ns(CLOCK_MONOTONIC) - before_ns > length_ns / NARROW_PARTS);
    return before_ns;
}

/* Binds the thread to its CPU, because each has its own tick, and asks for sharp wake-ups. Two catches that agree are
 * two ticks, none of which came late; of machines on which none agree, the share of bursts that ticks find tells. */
static void find_tick(struct worker *worker)
{
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET((size_t)sched_getcpu(), &here);
    sched_setaffinity(0, sizeof here, &here);
    prctl(PR_SET_TIMERSLACK, 1);
    double length_ns = (double)tclk_clock_tick_ns();
    double last_ns, at_ns = catch_tick(length_ns);
    int catches = 1;
    do {
        last_ns = at_ns;
        at_ns = catch_tick(length_ns);
    } while (fabs(remainder(at_ns - last_ns, length_ns)) > length_ns / NARROW_PARTS && ++catches < CATCHES);
    worker->tick = (struct tick){.length_ns = length_ns, .at_ns = at_ns};
}

static void sleep_until_phase(struct worker *worker)
{
    struct tick *tick = &worker->tick;
    double first_ns = tick->at_ns + tick->length_ns * worker->workload->burst.start, ns;
    int wakes = 0;
    worker->meter.sleep_cpu_ns -= now_ns(CLOCK_THREAD_CPUTIME_ID);
    do {
        ns = first_ns + (floor((now_ns(CLOCK_MONOTONIC) - first_ns) / tick->length_ns) + 1) * tick->length_ns;
        struct timespec t = {.tv_sec = (time_t)(ns / S), .tv_nsec = (long)fmod(ns, S)};
        clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    } while (now_ns(CLOCK_MONOTONIC) - ns > tick->length_ns / LATE_PARTS && ++wakes < WAKES);
    tick->bursts++;
    worker->meter.sleep_cpu_ns += now_ns(CLOCK_THREAD_CPUTIME_ID);
    worker->meter.end = tclk_counter_read();
}

/* ---- windows of workloads ---- */

static void calls(struct worker *worker)
{
    enum work kind = worker->workload->kind;
    double times = floor(STRETCH_NS / work_costs[kind].ns + 1);
    for (double ns = worker->workload->ns; ns > 0; ns -= times * work_costs[kind].ns) {
        work(worker, kind, times);
    }
}

/* A half may begin in one window and end in the next. */
static void halves(struct worker *worker)
{
    double ns;
    for (double left_ns = worker->workload->ns; left_ns >= 1; left_ns -= ns) {
        if (worker->left_ns < 1) {
            worker->is_copying = !worker->is_copying;
            worker->left_ns = worker->workload->half_ns;
        }
        ns = fmin(worker->left_ns, left_ns);
        (worker->is_copying ? copy : compute)(worker, ns);
        worker->left_ns -= ns;
    }
}

static void bursts_at_phase(struct worker *worker)
{
    double user_ns = worker->tick.length_ns * worker->workload->burst.user;
    double system_ns = worker->tick.length_ns * worker->workload->burst.system;
    for (double ns = 0; ns < worker->workload->ns; ns += user_ns + system_ns) {
        sleep_until_phase(worker);
        compute(worker, user_ns);
        copy(worker, system_ns);
    }
}

static void random_bursts(struct worker *worker)
{
    for (double ns = 0; ns < worker->workload->ns;) {
        double user_ns = random_between(worker, 50 * US, 300 * US);
        double system_ns = random_between(worker, 50 * US, 300 * US);
        struct timespec t = {.tv_nsec = (long)random_between(worker, 200 * US, 3 * MS)};
        worker->meter.sleep_cpu_ns -= now_ns(CLOCK_THREAD_CPUTIME_ID);
        clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
        worker->meter.sleep_cpu_ns += now_ns(CLOCK_THREAD_CPUTIME_ID);
        worker->meter.end = tclk_counter_read();
        compute(worker, user_ns);
        copy(worker, system_ns);
        ns += user_ns + system_ns;
    }
}

static void random_share(struct worker *worker)
{
    double ns = random_between(worker, worker->workload->least_ns, worker->workload->ns);
    mix(worker, ns, random_between(worker, 0, 1));
}

static void pure(struct worker *worker)
{
    (random_between(worker, 0, 1) < 0.5 ? compute : copy)(worker, worker->workload->ns);
}

static void one_of_eight(struct worker *worker)
{
    mix(worker, worker->workload->ns, (2 * worker->number + 1) / 16.0); /* 6 % to 94 % */
}

static void phase_change(struct worker *worker)
{
    mix(worker, worker->workload->ns, worker->turn / 40 % 2 != 0 ? 0.1 : 0.9); /* for 400 ms each */
}

static void compete(struct worker *worker)
{
    for (double end_ns = now_ns(CLOCK_MONOTONIC) + worker->workload->ns; now_ns(CLOCK_MONOTONIC) < end_ns;) {
    }
}

/* Halves of "10 ms" are a little shorter than the window, which so begins at each phase of them in turn. Without
 * glances, a reading after 10 ms always asks the kernel: of CPU time it says nothing. */
#define TEN(text, function) .name = text, .unit = "10ms", .do_window = function, .ns = 10 * MS
#define REQUEST(text, function) .name = text, .unit = "request", .do_window = function, .ns = 2 * MS, .least_ns = 2 * MS
#define WAIT(text) .name = "waits-" text, .unit = "100ms", .do_window = compete, .ns = 100 * MS, .waits = true

const struct workload workloads[WORKLOADS] = {
    {TEN("spin", calls), .kind = SPIN, .glances = true},
    {TEN("getppid", calls), .kind = GETPPID},
    {TEN("pread", calls), .kind = PREAD},
    {TEN("write", calls), .kind = WRITE},
    {TEN("mmap", calls), .kind = MMAP},
    {TEN("mix-2us", halves), .half_ns = 2 * US},
    {TEN("mix-50us", halves), .half_ns = 50 * US},
    {TEN("mix-1ms", halves), .half_ns = 1 * MS},
    {TEN("mix-10ms", halves), .half_ns = 9.9 * MS},
    {TEN("on-tick", bursts_at_phase), .sleeps = true, .burst = {-0.0425, 0.075, 0, 0.8, 1}},
    {TEN("off-tick", bursts_at_phase), .sleeps = true, .burst = {0.4, 0.075, 0, 0, 0.1}},
    {TEN("user-on-tick", bursts_at_phase), .sleeps = true, .burst = {-0.03, 0.05, 0.2, 0.8, 1}},
    {TEN("random-bursts", random_bursts), .sleeps = true},
    {REQUEST("requests-alike", halves), .half_ns = 50 * US},
    {REQUEST("requests-random", random_share)},
    {REQUEST("requests-pure", pure)},
    {TEN("eight-threads", one_of_eight), .others = THREADS_MAX - 1, .glances = true},
    {.name = "short-threads", .unit = "thread", .do_window = random_share, .least_ns = 1 * MS, .ns = 5 * MS},
    {TEN("phase-change", phase_change)},
    {WAIT("crowded"), .rivals = 2},
    {WAIT("idle-class"), .rivals = 1, .is_idle = true},
    {WAIT("quota"), .has_quota = true},
};

/* ---- recording them ---- */

#define LOOK_NS (50 * US) /* a look at waits that takes no longer is of one moment */
#define LOOKS 100         /* that are tried */

/*
 * How long the thread has waited for its CPU. It waits whenever it does not run, so the truth is its wall time less its
 * CPU time, by the kernel's clocks. That truth knows nothing of run queues. Time that a hypervisor steals is CPU time
 * of the thread to most kernels, so it is in neither. But a call of the kernel may sleep: perf_event_open(2) does, for
 * the only event on the machine.
 */
static int read_waits(const struct worker *worker, struct window *now)
{
    (void)worker;
    for (int i = 0; i < LOOKS; i++) {
        struct tclk_waits waits;
        struct rusage usage;
        double before_ns = now_ns(CLOCK_MONOTONIC);
        int error = tclk_thread_waits(&waits);
        double cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID), wall_ns = now_ns(CLOCK_MONOTONIC);
        getrusage(RUSAGE_THREAD, &usage);
        *now = (struct window){{[CPU] = wall_ns,
                                [WALL] = wall_ns,
                                [USER] = wall_ns - cpu_ns,
                                [LIBRARY] = (double)waits.run_delay_ns,
                                [SLEEPS] = (double)usage.ru_nvcsw}};
        if (error != 0 || wall_ns - before_ns <= LOOK_NS) {
            return error;
        }
    }
    return -EAGAIN;
}

/* All readers at (nearly) one moment. The library's lies between two readings of the kernel's clock, and so can be held
 * against both. proc as JDK 8 to 25 do: opened anew each time. */
static int read_times(const struct worker *worker, struct window *now)
{
    struct tclk_times times;
    int64_t ticks_ns, proc_ns = 0;
    double wall_ns = now_ns(CLOCK_MONOTONIC), before_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
    int error = tclk_thread_read(&times);
    double after_ns = now_ns(CLOCK_THREAD_CPUTIME_ID), cpu_ns = (double)times.cpu_ns;
    error = error != 0 ? error : tclk_clock_read_own(TCLK_CLOCK_VIRT, &ticks_ns);
    error = error != 0 || !worker->reads_proc ? error : tclk_proc_stat_user_ns("/proc", tclk_tid_own(), &proc_ns);
    *now = (struct window){{[WALL] = wall_ns,
                            [WORK_END] = before_ns,
                            [CPU] = (before_ns + after_ns) / 2,
                            [CPU_ERROR] = cpu_ns - fmin(fmax(cpu_ns, before_ns), after_ns),
                            [PROC] = (double)proc_ns,
                            [TICKS] = (double)ticks_ns,
                            [LIBRARY] = (double)times.user_ns,
                            [WORK_START] = now_ns(CLOCK_THREAD_CPUTIME_ID)}};
    return error;
}

static double true_user_ns(const struct meter *meter, double awake_ns)
{
    double counted_ns = meter->user_ns + meter->system_ns;
    double excess_ns = meter->user_excess_ns + meter->system_excess_ns;
    double user_part = excess_ns > 0 ? meter->user_excess_ns / excess_ns : meter->user_ns / counted_ns;
    return meter->user_ns - fmax(0, counted_ns - awake_ns) * user_part;
}

/* Each window begins at the reading at which the one before ended. */
void worker_record(struct worker *worker, double wall_ns, double cpu_ns)
{
    struct window last, now;
    if (worker->workload->burst.user > 0 && worker->tick.length_ns == 0) {
        find_tick(worker);
    }
    double end_ns = now_ns(CLOCK_MONOTONIC) + wall_ns, cpu_end_ns = now_ns(CLOCK_THREAD_CPUTIME_ID) + cpu_ns;
    int (*read)(const struct worker *, struct window *) = worker->workload->waits ? read_waits : read_times;
    worker->error = read(worker, &last);
    while (worker->error == 0 && worker->count < WINDOWS_MAX) {
        struct window *window = &worker->windows[worker->count];
        worker->meter = (struct meter){.end = tclk_counter_read(), .glanced = worker->meter.glanced};
        worker->workload->do_window(worker);
        worker->turn++;
        worker->error = read(worker, &now);
        for (int i = 0; i < FIGURES; i++) {
            window->ns[i] = now.ns[i] - last.ns[i];
        }
        if (!worker->workload->waits) {
            double awake_ns = now.ns[WORK_END] - last.ns[WORK_START] - worker->meter.sleep_cpu_ns;
            window->ns[USER] = true_user_ns(&worker->meter, awake_ns);
        }
        worker->count += worker->error == 0 && window->ns[SLEEPS] == 0;
        last = now;
        if (now_ns(CLOCK_MONOTONIC) >= end_ns || now_ns(CLOCK_THREAD_CPUTIME_ID) >= cpu_end_ns) {
            return;
        }
    }
}
