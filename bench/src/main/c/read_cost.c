/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Measures what one read costs, and judges whether the two fast sources keep what is promised. Every contender runs for
 * a short while in turn, round after round, so that a machine whose speed drifts is fair to all.
 */

#include "clock/counter.h"
#include "include/threadclock.h"
#include "kernel/clockid.h"
#include "kernel/usage.h"

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#define ROUNDS_MAX 101
#define ROUNDS_USUAL 31
#define PROMISED_TIMES_COUNTER 2.0

/* Long enough to time to 0.1 %, short enough that few rounds are interrupted. */
#define SLICE_NS 4000000

struct contender {
    const char *name;
    int (*read)(struct tclk_times *);
    enum tclk_source source;
    bool is_promised;
    bool available;
    double ns[ROUNDS_MAX];
};

/* All contenders are functions of one shape; the library's own is called as it is. */
#define READ(name, statement)                                                                                          \
    __attribute__((noinline)) static int name(struct tclk_times *times)                                                \
    {                                                                                                                  \
        statement;                                                                                                     \
        return 0;                                                                                                      \
    }

#define SCHED_CLOCK_OF(tid)                                                                                            \
    tclk_clock_read(tclk_clockid_encode(tid, TCLK_CLOCK_THREAD, TCLK_CLOCK_SCHED), &times->cpu_ns)

static struct timespec now;
static struct tclk_usage usage;

READ(empty_call, __asm__ volatile("" : : "r"(times) : "memory"))
READ(bare_counter, times->cpu_ns = (int64_t)tclk_counter_read())
READ(monotonic_clock, (clock_gettime(CLOCK_MONOTONIC, &now), times->cpu_ns = now.tv_nsec))
READ(thread_cputime_id, (clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now), times->cpu_ns = now.tv_nsec))
READ(sched_clock_pid_0, SCHED_CLOCK_OF(0))
READ(virt_clock_pid_0, tclk_clock_read(tclk_clockid_encode(0, TCLK_CLOCK_THREAD, TCLK_CLOCK_VIRT), &times->user_ns))
READ(rusage_thread, (tclk_usage_read(&usage), times->user_ns = usage.user_ns))
READ(user_time, times->user_ns = tclk_thread_user_ns())

/* ---- rounds ---- */

static struct contender contenders[] = {
    {.name = "empty call", .read = empty_call},
    {.name = "bare counter (rdtsc)", .read = bare_counter},
    {.name = "CLOCK_MONOTONIC (vDSO)", .read = monotonic_clock},
    {.name = "CLOCK_THREAD_CPUTIME_ID", .read = thread_cputime_id},
    {.name = "SCHED clock id, PID 0", .read = sched_clock_pid_0},
    {.name = "VIRT clock id, PID 0", .read = virt_clock_pid_0},
    {.name = "getrusage(RUSAGE_THREAD)", .read = rusage_thread},
    {.name = "rseq: user + CPU time", .read = tclk_thread_read, .source = TCLK_SOURCE_RSEQ, .is_promised = true},
    {.name = "perf: user + CPU time", .read = tclk_thread_read, .source = TCLK_SOURCE_PERF, .is_promised = true},
    {.name = "clock: user + CPU time", .read = tclk_thread_read, .source = TCLK_SOURCE_CLOCK},
    {.name = "ticks: user time", .read = user_time, .source = TCLK_SOURCE_TICKS},
    {.name = "proc: user time", .read = user_time, .source = TCLK_SOURCE_PROC},
};

#define CONTENDERS (sizeof contenders / sizeof contenders[0])

static const struct contender *const counter = &contenders[1];

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static bool prepare(struct contender *c)
{
    struct tclk_config config = {.source = c->source};
    return c->source == TCLK_SOURCE_AUTO || tclk_clock_configure(&config) == 0;
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

static void run_round(int round)
{
    for (size_t i = 0; i < CONTENDERS; i++) {
        struct contender *c = &contenders[i];
        c->available = prepare(c);
        if (c->available) {
            c->ns[round] = slice(c->read);
        }
    }
}

/* ---- the table ---- */

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static struct spread {
    double least, median, most;
} spread(const double *values, int count)
{
    double sorted[ROUNDS_MAX];
    memcpy(sorted, values, (size_t)count * sizeof *values);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    double median = (sorted[(count - 1) / 2] + sorted[count / 2]) / 2;
    return (struct spread){sorted[0], median, sorted[count - 1]};
}

/* Of ratios within the rounds, because the speed of the machine may drift. */
static double times_counter(const struct contender *c, int rounds)
{
    double ratios[ROUNDS_MAX];
    for (int i = 0; i < rounds; i++) {
        ratios[i] = c->ns[i] / counter->ns[i];
    }
    return spread(ratios, rounds).median;
}

static void print_contender(const struct contender *c, int rounds)
{
    char reason[160];
    if (c->available) {
        struct spread ns = spread(c->ns, rounds);
        printf("%-28s %10.1f %10.1f %10.1f %12.2f\n", c->name, ns.median, ns.least, ns.most, times_counter(c, rounds));
    } else {
        tclk_source_explain(c->source, reason, sizeof reason);
        printf("%-28s refused: %s\n", c->name, reason);
    }
}

/* Returns whether it is kept, as far as it was measured. */
static bool print_promise(const struct contender *c, int rounds)
{
    double ratio = c->available ? times_counter(c, rounds) : 0;
    bool is_kept = ratio <= PROMISED_TIMES_COUNTER;
    printf("%s: at most %.0f × bare counter is promised: ", c->name, PROMISED_TIMES_COUNTER);
    if (c->available) {
        printf("%.2f: %s\n", ratio, is_kept ? "kept" : "BROKEN");
    } else {
        puts("not measured");
    }
    return is_kept;
}

int main(int argc, char **argv)
{
    bool are_kept = true;
    int rounds = argc > 1 && atoi(argv[1]) > 0 ? atoi(argv[1]) : ROUNDS_USUAL;
    rounds = rounds > ROUNDS_MAX ? ROUNDS_MAX : rounds;
    for (int round = 0; round < rounds; round++) {
        run_round(round);
    }
    printf("One read in C, ns; %d rounds, in each of which every read runs for %d ms\n\n%-28s %10s %10s %10s %13s\n",
           rounds, SLICE_NS / 1000000, "read", "median", "least", "most", "× counter");
    for (size_t i = 0; i < CONTENDERS; i++) {
        print_contender(&contenders[i], rounds);
    }
    puts("");
    for (size_t i = 0; i < CONTENDERS; i++) {
        are_kept &= !contenders[i].is_promised || print_promise(&contenders[i], rounds);
    }
    return !are_kept;
}
