/* SPDX-License-Identifier: Apache-2.0 */
#include "trial.h"

#include "kernel/raw_clock.h"
#include "report.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define MS INT64_C(1000000)
#define WORKERS_MAX 8

/* The steered split takes 250 ms of CPU time to find its way; a quick run has hardly that. */
struct schedule {
    int64_t warm_up_ns; /* of CPU time */
    int64_t record_ns;  /* of wall time */
};

static const struct schedule quick = {200 * MS, 300 * MS};
static const struct schedule full = {400 * MS, 6500 * MS};

static struct worker workers[WORKERS_MAX];

/* ---- threads ---- */

static void *work(void *argument)
{
    struct worker *worker = argument;
    if (worker->workload->burst.user > 0) {
        tick_find(&worker->tick);
    }
    worker_warm_up(worker);
    worker->tick.bursts = 0;
    worker->tick.hits = 0;
    worker_record(worker);
    return NULL;
}

static void *live_shortly(void *argument)
{
    worker_record_one(argument);
    return NULL;
}

int trial_run_thread(void *(*body)(void *), void *argument, const struct worker *worker)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, body, argument);
    if (error != 0) {
        return -error;
    }
    pthread_join(thread, NULL);
    return worker->error;
}

static int run_short_threads(struct worker *worker, int64_t wall_ns)
{
    int error = 0;
    int64_t end_ns = (int64_t)tclk_raw_clock_ns() + wall_ns;
    while (error == 0 && (int64_t)tclk_raw_clock_ns() < end_ns) {
        error = trial_run_thread(live_shortly, worker, worker);
    }
    return error;
}

static int run_one_after_another(struct worker *worker)
{
    int error = run_short_threads(worker, worker->warm_up_ns);
    worker->series.count = 0;
    return error != 0 ? error : run_short_threads(worker, worker->record_ns);
}

void trial_stay_on_cpus(int count)
{
    cpu_set_t allowed;
    cpu_set_t chosen;
    CPU_ZERO(&chosen);
    sched_getaffinity(0, sizeof allowed, &allowed);
    for (size_t cpu = 0; cpu < CPU_SETSIZE && CPU_COUNT(&chosen) < count; cpu++) {
        if (CPU_ISSET(cpu, &allowed)) {
            CPU_SET(cpu, &chosen);
        }
    }
    sched_setaffinity(0, sizeof chosen, &chosen);
}

static int run_at_once(struct worker *several, int count)
{
    pthread_t threads[WORKERS_MAX];
    int error = 0;
    int started = 0;
    trial_stay_on_cpus(2);
    while (error == 0 && started < count) {
        error = -pthread_create(&threads[started], NULL, work, &several[started]);
        started += error == 0;
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        error = error != 0 ? error : several[i].error;
    }
    return error;
}

static int run_threads(const struct workload *workload)
{
    switch (workload->threads) {
    case WORKLOAD_EIGHT_THREADS:
        return run_at_once(workers, WORKERS_MAX);
    case WORKLOAD_SHORT_THREADS:
        return run_one_after_another(workers);
    case WORKLOAD_ONE_THREAD:
        break;
    }
    return trial_run_thread(work, workers, workers);
}

/* ---- the process ---- */

static int thread_count(const struct workload *workload)
{
    return workload->threads == WORKLOAD_EIGHT_THREADS ? WORKERS_MAX : 1;
}

static int prepare_workers(const struct trial *trial)
{
    const struct schedule *schedule = trial->options->is_quick ? &quick : &full;
    for (int i = 0; i < thread_count(trial->workload); i++) {
        workers[i] = (struct worker){.workload = trial->workload,
                                     .readers = trial->readers | READER_BIT(READER_TICKS),
                                     .number = i,
                                     .random = UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)i,
                                     .warm_up_ns = schedule->warm_up_ns,
                                     .record_ns = schedule->record_ns};
        if (series_start(&workers[i].series) != 0) {
            return -ENOMEM;
        }
    }
    return 0;
}

/* The library's reader, or READERS. */
static enum reader library_reader(unsigned readers)
{
    int reader = READER_KERNEL;
    while (reader < READERS && (readers & READER_BIT(reader)) == 0) {
        reader++;
    }
    return (enum reader)reader;
}

/* A reader that cannot be had leaves the others their rows. */
static void configure(struct trial *trial)
{
    enum reader reader = library_reader(trial->readers);
    int error = reader == READERS ? 0 : reader_configure(reader);
    if (error != 0) {
        printf("# %s: %s: the library refused this split: %s\n", trial->workload->name, reader_name(reader),
               strerror(-error));
        trial->readers &= READER_OUTSIDERS;
    }
}

/* Rows of a split that was not used would be another one's. */
static void drop_replaced(struct trial *trial)
{
    char line[256];
    if ((trial->readers & ~READER_OUTSIDERS) != 0 && reader_is_replaced(line, sizeof line)) {
        printf("# %s: %s\n", trial->workload->name, line);
        trial->readers &= READER_OUTSIDERS;
    }
}

static void comment_on_tick(const struct workload *workload, const struct tick *tick)
{
    double hits = tick->bursts > 0 ? (double)tick->hits / (double)tick->bursts : 0;
    bool is_locked = hits >= workload->burst.least_hits && hits <= workload->burst.most_hits;
    if (workload->burst.user > 0) {
        printf("# %s: %sa tick found %.1f %% of %lld bursts in user mode\n", workload->name,
               is_locked ? "" : "could not lock to the tick: ", 100 * hits, (long long)tick->bursts);
    }
}

static void plant(enum plant fault)
{
    for (int i = 0; i < WORKERS_MAX; i++) {
        series_plant(&workers[i].series, fault == PLANT_TRUTH, fault == PLANT_READER);
    }
}

static int print(const struct trial *trial)
{
    struct series series[WORKERS_MAX];
    struct report report = {.workload = trial->workload,
                            .readers = trial->readers,
                            .has_truth = trial->has_truth,
                            .has_seconds = !trial->options->is_quick,
                            .series = series,
                            .series_count = (size_t)thread_count(trial->workload)};
    for (size_t i = 0; i < report.series_count; i++) {
        series[i] = workers[i].series;
    }
    plant(trial->options->plant);
    comment_on_tick(trial->workload, &workers[0].tick);
    return report_print(&report);
}

static int run_here(const void *argument)
{
    struct trial trial = *(const struct trial *)argument;
    configure(&trial);
    if (trial.readers == 0) {
        return 0;
    }
    int error = prepare_workers(&trial);
    error = error != 0 ? error : run_threads(trial.workload);
    drop_replaced(&trial);
    return error != 0 ? error : print(&trial);
}

/* ---- from outside ---- */

/* The child ends when its parent is ended. */
static void run_for(pid_t parent, const char *name, int (*body)(const void *), const void *argument)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent) {
        _exit(1);
    }
    int error = body(argument);
    if (error != 0) {
        printf("# %s: could not be run: %s\n", name, strerror(-error));
    }
    fflush(stdout);
    _exit(error != 0 || ferror(stdout));
}

bool trial_run_in_child(const char *name, int (*body)(const void *), const void *argument)
{
    int status;
    pid_t parent = getpid();
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        run_for(parent, name, body, argument);
    }
    while (child > 0 && waitpid(child, &status, 0) != child) {
    }
    if (child > 0 && WIFSIGNALED(status)) {
        printf("# %s: ended by signal %d\n", name, WTERMSIG(status));
    }
    return child > 0 && WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

bool trial_run(const struct trial *trial)
{
    return trial_run_in_child(trial->workload->name, run_here, trial);
}
