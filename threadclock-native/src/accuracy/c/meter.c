/* SPDX-License-Identifier: Apache-2.0 */
#include "meter.h"

#include "calibration.h"
#include "clock/counter.h"
#include "kernel/clockid.h"

/* Caches and a busy neighbour may slow a stretch by this much and a tick may interrupt it; being
 * switched out takes longer. */
#define EXCESS_FACTOR 0.25
#define EXCESS_NS 5000

static double ns_between(uint64_t from, uint64_t to)
{
    return (double)(to - from) * calibration.ns_per_count;
}

static double excess_ns(double ns, double calibrated_ns)
{
    double excess = ns - calibrated_ns;
    return excess > EXCESS_NS + EXCESS_FACTOR * calibrated_ns ? excess : 0;
}

static void add_user(struct meter *meter, double ns, double calibrated_ns)
{
    meter->user_ns += ns;
    meter->user_excess_ns += excess_ns(ns, calibrated_ns);
}

/* The meter's own few ns are user time too, and the thread may be switched out in them as anywhere. */
static void begin_stretch(struct meter *meter, uint64_t previous_end)
{
    meter->last = tclk_counter_read();
    add_user(meter, ns_between(previous_end, meter->last), 0);
}

static int64_t cpu_now_ns(void)
{
    int64_t ns = 0;
    tclk_clock_read_own(TCLK_CLOCK_SCHED, &ns);
    return ns;
}

void meter_start(struct meter *meter)
{
    *meter = (struct meter){.last = tclk_counter_read()};
}

void meter_user(struct meter *meter, double calibrated_ns)
{
    uint64_t end = tclk_counter_read();
    add_user(meter, ns_between(meter->last, end), calibrated_ns);
    meter->calibrated_user_ns += calibrated_ns;
    begin_stretch(meter, end);
}

void meter_system(struct meter *meter, double calibrated_ns)
{
    meter_calls(meter, calibrated_ns, 0, 0);
}

void meter_calls(struct meter *meter, double calibrated_ns, double user_ns, double check_user_ns)
{
    uint64_t end = tclk_counter_read();
    double ns = ns_between(meter->last, end);
    meter->user_ns += user_ns;
    meter->system_ns += ns - user_ns;
    meter->system_excess_ns += excess_ns(ns, calibrated_ns);
    meter->calibrated_user_ns += check_user_ns;
    meter->calibrated_system_ns += calibrated_ns - check_user_ns;
    begin_stretch(meter, end);
}

void meter_pause(struct meter *meter)
{
    meter->pause_start_ns = cpu_now_ns();
}

void meter_resume(struct meter *meter)
{
    meter->sleep_cpu_ns += cpu_now_ns() - meter->pause_start_ns;
    meter->last = tclk_counter_read();
}

static double away_from_user_ns(const struct meter *meter, double away_ns)
{
    double excess = meter->user_excess_ns + meter->system_excess_ns;
    double counted = meter->user_ns + meter->system_ns;
    double part = excess > 0 ? meter->user_excess_ns / excess : meter->user_ns / counted;
    return away_ns * part;
}

struct truth meter_truth(const struct meter *meter, int64_t cpu_ns)
{
    double awake_ns = (double)(cpu_ns - meter->sleep_cpu_ns);
    double away_ns = meter->user_ns + meter->system_ns - awake_ns;
    double calibrated_ns = meter->calibrated_user_ns + meter->calibrated_system_ns;
    struct truth truth = {.user_ns = meter->user_ns,
                          .extra_ns = awake_ns - calibrated_ns,
                          .check_ns = awake_ns * meter->calibrated_user_ns / calibrated_ns};
    if (away_ns > 0) {
        truth.away_ns = away_ns;
        truth.user_ns -= away_from_user_ns(meter, away_ns);
    }
    return truth;
}
