/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Measures how far each reader's user time of a thread is from the truth, and judges whether what is promised holds.
 * Each workload runs in a process of its own for each split of the library, because a process has one at a time.
 */

#include "accuracy.h"

#include <errno.h>
#include <fnmatch.h>
#include <math.h>
#include <pthread.h>
#include <quota_group.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#define BAD_USAGE 2
#define QUOTA_US 20000
#define QUOTA_PERIOD_US 100000

static const char usage[] =
    "usage: accuracy [--quick] [--workload=NAME,...] [--split=NAME,...]\n\n"
    "Does work of which it knows how much is user time, reads the times of the thread that does it in\n"
    "several ways, and prints how far each is off. On a machine that does other work too, ticks often\n"
    "find others: then the figures are theirs.\n\n"
    "  --quick           no windows of 1 s: about a minute, else 8\n"
    "  --workload=NAME   only these of --list; patterns, too: 'waits-*'\n"
    "  --split=NAME      only these readers: proc (JDK 8 to 25), ticks (JDK 26), smoothed, sampled,\n"
    "                    waits\n"
    "  --plant=reader    wrong readings, to see that they show\n"
    "  --list, --help\n\n"
    "exit status: 0; 1 if a bound is broken or a workload could not be run; 2 if the options are wrong\n";

/* The first two ask the kernel, whatever the library does, and share a process. */
enum { OUTSIDER = 1, OUTSIDERS = 3, WAITS = 4, USUAL = 0x1f, READERS = 5 };

static const struct reader {
    const char *name;
    enum figure figure;
    enum tclk_split split;
} readers[READERS] = {
    {"proc", PROC, TCLK_SPLIT_SMOOTHED},        {"ticks", TICKS, TCLK_SPLIT_SMOOTHED},
    {"smoothed", LIBRARY, TCLK_SPLIT_SMOOTHED}, {"sampled", LIBRARY, TCLK_SPLIT_SAMPLED},
    {"waits", LIBRARY, TCLK_SPLIT_SMOOTHED},
};

/* What a process shares with the one that judges. */
static struct shared {
    struct worker workers[THREADS_MAX];
    struct window windows[THREADS_MAX][WINDOWS_MAX];
    char said[2048]; /* by the library, of its clocks */
} * shared;
static bool is_quick;

/* ---- in the process ---- */

static void *live_shortly(void *worker)
{
    worker_record(worker, 0, 0);
    return NULL;
}

static void record(struct worker *worker, double wall_ns, double cpu_ns)
{
    pthread_t thread;
    bool is_short = strcmp(worker->workload->unit, "thread") == 0;
    double end_ns = now_ns(CLOCK_MONOTONIC) + wall_ns;
    worker->count = 0;
    worker->tick.bursts = 0;
    do {
        if (!is_short) {
            worker_record(worker, wall_ns, cpu_ns);
        } else if ((worker->error = -pthread_create(&thread, NULL, live_shortly, worker)) == 0) {
            pthread_join(thread, NULL);
        }
    } while (is_short && worker->error == 0 && now_ns(CLOCK_MONOTONIC) < end_ns);
}

/* Warms up first: the steered split takes 250 ms of CPU time to find its way; a quick run has hardly that. Of waits it
 * has 20 windows, so that the greatest error is not the 95th percentile. */
static void *work(void *argument)
{
    struct worker *worker = argument;
    double warm_up_ns = is_quick ? 200 * MS : 400 * MS, quick_ns = worker->workload->waits ? 2600 * MS : 300 * MS;
    record(worker, 2 * warm_up_ns, warm_up_ns);
    record(worker, is_quick ? quick_ns : 6500 * MS, INFINITY);
    return NULL;
}

static void *compute_for_ever(void *unused)
{
    for (volatile int i = 0;; i++) {
    }
    return unused;
}

/* Leaves this thread, and those that it starts, so many of its CPUs, on which they take turns. */
static void stay_on_cpus(int count)
{
    cpu_set_t allowed;
    sched_getaffinity(0, sizeof allowed, &allowed);
    for (size_t cpu = CPU_SETSIZE - 1; CPU_COUNT(&allowed) > count; cpu--) {
        CPU_CLR(cpu, &allowed);
    }
    sched_setaffinity(0, sizeof allowed, &allowed);
}

