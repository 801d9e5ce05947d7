/* SPDX-License-Identifier: Apache-2.0 */
#include "worker.h"

#include "calibration.h"
#include "clock/counter.h"
#include "kernel/clockid.h"
#include "kernel/raw_clock.h"
#include "workload.h"

#include <time.h>

/* Longer stretches are cut into such pieces: so it shows in which the thread was switched out. */
#define STRETCH_NS 50000.0

#define GLANCE_NS 1000000

static int64_t now_ns(void)
{
    return (int64_t)tclk_raw_clock_ns();
}

static int64_t cpu_now_ns(void)
{
    int64_t ns = 0;
    tclk_clock_read_own(TCLK_CLOCK_SCHED, &ns);
    return ns;
}

/* ---- windows ---- */

void worker_warm_up(struct worker *worker)
{
    int64_t end_ns = now_ns() + 2 * worker->warm_up_ns;
    int64_t cpu_end_ns = cpu_now_ns() + worker->warm_up_ns;
    while (cpu_now_ns() < cpu_end_ns && now_ns() < end_ns) {
        worker_do_one(worker);
    }
}

void worker_do_one(struct worker *worker)
{
    meter_start(&worker->meter);
    worker->workload->window(worker);
    worker->turn++;
    reading_glance(worker->readers);
}

/* The window that `from` begins. */
static void record(struct worker *worker, struct reading *from)
{
    struct reading to;
    meter_start(&worker->meter);
    worker->workload->window(worker);
    worker->turn++;
    worker->error = reading_take(worker->readers, &to);
    if (worker->error == 0) {
        int64_t cpu_ns = to.work_end_ns - from->work_start_ns;
        series_add(&worker->series, from, &to, meter_truth(&worker->meter, cpu_ns));
        *from = to;
    }
}

void worker_record(struct worker *worker)
{
    struct reading from;
    int64_t end_ns = now_ns() + worker->record_ns;
    worker->error = reading_take(worker->readers, &from);
    do {
        if (worker->error == 0) {
            record(worker, &from);
        }
    } while (worker->error == 0 && now_ns() < end_ns);
}

void worker_record_windows(struct worker *worker, int count)
{
    struct reading from;
    worker->error = reading_take(worker->readers, &from);
    for (int i = 0; i < count && worker->error == 0; i++) {
        record(worker, &from);
    }
}

void worker_record_one(struct worker *worker)
{
    worker_record_windows(worker, 1);
}

/* ---- what windows are made of ---- */

/* A reading in between is system time, as far as it is not a few ns. */
static void glance(struct worker *worker)
{
    double since_ns = (double)(worker->meter.last - worker->glanced) * calibration.ns_per_count;
    if (worker->workload->glances && since_ns >= GLANCE_NS) {
        reading_glance(worker->readers);
        worker->glanced = worker->meter.last;
        meter_system(&worker->meter, 0);
    }
}

void worker_compute(struct worker *worker, double ns)
{
    while (ns > 0) {
        double piece_ns = ns < STRETCH_NS ? ns : STRETCH_NS;
        int64_t iterations = (int64_t)(piece_ns / calibration.spin_ns);
        work_spin(iterations);
        meter_user(&worker->meter, (double)iterations * calibration.spin_ns);
        glance(worker);
        ns -= piece_ns;
    }
}

/* Whole calls alone can be made: the last one may be half a call too long or too short. */
void worker_copy(struct worker *worker, double ns)
{
    double long_ns = calibration.copies[CALIBRATION_COPY_LONG].ns;
    double short_ns = calibration.copies[CALIBRATION_COPY_SHORT].ns;
    while (ns >= short_ns / 2) {
        bool is_long = ns >= long_ns;
        double piece_ns = is_long ? long_ns : short_ns;
        work_copy(calibration.copies[is_long ? CALIBRATION_COPY_LONG : CALIBRATION_COPY_SHORT].bytes);
        meter_system(&worker->meter, piece_ns);
        glance(worker);
        ns -= piece_ns;
    }
}

void worker_call(struct worker *worker, enum work_call call, double ns)
{
    double call_ns = calibration.calls[call].ns;
    double times = (double)(int64_t)(STRETCH_NS / call_ns + 1);
    for (; ns > 0; ns -= times * call_ns) {
        work_call(call, true, (int64_t)times);
        meter_calls(&worker->meter, times * call_ns, times * calibration.calls[call].user_ns,
                    times * calibration.calls[call].bracketed_ns);
        glance(worker);
    }
}

void worker_sleep(struct worker *worker, int64_t ns)
{
    struct timespec t = {.tv_sec = ns / 1000000000, .tv_nsec = ns % 1000000000};
    meter_pause(&worker->meter);
    clock_nanosleep(CLOCK_MONOTONIC, 0, &t, NULL);
    meter_resume(&worker->meter);
}

void worker_mix(struct worker *worker, double ns, double unit_ns, double share)
{
    while (ns > 0) {
        worker_compute(worker, unit_ns * share);
        worker_copy(worker, unit_ns * (1 - share));
        ns -= unit_ns;
    }
}

double worker_random(struct worker *worker, double low, double high)
{
    uint64_t x = worker->random;
    x ^= x << 13;
    x ^= x >> 7;
    x ^= x << 17;
    worker->random = x;
    return low + (high - low) * (double)(x >> 11) / (double)(UINT64_C(1) << 53);
}
