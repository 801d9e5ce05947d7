/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/selftest.h"

#include "kernel/probe.h"
#include "kernel/usage.h"

static int64_t voluntary_switches(void)
{
    struct tclk_usage usage;
    return tclk_usage_read(&usage) == 0 ? usage.voluntary_switches : -1;
}

static void sleep_once(struct tclk_detector detector, struct tclk_selftest *test)
{
    int64_t before = voluntary_switches();
    uint64_t armed = tclk_detector_arm(detector);
    tclk_probe_sleep();
    bool intact = tclk_detector_is_intact(detector, armed);
    if (before >= 0 && voluntary_switches() > before) {
        test->sleeps++;
        test->missed += intact;
    }
}

static void call_once(struct tclk_detector detector, struct tclk_selftest *test)
{
    uint64_t armed = tclk_detector_arm(detector);
    tclk_probe_call();
    test->kept += tclk_detector_is_intact(detector, armed);
}

struct tclk_selftest tclk_selftest_run(struct tclk_detector detector)
{
    struct tclk_selftest test = {0};
    for (int i = 0; i < TCLK_SELFTEST_SLEEPS; i++) {
        sleep_once(detector, &test);
    }
    for (int i = 0; i < TCLK_SELFTEST_CALLS; i++) {
        call_once(detector, &test);
    }
    return test;
}
