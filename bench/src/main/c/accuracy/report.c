/* SPDX-License-Identifier: Apache-2.0 */
#include "accuracy.h"
#include "kernel/clockid.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <unistd.h>

bool report_is_planted;

enum quantity { USER_TIME, CPU_TIME, RUN_DELAY };

/* The sizes of the errors in all windows of one length. */
struct errors {
    const char *workload, *unit, *reader;
    size_t count;
    double mean, p95;
    double chance; /* by how much the mean may be more or less by chance, in 95 of 100 runs */
};

/* Nothing but system calls or page faults, or half of it in rounds of 2 us: the ways in and out weigh most. */
#define CALLS " getppid pread write mmap mix-2us "
/* In step with no tick, and the same all the time: what is steered by ticks needs that. */
#define STEADY " spin mix-2us mix-50us requests-alike "
/* In step with the tick: what is steered by ticks needs samples there. */
#define IN_STEP " on-tick off-tick user-on-tick "
/* More of them than there are CPUs: the stretches between two switches are short. */
#define CROWDED " eight-threads "

static const struct bound {
    const char *reader, *unit;
    enum quantity quantity;
    double most;
    const char *only, *except; /* workloads; only "": all */
} bounds[] = {
    {"smoothed", "1s", USER_TIME, 6, STEADY, ""},
    {"smoothed", "1s", USER_TIME, 10, IN_STEP, ""},
    {"smoothed", "10ms", USER_TIME, 2, " spin ", ""},
    {"smoothed", "10ms", USER_TIME, 9, STEADY, ""},
    {"smoothed", "request", USER_TIME, 9, " requests-alike ", ""},
    {"sampled", "1s", USER_TIME, 5, "", CALLS},
    {"sampled", "1s", USER_TIME, 12, CALLS, ""},
    {"sampled", "10ms", USER_TIME, 5, "", CALLS CROWDED},
    {"sampled", "10ms", USER_TIME, 8, CROWDED, ""},
    {"sampled", "10ms", USER_TIME, 12, CALLS, ""},
    {"sampled", "request", USER_TIME, 5, "", ""},
    {"sampled", "thread", USER_TIME, 5, "", ""},
    /* The counter counts the time that the hypervisor takes away, and the kernel may not, for one window at most. */
    {"smoothed", "1s", CPU_TIME, 50000, "", ""},
    {"smoothed", "10ms", CPU_TIME, 50000, "", ""},
    {"smoothed", "request", CPU_TIME, 50000, "", ""},
    {"smoothed", "thread", CPU_TIME, 50000, "", ""},
    {"waits", "100ms", RUN_DELAY, 2, "", ""},
};

#define BOUNDS (sizeof bounds / sizeof bounds[0])

static struct errors worst[BOUNDS];
static bool has_samples; /* what is in step with the tick is not judged without */

#define FEWEST_WINDOWS 5 /* fewer, as a quick run has of some workloads, tell nothing */

static bool applies(const struct bound *bound, const struct errors *errors, enum quantity quantity)
{
    char name[64];
    snprintf(name, sizeof name, " %s ", errors->workload);
    return strcmp(bound->reader, errors->reader) == 0 && strcmp(bound->unit, errors->unit) == 0 &&
           bound->quantity == quantity && (*bound->only == '\0' || strstr(bound->only, name) != NULL) &&
           strstr(bound->except, name) == NULL;
}

/* The 95th percentile of run-queue delay; else the mean, less what it owes to chance in 39 of 40 runs. */
static double certain(const struct errors *errors, enum quantity quantity)
{
    return quantity == RUN_DELAY ? errors->p95 : errors->mean - errors->chance;
}

/* Returns the narrowest bound, or infinity. */
static double hold_to_bounds(const struct errors *errors, enum quantity quantity)
{
    double narrowest = INFINITY;
    has_samples |= strcmp(errors->reader, "sampled") == 0 && strcmp(errors->unit, "1s") == 0;
    for (size_t i = 0; i < BOUNDS; i++) {
        if (applies(&bounds[i], errors, quantity)) {
            bool is_worst = worst[i].count == 0 || certain(errors, quantity) > certain(&worst[i], quantity);
            worst[i] = is_worst && errors->count >= FEWEST_WINDOWS ? *errors : worst[i];
            narrowest = fmin(narrowest, bounds[i].most);
        }
    }
    return narrowest;
}

