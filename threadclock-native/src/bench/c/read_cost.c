/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Measures what one read costs. Every contender runs for a short while in turn, round after round, so that a machine
 * whose speed drifts is fair to all. Prints the ns per read of each round; `./threadclock bench` makes tables of them.
 */

#include "clock/counter.h"
#include "include/threadclock.h"
#include "kernel/clockid.h"
#include "kernel/rseq_area.h"
#include "kernel/tid.h"
#include "kernel/usage.h"

#include <errno.h>
#include <pthread.h>
#include <semaphore.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#define ROUNDS_MAX 101

/* Long enough to time to 0.1 %, short enough that few rounds are interrupted. */
#define SLICE_NS 4000000

struct contender {
    const char *name;
    int (*read)(struct tclk_times *);
    enum tclk_source source;
    bool of_busy; /* reads a thread that is to be busy meanwhile */
    bool loses_marker;
    bool available;
    double ns[ROUNDS_MAX];
};

/* All contenders are functions of one shape; the library's own is called as it is. */
__attribute__((noinline)) static int empty_call(struct tclk_times *times)
{
    __asm__ volatile("" : : "r"(times) : "memory");
    return 0;
}

__attribute__((noinline)) static int bare_counter(struct tclk_times *times)
{
    times->cpu_ns = (int64_t)tclk_counter_read();
    return 0;
}

__attribute__((noinline)) static int monotonic_clock(struct tclk_times *times)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    times->cpu_ns = t.tv_nsec;
    return 0;
}

__attribute__((noinline)) static int thread_cputime_id(struct tclk_times *times)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    times->cpu_ns = t.tv_nsec;
    return 0;
}

__attribute__((noinline)) static int sched_clock_pid_0(struct tclk_times *times)
{
    tclk_clock_read(tclk_clockid_encode(0, TCLK_CLOCK_THREAD, TCLK_CLOCK_SCHED), &times->cpu_ns);
    return 0;
}

__attribute__((noinline)) static int virt_clock_pid_0(struct tclk_times *times)
{
    tclk_clock_read(tclk_clockid_encode(0, TCLK_CLOCK_THREAD, TCLK_CLOCK_VIRT), &times->user_ns);
    return 0;
}

__attribute__((noinline)) static int rusage_thread(struct tclk_times *times)
{
    struct tclk_usage usage;
    tclk_usage_read(&usage);
    times->user_ns = usage.user_ns;
    return 0;
}

__attribute__((noinline)) static int user_time(struct tclk_times *times)
{
    times->user_ns = tclk_thread_user_ns();
    return 0;
}

__attribute__((noinline)) static int waits(struct tclk_times *times)
{
    struct tclk_waits now;
    int error = tclk_thread_waits(&now);
    times->cpu_ns = now.run_delay_ns;
    return error;
}

/* The area in which source `rseq` has its marker; libc's. */
static struct tclk_rseq_area *area;

/* As the kernel does at a switch. A real one would cost more than what is measured. */
static void lose_marker(void)
{
    *(volatile uint64_t *)&area->rseq_cs = 0;
}

__attribute__((noinline)) static int times_after_switch(struct tclk_times *times)
{
    lose_marker();
    return tclk_thread_read(times);
}

__attribute__((noinline)) static int waits_after_switch(struct tclk_times *times)
{
    lose_marker();
    return waits(times);
}

__attribute__((noinline)) static int both(struct tclk_times *times)
{
    struct tclk_waits now;
    int error = tclk_thread_read(times);
    return tclk_thread_waits(&now) + error;
}

/* ---- another thread ---- */

static struct neighbour {
    pid_t tid;
    bool spins;
    sem_t is_ready;
    sem_t may_spin;
} asleep, busy;

static void await(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0 && errno == EINTR) {
    }
}

/* Sleeps but while it is told to spin. */
static void *neighbour_run(void *argument)
{
    struct neighbour *self = argument;
    self->tid = tclk_tid_own();
    sem_post(&self->is_ready);
    for (;;) {
        await(&self->may_spin);
        sem_post(&self->is_ready);
        while (__atomic_load_n(&self->spins, __ATOMIC_RELAXED)) {
        }
        sem_post(&self->is_ready);
    }
    return NULL;
}

static bool neighbour_start(struct neighbour *neighbour)
{
    pthread_t thread;
    sem_init(&neighbour->is_ready, 0, 0);
    sem_init(&neighbour->may_spin, 0, 0);
    if (pthread_create(&thread, NULL, neighbour_run, neighbour) != 0) {
        return false;
    }
    await(&neighbour->is_ready);
    return true;
}

static void neighbour_spin(struct neighbour *neighbour)
{
    __atomic_store_n(&neighbour->spins, true, __ATOMIC_RELAXED);
    sem_post(&neighbour->may_spin);
    await(&neighbour->is_ready);
}

/* Returns when it has stopped: else it might not see that it was to, before it is told to spin again. */
static void neighbour_rest(struct neighbour *neighbour)
{
    __atomic_store_n(&neighbour->spins, false, __ATOMIC_RELAXED);
    await(&neighbour->is_ready);
}

static int sched_clock_of(pid_t tid, int64_t *cpu_ns)
{
    return tclk_clock_read(tclk_clockid_encode(tid, TCLK_CLOCK_THREAD, TCLK_CLOCK_SCHED), cpu_ns);
}

__attribute__((noinline)) static int sched_clock_asleep(struct tclk_times *times)
{
    return sched_clock_of(asleep.tid, &times->cpu_ns);
}

__attribute__((noinline)) static int sched_clock_busy(struct tclk_times *times)
{
    return sched_clock_of(busy.tid, &times->cpu_ns);
}

