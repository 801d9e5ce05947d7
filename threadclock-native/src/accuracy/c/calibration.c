/* SPDX-License-Identifier: Apache-2.0 */
#include "calibration.h"

#include "clock/counter.h"
#include "kernel/raw_clock.h"

#include <pthread.h>
#include <stdlib.h>

#define RUNS 101

/* Long enough to time to 0.1 %, short enough that most runs meet no tick. */
#define RUN_NS 50000.0

#define BASELINE_NS 50000000

/* The target times of the two kinds of copy: about as long as a short and a long system call of real programs. */
static const double copy_aims_ns[CALIBRATION_COPIES] = {2000, 10000};

struct calibration calibration;

/* ---- a piece of work, so many times; what it returns is taken for its length if it is not 0 ---- */

typedef uint64_t piece(int64_t argument, int64_t times);

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a;
    double y = *(const double *)b;
    return (x > y) - (x < y);
}

static double run_ns(piece *work, int64_t argument, int64_t times)
{
    uint64_t before = tclk_counter_read();
    uint64_t inside = work(argument, times);
    uint64_t counts = tclk_counter_read() - before;
    return (double)(inside != 0 ? inside : counts) * calibration.ns_per_count / (double)times;
}

/* Least disturbed: of all runs, a tenth is quicker. */
static double typical_ns(piece *work, int64_t argument)
{
    double ns[RUNS];
    run_ns(work, argument, 1);
    int64_t times = (int64_t)(RUN_NS / (run_ns(work, argument, 4) + 1)) + 1;
    for (int i = 0; i < RUNS; i++) {
        ns[i] = run_ns(work, argument, times);
    }
    qsort(ns, RUNS, sizeof *ns, ascending);
    return ns[RUNS / 10];
}

/* ---- kinds of work ---- */

static uint64_t spin(int64_t iterations, int64_t times)
{
    work_spin(iterations * times);
    return 0;
}

static uint64_t copy(int64_t bytes, int64_t times)
{
    for (int64_t i = 0; i < times; i++) {
        work_copy(bytes);
    }
    return 0;
}

static uint64_t call(int64_t which, int64_t times)
{
    work_call((enum work_call)which, true, times);
    return 0;
}

static uint64_t replaced_call(int64_t which, int64_t times)
{
    work_call((enum work_call)which, false, times);
    return 0;
}

/* The time outside the brackets. */
static uint64_t outside(int64_t which, bool is_real, int64_t times)
{
    uint64_t before = tclk_counter_read();
    uint64_t inside = work_call_bracketed((enum work_call)which, is_real, times);
    return tclk_counter_read() - before - inside;
}

static uint64_t outside_call(int64_t which, int64_t times)
{
    return outside(which, true, times);
}

static uint64_t outside_replaced_call(int64_t which, int64_t times)
{
    return outside(which, false, times);
}

/* ---- */

static double find_ns_per_count(void)
{
    uint64_t counter = tclk_counter_read();
    uint64_t start_ns = tclk_raw_clock_ns();
    uint64_t ns;
    do {
        work_spin(1000);
        ns = tclk_raw_clock_ns() - start_ns;
    } while (ns < BASELINE_NS);
    return (double)ns / (double)(tclk_counter_read() - counter);
}

/* The time of a copy is not quite proportional to its length: two rounds come near enough. */
static void calibrate_copy(enum calibration_copy which)
{
    int64_t bytes = 65536;
    for (int round = 0; round < 2; round++) {
        bytes = (int64_t)((double)bytes * copy_aims_ns[which] / typical_ns(copy, bytes));
        bytes = bytes < 64 ? 64 : bytes > WORK_COPY_MAX ? WORK_COPY_MAX : bytes / 64 * 64;
    }
    calibration.copies[which].bytes = bytes;
    calibration.copies[which].ns = typical_ns(copy, bytes);
}

/* The bracketed way adds what looking at the counter costs, which the replaced loop tells. */
static void calibrate_call(enum work_call which)
{
    calibration.calls[which].ns = typical_ns(call, which);
    calibration.calls[which].user_ns = typical_ns(replaced_call, which);
    calibration.calls[which].bracketed_ns =
        calibration.calls[which].user_ns + typical_ns(outside_call, which) - typical_ns(outside_replaced_call, which);
}

static void *calibrate(void *unused)
{
    calibration.ns_per_count = find_ns_per_count();
    calibration.spin_ns = typical_ns(spin, 100) / 100;
    for (int i = 0; i < CALIBRATION_COPIES; i++) {
        calibrate_copy((enum calibration_copy)i);
    }
    for (int i = 0; i < WORK_CALLS; i++) {
        calibrate_call((enum work_call)i);
    }
    return unused;
}

int calibration_run(void)
{
    pthread_t thread;
    int error = pthread_create(&thread, NULL, calibrate, NULL);
    return error != 0 ? -error : -pthread_join(thread, NULL);
}