bool report_bounds(void)
{
    static const char *const quantities[] = {"user time, points", "CPU time, ns", "run-queue delay, %"};
    size_t broken = 0;
    printf("\n%-12s %9s %9s %8s %6s %-16s bound\n", "verdict", "mean", "±95 %", "p95", "most", "worst workload");
    for (size_t i = 0; i < BOUNDS; i++) {
        const struct bound *bound = &bounds[i];
        bool is_judged = worst[i].count > 0 && (has_samples || strcmp(bound->only, IN_STEP) != 0);
        bool is_broken = is_judged && !(certain(&worst[i], bound->quantity) <= bound->most);
        broken += is_broken;
        if (is_judged) {
            printf("%-12s %9.2f ±%6.2f %8.2f %6.0f %-16s", is_broken ? "BROKEN" : "kept", worst[i].mean,
                   worst[i].chance, worst[i].p95, bound->most, worst[i].workload);
        } else {
            printf("%-40s %5.0f %16s", "not measured", bound->most, "");
        }
        printf(" %s, %s, %s:%s%s%s\n", bound->reader, bound->unit, quantities[bound->quantity],
               *bound->only == '\0' ? " all" : bound->only, *bound->except == '\0' ? "" : " but", bound->except);
    }
    printf("%zu of %zu bounds are broken: beyond chance, in at least %d windows. Of delay, p95 is bounded.\n", broken,
           BOUNDS, FEWEST_WINDOWS);
    return broken == 0;
}

static void summarize(struct errors *errors, double *sizes)
{
    double sum = 0, squares = 0, count = (double)errors->count;
    for (size_t i = 0; i < errors->count; i++) {
        sum += sizes[i];
    }
    errors->mean = sum / count;
    for (size_t i = 0; i < errors->count; i++) {
        squares += (sizes[i] - errors->mean) * (sizes[i] - errors->mean);
    }
    qsort(sizes, errors->count, sizeof *sizes, ascending);
    errors->chance = 2 * sqrt(squares / fmax(1, count - 1) / count);
    errors->p95 = sizes[(errors->count * 95 + 99) / 100 - 1];
}

void report_head(void)
{
    struct utsname machine;
    uname(&machine);
    printf("threadclock %s, Linux %s %s, %ld CPUs, a tick of %.3f ms\n", tclk_version(), machine.release,
           machine.machine, sysconf(_SC_NPROCESSORS_ONLN), (double)tclk_clock_tick_ns() / MS);
    puts("Error of user time, in points of the CPU time (waits: of run-queue delay, of wall time); truth: what it "
         "should be,\n"
         "%. CPU time: error against the kernel's clock, ns.\n");
    printf("%-16s %-7s %-13s %7s %6s %8s %9s %8s %5s %9s\n", "workload", "window", "reader", "windows", "truth", "mean",
           "±95 %", "p95", "bound", "CPU time");
}

void report_errors(const char *workload, const char *unit, const char *reader, enum figure told,
                   const struct window *windows, size_t count)
{
    static double user[THREADS_MAX * WINDOWS_MAX], cpu[THREADS_MAX * WINDOWS_MAX];
    struct errors errors = {workload, unit, reader, .count = count};
    bool waits = strcmp(reader, "waits") == 0;
    struct window all = {0};
    for (size_t i = 0; i < count; i++) {
        const double *ns = windows[i].ns;
        double told_ns = report_is_planted ? ns[CPU] - ns[told] : ns[told];
        user[i] = fabs(100 * (told_ns - ns[USER]) / ns[CPU]);
        cpu[i] = fabs(ns[CPU_ERROR]);
        window_add(&all, &windows[i]);
    }
    summarize(&errors, user);
    printf("%-16s %-7s %-13s %7zu %6.1f %8.2f ±%6.2f %8.2f", workload, unit, reader, count,
           100 * all.ns[USER] / all.ns[CPU], errors.mean, errors.chance, errors.p95);
    double most = hold_to_bounds(&errors, waits ? RUN_DELAY : USER_TIME);
    printf(isfinite(most) ? " %5.0f" : "     –", most);
    if (told == LIBRARY && !waits) {
        summarize(&errors, cpu);
        hold_to_bounds(&errors, CPU_TIME);
        printf(" %9.1f", errors.mean);
    }
    puts("");
}
