/* SPDX-License-Identifier: Apache-2.0 */
#include "periods.h"

#include "report.h"
#include "trial.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#define ROUNDS 12
#define ROUNDS_ASLEEP 4 /* of work that sleeps in between: they take minutes */
#define QUICK_ROUNDS 2
#define SEED UINT64_C(0x9e3779b97f4a7c15)

#define SAMPLED(name, ns)                                                                                              \
    {                                                                                                                  \
        name,                                                                                                          \
        {                                                                                                              \
            .split = TCLK_SPLIT_SAMPLED, .sample_period_ns = (ns)                                                      \
        }                                                                                                              \
    }

/* The first is what the others are held against, once more: what it is off shows what chance does. */
static const struct contender {
    const char *name;
    struct tclk_config config;
} contenders[] = {
    {"kernel", {.split = TCLK_SPLIT_KERNEL}},
    {"kernel", {.split = TCLK_SPLIT_KERNEL}},
    {"smoothed", {.split = TCLK_SPLIT_SMOOTHED}},
    SAMPLED("sampled:90us", 90000),
    SAMPLED("sampled:250us", 250000),
    SAMPLED("sampled:500us", 500000),
    SAMPLED("sampled:1ms", 1000000),
    SAMPLED("sampled:2ms", 2000000),
    SAMPLED("sampled:5ms", 5000000),
    SAMPLED("sampled:10ms", 10000000),
};

#define CONTENDERS (sizeof contenders / sizeof contenders[0])

/* In memory that child processes share. */
struct comparison {
    const struct workload *workload;
    const struct options *options;
    struct worker worker;
    int round;
    size_t contender;
    struct series series[CONTENDERS];
    double cpu_ns[CONTENDERS][ROUNDS];
    char refused[256]; /* what the library says of `sampled` where it is not to be had */
};

static int rounds(const struct comparison *all)
{
    return all->options->is_quick ? QUICK_ROUNDS : all->workload->sleeps ? ROUNDS_ASLEEP : ROUNDS;
}

/* Some 300 ms of CPU time; of work that sleeps, half a second of wall time. */
static int windows_a_block(const struct workload *workload, bool is_quick)
{
    int windows = workload->sleeps ? 4 : strcmp(workload->unit, "request") == 0 ? 150 : 30;
    return is_quick ? windows / 10 + 1 : windows;
}

/* Samples are not to begin at the same point of the work in each round. */
static void begin_anywhere(struct worker *worker)
{
    reading_glance(worker->readers);
    worker_compute(worker, worker_random(worker, 0, 10e6));
    worker_do_one(worker);
}

/* The work is the same for each, with the same random numbers. */
static void *do_block(void *argument)
{
    struct comparison *all = argument;
    struct worker *worker = &all->worker;
    struct series *series = &all->series[all->contender];
    worker->random = SEED + (uint64_t)all->round;
    if (all->workload->burst.user > 0) {
        tick_find(&worker->tick);
    }
    worker_warm_up(worker);
    begin_anywhere(worker);
    worker->series = *series;
    worker_record_windows(worker, windows_a_block(all->workload, all->options->is_quick));
    for (size_t w = series->count; w < worker->series.count; w++) {
        all->cpu_ns[all->contender][all->round] += (double)worker->series.windows[w].cpu_ns;
    }
    *series = worker->series;
    return NULL;
}

/* A process that samples does so to its end, so that each block is one of its own. */
static int block_here(const void *shared)
{
    struct comparison *all = (struct comparison *)(uintptr_t)shared;
    const struct contender *contender = &contenders[all->contender];
    int error = tclk_clock_configure(&contender->config);
    error = error != 0 ? error : trial_run_thread(do_block, all, &all->worker);
    if (contender->config.split == TCLK_SPLIT_SAMPLED && all->refused[0] == '\0') {
        reader_is_replaced(all->refused, sizeof all->refused);
    }
    return error;
}

static bool compare(struct comparison *all)
{
    bool done = true;
    for (all->round = 0; all->round < rounds(all); all->round++) {
        for (all->contender = 0; all->contender < CONTENDERS && done; all->contender++) {
            done = trial_run_in_child(all->workload->name, block_here, all);
        }
    }
    return done;
}

static bool is_sampled(size_t i)
{
    return contenders[i].config.split == TCLK_SPLIT_SAMPLED;
}

/* The errors of the others need longer stretches of one split: they are among the other rows. */
static int print(struct comparison *all)
{
    int error = 0;
    if (all->refused[0] != '\0') {
        printf("# %s: %s\n", all->workload->name, all->refused);
    }
    for (size_t i = 1; i < CONTENDERS && error == 0; i++) {
        if (is_sampled(i) && all->refused[0] != '\0') {
            continue;
        }
        double more[ROUNDS];
        for (int round = 0; round < rounds(all); round++) {
            more[round] = 100 * (all->cpu_ns[i][round] / all->cpu_ns[0][round] - 1);
        }
        const struct report_row row = {all->workload->name, "period", contenders[i].name};
        error = is_sampled(i) ? report_user_errors(&row, &all->series[i]) : 0;
        report_more(&row, more, (size_t)rounds(all));
    }
    return error;
}

bool periods_run(const struct workload *workload, const struct options *options)
{
    struct comparison *all = mmap(NULL, sizeof *all, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED) {
        return false;
    }
    *all = (struct comparison){.workload = workload, .options = options};
    all->worker = (struct worker){
        .workload = workload, .readers = READER_BIT(READER_SAMPLED), .random = SEED, .warm_up_ns = 150000000};
    int error = 0;
    for (size_t i = 0; i < CONTENDERS && error == 0; i++) {
        error = series_start(&all->series[i]);
    }
    bool done = error == 0 && compare(all) && print(all) == 0;
    for (size_t i = 0; i < CONTENDERS && error == 0; i++) {
        munmap(all->series[i].windows, SERIES_MAX * sizeof *all->series[i].windows);
    }
    munmap(all, sizeof *all);
    return done;
}