/* For a thread that is to wait. The rivals end with the process. */
static int surround(const struct workload *workload)
{
    struct tclk_waits waits;
    pthread_t rival;
    int error = tclk_thread_waits(&waits); /* its self-test sleeps */
    stay_on_cpus(1);
    for (int i = 0; i < workload->rivals && error == 0; i++) {
        error = -pthread_create(&rival, NULL, compute_for_ever, NULL);
    }
    if (workload->has_quota && !quota_group_join()) {
        error = -EACCES;
    }
    return workload->is_idle && sched_setscheduler(0, SCHED_IDLE, &(struct sched_param){0}) != 0 ? -errno : error;
}

static int run_here(const struct workload *workload, const struct reader *reader)
{
    pthread_t threads[THREADS_MAX];
    int started = 0;
    int error = tclk_clock_configure(&(struct tclk_config){.split = reader->split});
    if (workload->waits) {
        error = error != 0 ? error : surround(workload);
    } else if (workload->others > 0) {
        stay_on_cpus(2);
    }
    while (error == 0 && started <= workload->others) {
        error = -pthread_create(&threads[started], NULL, work, &shared->workers[started]);
        started += error == 0;
    }
    for (int i = 0; i < started; i++) {
        pthread_join(threads[i], NULL);
        error = error != 0 ? error : shared->workers[i].error;
    }
    tclk_clock_explain(shared->said, sizeof shared->said);
    return error;
}

/* ---- from outside ---- */

/* On a terminal one line that is overwritten, and removed by an empty one. */
static void show_progress(const char *workload, const char *reader)
{
    const char *terminal = getenv("TERM");
    if (isatty(STDERR_FILENO) && terminal != NULL && strcmp(terminal, "dumb") != 0) {
        fprintf(stderr, *workload != '\0' ? "\r\033[K%s: %s" : "\r\033[K", workload, reader);
    } else if (*workload != '\0') {
        fprintf(stderr, "accuracy: %s: %s\n", workload, reader);
    }
}

/* The child ends when its parent is ended, and a signal that ends this process waits for its end. */
static bool run_in_child(const struct workload *workload, const struct reader *reader)
{
    int status = 0;
    sigset_t all, before;
    pid_t parent = getpid();
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    if (workload->has_quota && !quota_group_make(QUOTA_US, QUOTA_PERIOD_US)) {
        printf("# %s: left out: it needs the right to make a control group with a CPU quota\n", workload->name);
        return sigprocmask(SIG_SETMASK, &before, NULL) == 0;
    }
    fflush(stdout);
    show_progress(workload->name, reader->name);
    pid_t child = fork();
    if (child == 0) {
        sigprocmask(SIG_SETMASK, &before, NULL);
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        _exit(getppid() == parent ? -run_here(workload, reader) : 1);
    }
    int error = child < 0 || waitpid(child, &status, 0) < 0 ? errno : WEXITSTATUS(status);
    if (workload->has_quota) {
        quota_group_remove();
    }
    sigprocmask(SIG_SETMASK, &before, NULL);
    show_progress("", "");
    if (error != 0 || status != 0) {
        const char *why = WIFSIGNALED(status) ? strsignal(WTERMSIG(status)) : strerror(error);
        printf("# %s: could not be run: %s\n", workload->name, why);
    }
    return error == 0 && status == 0;
}

/* Reports windows that are joined until they are so long: nearly, for work is measured out by its costs. What is left
 * at the end of a thread is dropped. */
static void report(const struct workload *workload, unsigned shown, const char *unit, enum figure length, double ns)
{
    static struct window joined[THREADS_MAX * WINDOWS_MAX];
    size_t count = 0;
    for (const struct worker *worker = shared->workers; worker <= shared->workers + workload->others; worker++) {
        struct window sum = {0};
        for (size_t i = 0; i < worker->count; i++) {
            window_add(&sum, &worker->windows[i]);
            if (sum.ns[length] >= 0.95 * ns) {
                joined[count++] = sum;
                sum = (struct window){0};
            }
        }
    }
    for (const struct reader *reader = readers; reader < readers + READERS && count > 0; reader++, shown >>= 1) {
        if ((shown & 1) != 0) {
            report_errors(workload->name, unit, reader->name, reader->figure, joined, count);
        }
    }
}

/* Each burst that a tick has found in user mode is a tick more of user time. */
static void check_tick(const struct workload *workload, const struct worker *worker)
{
    double hits = 0;
    for (size_t i = 0; i < worker->count && worker->tick.bursts > 0; i++) {
        hits += worker->windows[i].ns[TICKS] / worker->tick.length_ns / worker->tick.bursts;
    }
    if (hits < workload->burst.least_hits || fmin(hits, 1) > workload->burst.most_hits) {
        printf("# %s: not locked to the tick, which found %.0f %% of bursts in user mode\n", workload->name,
               100 * hits);
    }
}