__attribute__((noinline)) static int cpu_time_asleep(struct tclk_times *times)
{
    times->cpu_ns = tclk_tid_cpu_ns(asleep.tid);
    return 0;
}

__attribute__((noinline)) static int cpu_time_busy(struct tclk_times *times)
{
    times->cpu_ns = tclk_tid_cpu_ns(busy.tid);
    return 0;
}

__attribute__((noinline)) static int all_times_asleep(struct tclk_times *times)
{
    return tclk_tid_read(asleep.tid, times);
}

__attribute__((noinline)) static int all_times_busy(struct tclk_times *times)
{
    return tclk_tid_read(busy.tid, times);
}

__attribute__((noinline)) static int waits_asleep(struct tclk_times *times)
{
    struct tclk_waits now;
    int error = tclk_tid_waits(asleep.tid, &now);
    times->cpu_ns = now.run_delay_ns;
    return error;
}

/* ---- rounds ---- */

static struct contender contenders[] = {
    {.name = "empty call", .read = empty_call},
    {.name = "bare counter (rdtsc)", .read = bare_counter},
    {.name = "CLOCK_MONOTONIC (vDSO)", .read = monotonic_clock},
    {.name = "CLOCK_THREAD_CPUTIME_ID", .read = thread_cputime_id},
    {.name = "SCHED clock id, PID 0", .read = sched_clock_pid_0},
    {.name = "VIRT clock id, PID 0", .read = virt_clock_pid_0},
    {.name = "getrusage(RUSAGE_THREAD)", .read = rusage_thread},
    {.name = "rseq: user + CPU time", .read = tclk_thread_read, .source = TCLK_SOURCE_RSEQ},
    {.name = "perf: user + CPU time", .read = tclk_thread_read, .source = TCLK_SOURCE_PERF},
    {.name = "rseq: waits", .read = waits, .source = TCLK_SOURCE_RSEQ},
    {.name = "rseq: times and waits", .read = both, .source = TCLK_SOURCE_RSEQ},
    {.name = "rseq: times, after a switch",
     .read = times_after_switch,
     .source = TCLK_SOURCE_RSEQ,
     .loses_marker = true},
    {.name = "rseq: waits, after a switch",
     .read = waits_after_switch,
     .source = TCLK_SOURCE_RSEQ,
     .loses_marker = true},
    {.name = "clock: waits", .read = waits, .source = TCLK_SOURCE_CLOCK},
    {.name = "clock: user + CPU time", .read = tclk_thread_read, .source = TCLK_SOURCE_CLOCK},
    {.name = "asleep: SCHED clock id", .read = sched_clock_asleep},
    {.name = "asleep: CPU time", .read = cpu_time_asleep},
    {.name = "asleep: user + CPU time", .read = all_times_asleep},
    {.name = "asleep: waits", .read = waits_asleep},
    {.name = "busy: SCHED clock id", .read = sched_clock_busy, .of_busy = true},
    {.name = "busy: CPU time", .read = cpu_time_busy, .of_busy = true},
    {.name = "busy: user + CPU time", .read = all_times_busy, .of_busy = true},
    {.name = "ticks: user time", .read = user_time, .source = TCLK_SOURCE_TICKS},
    {.name = "proc: user time", .read = user_time, .source = TCLK_SOURCE_PROC},
};

#define CONTENDERS (sizeof contenders / sizeof contenders[0])

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static bool prepare(struct contender *c)
{
    struct tclk_config config = {.source = c->source};
    if (c->source == TCLK_SOURCE_AUTO) {
        return true;
    }
    if (c->loses_marker && area == NULL) {
        return false;
    }
    return tclk_clock_configure(&config) == 0;
}

static double slice(int (*read)(struct tclk_times *))
{
    struct tclk_times times;
    long done = 0;
    int64_t start = now_ns();
    int64_t end;
    do {
        for (int i = 0; i < 256; i++) {
            read(&times);
        }
        done += 256;
        end = now_ns();
    } while (end - start < SLICE_NS);
    return (double)(end - start) / (double)done;
}

static double slice_beside_busy(int (*read)(struct tclk_times *))
{
    neighbour_spin(&busy);
    double ns = slice(read);
    neighbour_rest(&busy);
    return ns;
}

static void run_round(int round)
{
    for (size_t i = 0; i < CONTENDERS; i++) {
        struct contender *c = &contenders[i];
        c->available = prepare(c);
        if (c->available) {
            c->ns[round] = c->of_busy ? slice_beside_busy(c->read) : slice(c->read);
        }
    }
}

/* Round by round, so that a reader can form ratios within a round. A measurement: a line that Exchange.java reads. */
static void print_contender(const struct contender *c, int rounds)
{
    char reason[160];
    if (!c->available) {
        tclk_source_explain(c->source, reason, sizeof reason);
        printf("# %s refused: %s\n", c->name, reason);
        return;
    }
    printf("{\"answer\": {\"subject\": {\"benchmark\": \"native\", \"contender\": \"%s\", ", c->name);
    printf("\"quantity\": \"read\"}, \"unit\": \"ns\", \"rounds\": [");
    for (int i = 0; i < rounds; i++) {
        printf("%s%.2f", i > 0 ? ", " : "", c->ns[i]);
    }
    puts("]}}");
}

int main(int argc, char **argv)
{
    int rounds = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : 31;
    rounds = rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    if (!neighbour_start(&asleep) || !neighbour_start(&busy)) {
        fputs("no memory for two threads\n", stderr);
        return 1;
    }
    tclk_rseq_setup();
    tclk_rseq_area_of_thread(&area);
    for (int round = 0; round < rounds; round++) {
        run_round(round);
    }
    for (size_t i = 0; i < CONTENDERS; i++) {
        print_contender(&contenders[i], rounds);
    }
    return 0;
}
