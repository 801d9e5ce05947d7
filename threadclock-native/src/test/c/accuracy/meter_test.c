/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the truth of the accuracy laboratory, on a counter and a kernel clock that the test moves. */

#include "accuracy/c/calibration.h"
#include "accuracy/c/meter.h"

#include "clock/counter.h"
#include "kernel/clockid.h"

#include <tap.h>

#define US INT64_C(1000)

struct calibration calibration = {.ns_per_count = 0.5};

static uint64_t counter;
static int64_t cpu_ns;

static uint64_t passes; /* added once, after the next reading of the counter */

uint64_t tclk_fake_counter(void)
{
    uint64_t now = counter;
    counter += passes;
    passes = 0;
    return now;
}

int tclk_clock_read(clockid_t id, int64_t *ns)
{
    (void)id;
    *ns = cpu_ns;
    return 0;
}

static void run(int64_t ns)
{
    counter += 2 * (uint64_t)ns;
    cpu_ns += ns;
}

static void be_away(int64_t ns)
{
    counter += 2 * (uint64_t)ns;
}

static struct meter meter;
static int64_t start_ns;

static void start(void)
{
    meter_start(&meter);
    start_ns = cpu_ns;
}

static struct truth truth(void)
{
    return meter_truth(&meter, cpu_ns - start_ns);
}

static void compute(int64_t ns)
{
    run(ns);
    meter_user(&meter, (double)ns);
}

static void call(int64_t ns)
{
    run(ns);
    meter_system(&meter, (double)ns);
}

static void stretches_add_up(void)
{
    start();
    for (int i = 0; i < 10; i++) {
        compute(30 * US);
        call(10 * US);
    }
    is_ns(truth().user_ns, 300 * US, "user time is the sum of the user stretches");
    is_ns(truth().check_ns, 300 * US, "calibrated costs tell the same");
    is_ns(truth().away_ns, 0, "a thread that was not switched out was not away");
}

static void switched_out_in_user_stretch(void)
{
    start();
    compute(50 * US);
    call(50 * US);
    be_away(4000 * US);
    compute(50 * US);
    call(50 * US);
    is_ns(truth().user_ns, 100 * US, "time away in a user stretch is not user time");
    is_ns(truth().away_ns, 4000 * US, "counter time beyond CPU time is time away");
}

static void switched_out_in_system_stretch(void)
{
    start();
    compute(50 * US);
    be_away(4000 * US);
    call(50 * US);
    compute(50 * US);
    is_ns(truth().user_ns, 100 * US, "time away in a system call takes nothing from user time");
}

static void switched_out_in_both(void)
{
    start();
    be_away(1000 * US);
    compute(50 * US);
    be_away(3000 * US);
    call(50 * US);
    is_ns(truth().user_ns, 50 * US, "time away in both is taken from each by how much too long it was");
}

static void switched_out_in_meter(void)
{
    start();
    run(50 * US);
    passes = 2 * 4000 * US;
    meter_user(&meter, 50.0 * US);
    call(50 * US);
    run(50 * US);
    passes = 2 * 4000 * US;
    meter_system(&meter, 50.0 * US);
    is_ns(truth().user_ns, 50 * US, "time away between two stretches is not user time");
}

static void slow_stretch(void)
{
    start();
    run(56 * US);
    meter_user(&meter, 50.0 * US);
    be_away(1000 * US);
    call(50 * US);
    is_ns(truth().user_ns, 56 * US, "a stretch that is a little slow was not switched out");
    is_ns(truth().extra_ns, 6 * US, "time beyond the calibrated one is extra time");
}

static void steal_without_long_stretch(void)
{
    start();
    for (int i = 0; i < 100; i++) {
        be_away(1 * US);
        compute(9 * US);
        call(10 * US);
    }
    is_ns(truth().user_ns, 950 * US, "time away that no stretch shows is taken from all alike");
}

static void loop_of_calls(void)
{
    start();
    run(50 * US);
    meter_calls(&meter, 50.0 * US, 1.0 * US, 2.0 * US);
    is_ns(truth().user_ns, 1 * US, "of a loop of calls the calibrated part is user time");
    is_ns(truth().check_ns, 2 * US, "the second way has its own");
}

static void sleep_between_stretches(void)
{
    start();
    compute(50 * US);
    meter_pause(&meter);
    run(3 * US);
    be_away(2000 * US);
    run(4 * US);
    meter_resume(&meter);
    compute(50 * US);
    is_ns(truth().user_ns, 100 * US, "going to sleep and waking up is not user time");
    is_ns(truth().away_ns, 0, "sleep is not time away");
    is_ns(truth().check_ns, 100 * US, "calibrated costs know nothing of sleep");
    is_ns(truth().extra_ns, 0, "... nor is it extra");
}

int main(void)
{
    stretches_add_up();
    switched_out_in_user_stretch();
    switched_out_in_system_stretch();
    switched_out_in_both();
    switched_out_in_meter();
    slow_stretch();
    steal_without_long_stretch();
    loop_of_calls();
    sleep_between_stretches();
    return done();
}
