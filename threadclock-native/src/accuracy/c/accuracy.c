/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The accuracy laboratory measures how far each reader's user time of a thread is from the truth.
 *
 * It prints a line of JSON for each quantity of a reader in a workload on stdout, and lines that begin with '#'. A line
 * has the figures of all windows; Accuracy.java makes statistics of them.
 *
 * over       over what the reader was asked: "10ms" and "1s" of CPU time (of workloads that sleep, a second of
 *            wall time), "request" (2 ms of CPU time), "thread" (1 to 5 ms, all that it does)
 * reader     proc (as JDK 8 to 25), ticks (as JDK 26), kernel, smoothed, sampled (the library's splits)
 * quantity   user: (read - true user time) / CPU time of the window, in percentage points
 *            cpu: the library's CPU time less the kernel's, ns; 0 if it lies between two readings of the
 *            kernel's clock before and after it. (proc and ticks use that clock.)
 *            cost: how much more the work of all windows has cost than calibrated, in % of its CPU time. Others
 *            that use the caches show in it too: compare it with the cost of another reader.
 *
 * Some workloads also have rows with over "period", for splits that take turns (periods.h). The windows are the
 * workload's first ones:
 *     user   of sampled:PERIOD
 *     more   how much more CPU time the same work takes than with the split kernel of the same round, %: a figure for
 *            each round; that of kernel itself shows what chance does
 *
 * Each workload also has rows with over "truth" and reader "-"; the first two are of all windows together:
 *     user-share    true user time, in % of CPU time
 *     away          the part of the time by the counter in which the thread did not run, in %
 *     crosscheck    user time by calibrated costs less the truth by the counter, in percentage points of a window's
 *                   CPU time (meter.h); for loops of system calls this is the uncertainty of the truth
 *
 * Threads that wait for a CPU (waiting.h) have rows with over "100ms" of wall time, or a little more:
 *     wait       run-queue delay by reader waits less the time in which the thread did not run, in % of the wall time
 *     waiting    over "truth": that time, in % of the wall time, of all windows together
 *
 * A quick run has no windows of 1 s. A reader that is not available has a '#' line instead of rows.
 */

#include "calibration.h"
#include "include/threadclock.h"
#include "kernel/clockid.h"
#include "options.h"
#include "periods.h"
#include "trial.h"
#include "waiting.h"

#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

static int cpus(void)
{
    cpu_set_t allowed;
    return sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 0;
}

static void print_machine(void)
{
    struct utsname machine;
    uname(&machine);
    printf("# threadclock %s, Linux %s %s, %d CPUs, a tick of %.3f ms\n", tclk_version(), machine.release,
           machine.machine, cpus(), (double)tclk_clock_tick_ns() / 1e6);
}

static void print_calibration(void)
{
    static const char *const names[WORK_CALLS] = {"getppid", "pread", "write", "mmap"};
    printf("# calibrated: an iteration %.3f ns, system calls of %.0f and %.0f ns\n", calibration.spin_ns,
           calibration.copies[CALIBRATION_COPY_SHORT].ns, calibration.copies[CALIBRATION_COPY_LONG].ns);
    for (int i = 0; i < WORK_CALLS; i++) {
        printf("# calibrated: %s %.1f ns, of them in user mode %.1f (with the call replaced), %.1f "
               "(outside brackets)\n",
               names[i], calibration.calls[i].ns, calibration.calls[i].user_ns, calibration.calls[i].bracketed_ns);
    }
}

/* proc and ticks ride with the first of the library's; without it, alone. */
static bool run_workload(const struct workload *workload, const struct options *options)
{
    struct trial trial = {workload, options->readers & READER_OUTSIDERS, true, options};
    bool is_run = true;
    for (int reader = READER_KERNEL; reader < READERS; reader++) {
        if ((options->readers & READER_BIT(reader)) != 0) {
            trial.readers |= READER_BIT(reader);
            fprintf(stderr, "accuracy: %s: %s\n", workload->name, reader_name((enum reader)reader));
            is_run &= trial_run(&trial);
            trial.readers = 0;
            trial.has_truth = false;
        }
    }
    return trial.readers == 0 ? is_run : trial_run(&trial);
}

static bool run_periods(const struct workload *workload, const struct options *options)
{
    if (!options->periods || !workload->by_period) {
        return true;
    }
    fprintf(stderr, "accuracy: %s: periods\n", workload->name);
    return periods_run(workload, options);
}

int main(int argc, char **argv)
{
    struct options options;
    int status = options_parse(argc, argv, &options);
    if (status >= 0) {
        return status;
    }
    int error = work_prepare();
    error = error != 0 ? error : calibration_run();
    if (error != 0) {
        fprintf(stderr, "accuracy: /dev/zero, /dev/null, memory or a thread: %s; it needs all\n", strerror(-error));
        return 1;
    }
    print_machine();
    print_calibration();
    for (size_t i = 0; i < workload_count; i++) {
        if ((options.workloads >> i & 1) != 0 &&
            (!run_workload(&workloads[i], &options) || !run_periods(&workloads[i], &options))) {
            status = 1;
        }
    }
    if (options.waits && !waiting_run(&options)) {
        status = 1;
    }
    return status == 1;
}