/* A split that this process or one of its threads may not use is taken, and another one used instead, whose rows these
 * would be. There is no other way to ask than in words. */
static bool run(const struct workload *workload, const struct reader *reader, unsigned shown)
{
    for (int i = 0; i <= workload->others; i++) {
        bool reads_proc = (shown & 1) != 0;
        shared->workers[i] = (struct worker){workload, reads_proc, .number = i, .windows = shared->windows[i]};
    }
    shared->said[0] = '\0';
    if (!run_in_child(workload, reader)) {
        return false;
    }
    const char *refusal = strstr(shared->said, "split sampled: ");
    if (refusal != NULL && strstr(refusal, " is used instead") != NULL) {
        printf("# %s: %.*s\n", workload->name, (int)strcspn(refusal, "\n"), refusal);
        return true;
    }
    check_tick(workload, &shared->workers[0]);
    report(workload, shown, workload->unit, CPU, 0);
    if (strcmp(workload->unit, "request") == 0) {
        report(workload, shown, "10ms", CPU, 10 * MS);
    }
    if (!is_quick && strcmp(workload->unit, "thread") != 0 && !workload->waits) {
        report(workload, shown, "1s", workload->sleeps ? WALL : CPU, S);
    }
    return true;
}

/* Returns the bits of the names in a list; 0 if one of them is none. The names are so many bytes apart. */
static unsigned bits_of(char *list, const char *const *names, size_t apart, unsigned count)
{
    unsigned bits = 0;
    char *rest = NULL;
    for (char *name = strtok_r(list, ",", &rest); name != NULL; name = strtok_r(NULL, ",", &rest)) {
        unsigned found = 0;
        for (unsigned i = 0; i < count; i++) {
            found |= fnmatch(name, names[i * apart / sizeof *names], 0) == 0 ? 1u << i : 0;
        }
        if (found == 0) {
            return 0;
        }
        bits |= found;
    }
    return bits;
}

/* Returns -1 to go on, or the exit status. */
static int parse(char **argv, unsigned *chosen, unsigned *wanted)
{
    for (; *argv != NULL; argv++) {
        char *value = strdupa(strchr(*argv, '=') != NULL ? strchr(*argv, '=') + 1 : "");
        if (strcmp(*argv, "--help") == 0) {
            return fputs(usage, stdout) < 0;
        } else if (strcmp(*argv, "--list") == 0) {
            for (unsigned j = 0; j < WORKLOADS; j++) {
                puts(workloads[j].name);
            }
            return 0;
        } else if (strncmp(*argv, "--workload=", 11) == 0) {
            *chosen = bits_of(value, &workloads[0].name, sizeof workloads[0], WORKLOADS);
        } else if (strncmp(*argv, "--split=", 8) == 0) {
            *wanted = bits_of(value, &readers[0].name, sizeof readers[0], READERS);
        } else if (strcmp(*argv, "--quick") == 0) {
            is_quick = true;
        } else if (strcmp(*argv, "--plant=reader") == 0) {
            report_is_planted = true;
        } else {
            *chosen = 0;
        }
        if (*chosen == 0 || *wanted == 0) {
            fprintf(stderr, "accuracy: %s: there is no such option or name; --help and --list say which\n", *argv);
            return BAD_USAGE;
        }
    }
    return -1;
}

int main(int argc, char **argv)
{
    bool is_run = true;
    unsigned chosen = (1u << WORKLOADS) - 1, wanted = USUAL;
    int status = parse(argv + (argc > 0), &chosen, &wanted);
    if (status >= 0) {
        return status;
    }
    int error = work_prepare();
    shared = mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (error != 0 || shared == MAP_FAILED) {
        fprintf(stderr, "accuracy: /dev/zero, /dev/null, 10 MB, a thread: %s; it needs all\n", strerror(-error));
        return 1;
    }
    report_head();
    for (unsigned i = 0; i < WORKLOADS * READERS; i++) {
        const struct workload *workload = &workloads[i / READERS];
        unsigned reader = i % READERS, shown = wanted & (1u << reader | (reader == OUTSIDER ? OUTSIDERS : 0));
        bool is_meant = reader >= OUTSIDER && shown != 0 && workload->waits == (reader == WAITS);
        if (is_meant && (chosen >> i / READERS & 1) != 0) {
            is_run &= run(workload, &readers[reader], shown);
        }
    }
    return !(report_bounds() && is_run);
}
