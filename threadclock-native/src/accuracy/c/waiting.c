/* SPDX-License-Identifier: Apache-2.0 */
#include "waiting.h"

#include "include/threadclock.h"
#include "report.h"
#include "trial.h"

#include <errno.h>
#include <pthread.h>
#include <quota_group.h>
#include <sched.h>
#include <stdio.h>
#include <sys/resource.h>
#include <time.h>

#define MS INT64_C(1000000)
#define WINDOW_NS (100 * MS)
#define WINDOWS_MAX 60
#define WINDOWS_LEAST 3
#define QUICK_NS (2000 * MS) /* 20 windows, so that the greatest error is not the 95th percentile */
#define FULL_NS (6500 * MS)
#define QUOTA_US 20000
#define QUOTA_PERIOD_US 100000

/* A look is of one moment if it takes no longer than this. Otherwise another look is tried, but not for ever. */
#define LOOK_NS INT64_C(50000)
#define LOOKS 100

struct situation {
    const char *name;
    int rivals; /* other threads on the thread's CPU, which compute, too */
    bool is_idle;
    bool has_quota;
};

static const struct situation situations[] = {
    {.name = "waits-crowded", .rivals = 2},
    {.name = "waits-idle-class", .rivals = 1, .is_idle = true},
    {.name = "waits-quota", .has_quota = true},
};

/* ---- the thread's surroundings ---- */

static void *compute_for_ever(void *unused)
{
    for (volatile int i = 0;; i++) {
    }
    return unused;
}

/* The rivals end with the process. */
static int surround(const struct situation *situation)
{
    struct sched_param none = {.sched_priority = 0};
    trial_stay_on_cpus(1);
    for (int i = 0; i < situation->rivals; i++) {
        pthread_t rival;
        int error = pthread_create(&rival, NULL, compute_for_ever, NULL);
        if (error != 0) {
            return -error;
        }
    }
    if (situation->is_idle && sched_setscheduler(0, SCHED_IDLE, &none) != 0) {
        return -errno;
    }
    return situation->has_quota && !quota_group_join() ? -EACCES : 0;
}

/* ---- windows ---- */

struct look {
    int64_t wall_ns;
    int64_t cpu_ns;
    int64_t delay_ns;
    long sleeps;
};

static int64_t now_ns(clockid_t id)
{
    struct timespec t = {0, 0};
    clock_gettime(id, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

static long sleeps(void)
{
    struct rusage usage;
    getrusage(RUSAGE_THREAD, &usage);
    return usage.ru_nvcsw;
}

static int look(struct look *look)
{
    int64_t before_ns;
    for (int i = 0; i < LOOKS; i++) {
        struct tclk_waits waits;
        before_ns = now_ns(CLOCK_MONOTONIC);
        int error = tclk_thread_waits(&waits);
        if (error != 0) {
            return error;
        }
        int64_t cpu_ns = now_ns(CLOCK_THREAD_CPUTIME_ID);
        *look = (struct look){now_ns(CLOCK_MONOTONIC), cpu_ns, waits.run_delay_ns, sleeps()};
        if (look->wall_ns - before_ns <= LOOK_NS) {
            return 0;
        }
    }
    return -EAGAIN;
}

static void compute_until(int64_t end_ns)
{
    while (now_ns(CLOCK_MONOTONIC) < end_ns) {
    }
}

struct windows {
    double errors[WINDOWS_MAX]; /* % of the window's wall time */
    size_t count;
    int64_t wall_ns;
    int64_t waited_ns;
};

static void add(struct windows *windows, struct look from, struct look to, enum plant plant)
{
    int64_t wall_ns = to.wall_ns - from.wall_ns;
    int64_t cpu_ns = to.cpu_ns - from.cpu_ns;
    int64_t waited_ns = plant == PLANT_TRUTH ? cpu_ns : wall_ns - cpu_ns;
    int64_t told_ns = plant == PLANT_READER ? 0 : to.delay_ns - from.delay_ns;
    windows->errors[windows->count++] = 100 * (double)(told_ns - waited_ns) / (double)wall_ns;
    windows->wall_ns += wall_ns;
    windows->waited_ns += waited_ns;
}

/* A call of the kernel may sleep: perf_event_open(2) does, for the only event on the machine. In a window with a sleep,
 * the time off the CPU was not spent waiting for it. */
static int record(struct windows *windows, const struct options *options)
{
    struct look from;
    struct look to;
    int64_t length_ns = options->is_quick ? QUICK_NS : FULL_NS;
    int error = look(&from);
    for (int i = 0; error == 0 && i < WINDOWS_MAX && (windows->count < WINDOWS_LEAST || windows->wall_ns < length_ns);
         i++) {
        compute_until(from.wall_ns + WINDOW_NS);
        error = look(&to);
        if (error == 0 && to.sleeps == from.sleeps) {
            add(windows, from, to, options->plant);
        }
        from = to;
    }
    return error == 0 && windows->count < WINDOWS_LEAST ? -EAGAIN : error;
}

/* ---- one situation ---- */

struct setting {
    const struct situation *situation;
    const struct options *options;
};

static int run_here(const void *argument)
{
    const struct setting *setting = argument;
    static struct windows windows;
    struct tclk_waits waits;
    int error = tclk_thread_waits(&waits); /* its self-test sleeps */
    error = error != 0 ? error : surround(setting->situation);
    error = error != 0 ? error : record(&windows, setting->options);
    if (error == 0) {
        struct report_row row = {setting->situation->name, "100ms", WAITING};
        report_waits(&row, windows.errors, windows.count, 100 * (double)windows.waited_ns / (double)windows.wall_ns);
    }
    return error;
}

static bool run(const struct situation *situation, const struct options *options)
{
    struct setting setting = {situation, options};
    fprintf(stderr, "accuracy: %s\n", situation->name);
    if (situation->has_quota && !quota_group_make(QUOTA_US, QUOTA_PERIOD_US)) {
        printf("# %s: left out: it needs the right to make a control group with a CPU quota "
               "(cgroup v2 cpu.max, or v1)\n",
               situation->name);
        return true;
    }
    bool is_run = trial_run_in_child(situation->name, run_here, &setting);
    if (situation->has_quota) {
        quota_group_remove();
    }
    return is_run;
}

bool waiting_run(const struct options *options)
{
    bool is_run = true;
    for (size_t i = 0; i < sizeof situations / sizeof situations[0]; i++) {
        is_run &= run(&situations[i], options);
    }
    return is_run;
}
