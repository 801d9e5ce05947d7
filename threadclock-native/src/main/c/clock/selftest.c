/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/selftest.h"

#include "kernel/probe.h"
#include "kernel/usage.h"

static int64_t voluntary_switches(void)
{
    struct tclk_usage usage;
    return tclk_usage_read(&usage) == 0 ? usage.voluntary_switches : -1;
}

/* Whether that switched the thread out. */
static bool sleep_once(struct tclk_detector detector, int64_t ns, struct tclk_selftest *test)
{
    int64_t before = voluntary_switches();
    uint64_t armed = tclk_detector_arm(detector);
    tclk_probe_sleep(ns);
    bool intact = tclk_detector_is_intact(detector, armed);
    if (before < 0 || voluntary_switches() <= before) {
        return false;
    }
    test->sleeps++;
    test->missed += intact;
    return true;
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
    int64_t sleep_ns = TCLK_SELFTEST_SLEEP_NS;
    for (int i = 0; i < TCLK_SELFTEST_SLEEPS; i++) {
        if (!sleep_once(detector, sleep_ns, &test) && sleep_ns < TCLK_SELFTEST_SLEEP_MAX_NS) {
            sleep_ns *= 2;
        }
    }
    for (int i = 0; i < TCLK_SELFTEST_CALLS; i++) {
        call_once(detector, &test);
    }
    return test;
}
