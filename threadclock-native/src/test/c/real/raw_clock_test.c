/* SPDX-License-Identifier: Apache-2.0 */

/* The two wall clocks that calibration and shares rest on. */

#include "clocks.h"
#include "kernel/raw_clock.h"

#include <tap.h>

#define READINGS 100000

static bool lies_between(uint64_t (*ours)(void), clockid_t libcs)
{
    int64_t before_ns = clock_now_ns(libcs);
    int64_t ns = (int64_t)ours();
    int64_t after_ns = clock_now_ns(libcs);
    if (before_ns <= ns && ns <= after_ns) {
        return true;
    }
    diag("%" PRId64 " <= %" PRId64 " <= %" PRId64, before_ns, ns, after_ns);
    return false;
}

static int64_t backward_steps(uint64_t (*clock)(void))
{
    int64_t steps = 0;
    uint64_t last_ns = clock();
    for (int i = 0; i < READINGS; i++) {
        uint64_t now_ns = clock();
        steps += now_ns < last_ns;
        last_ns = now_ns;
    }
    return steps;
}

int main(void)
{
    ok(lies_between(tclk_raw_clock_ns, CLOCK_MONOTONIC_RAW), "the raw clock is CLOCK_MONOTONIC_RAW");
    ok(lies_between(tclk_coarse_clock_ns, CLOCK_MONOTONIC_COARSE), "the coarse clock is CLOCK_MONOTONIC_COARSE");
    is_ns(backward_steps(tclk_raw_clock_ns), 0, "the raw clock never steps back");
    is_ns(backward_steps(tclk_coarse_clock_ns), 0, "the coarse clock never steps back");
    return done();
}
