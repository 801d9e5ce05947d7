/* SPDX-License-Identifier: Apache-2.0 */

/* Nanoseconds per count: arithmetic, and calibration against CLOCK_MONOTONIC_RAW. */

#include "machine.h"

#include "clock/counter.h"

#include <tap.h>

#define YEAR_NS (UINT64_C(365) * 24 * 3600 * 1000 * 1000000)

/* The machine's counter runs at 2.5 GHz: 0.4 ns a count. */
static double off_ppm(void)
{
    double ns_per_count = (double)tclk_calibration_scale() / 4294967296.0;
    double ppm = (ns_per_count / 0.4 - 1) * 1e6;
    return ppm < 0 ? -ppm : ppm;
}

static void products_are_wide(void)
{
    uint64_t scale = UINT64_C(4294967296) * 2 / 5;
    uint64_t counts = 9 * YEAR_NS / 2 * 5;
    uint64_t ns = tclk_scale_ns(counts, scale);
    ok(ns > 9 * YEAR_NS - 200000000 && ns <= 9 * YEAR_NS, "9 years of counts become 9 years of ns");
    ok(tclk_scale_counts(4000000, scale) >= 10000000 && tclk_scale_counts(4000000, scale) < 10000010,
       "4 ms are 10 000 000 counts");
}

static void needs_both_clocks_to_advance(void)
{
    struct tclk_clock_pair from = {100, 100};
    struct tclk_clock_pair stopped = {100, 200};
    struct tclk_clock_pair back = {50, 200};
    ok(tclk_scale_between(from, stopped) == 0, "a counter that stands still has no scale");
    ok(tclk_scale_between(from, back) == 0, "a counter that goes back has none");
}

static void first_calibration_is_good_to_50_ppm(void)
{
    ok(tclk_calibration_start(1000000), "a first calibration is made");
    ok(off_ppm() < 50, "…and is good to 50 ppm (%.2f)", off_ppm());
}

static void refine(void)
{
    machine_run(10 * MS, USER_MODE);
    tclk_calibration_refine(machine.counter);
}

static void later_ones_are_better(void)
{
    for (int i = 0; i < 200; i++) {
        refine();
    }
    ok(off_ppm() < 0.1, "after 2 s it is good to 0.1 ppm (%.4f)", off_ppm());
}

static void refines_only_when_the_baseline_has_doubled(void)
{
    int64_t before_ns = machine.raw_ns;
    tclk_calibration_refine(machine.counter);
    tclk_calibration_refine(machine.counter);
    is_ns(machine.raw_ns - before_ns, 0, "between doublings a call looks at no clock");
}

static void jump_is_not_taken(void)
{
    machine.counter_offset += UINT64_C(25000000000); /* 10 s */
    for (int i = 0; i < 2000; i++) {
        refine();
    }
    ok(off_ppm() < 1, "a counter that jumped by 10 s leaves the scale alone (%.2f ppm)", off_ppm());
}

static void lasting_change_is_taken(void)
{
    machine.counter_rate_ppm = 20000;
    for (int i = 0; i < 20000; i++) {
        refine();
    }
    ok(off_ppm() > 15000 && off_ppm() < 25000,
       "a counter that runs at another rate for good is followed (%.0f ppm of 20 000)", off_ppm());
}

int main(void)
{
    machine_boot((struct machine){0});
    products_are_wide();
    needs_both_clocks_to_advance();
    first_calibration_is_good_to_50_ppm();
    jump_out_of(refine, &machine.before_next_look, "a calibration, after which others are made all the same");
    later_ones_are_better();
    refines_only_when_the_baseline_has_doubled();
    jump_is_not_taken();
    lasting_change_is_taken();
    return done();
}
