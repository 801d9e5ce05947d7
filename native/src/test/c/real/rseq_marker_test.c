/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the marker of the source rseq: a stored descriptor. */

#include "marker.h"

/* With rseq debugging every system call clears the marker, so that no switch can be distinguished from the call that
 * counts it. */
static bool any_call_keeps(struct tclk_detector detector)
{
    for (int i = 0; i < TRIES; i++) {
        uint64_t parked = tclk_detector_arm(detector);
        tclk_probe_call();
        if (tclk_detector_is_intact(detector, parked)) {
            return true;
        }
    }
    return false;
}

int main(void)
{
    struct tclk_rseq_area *area;
    tclk_rseq_setup();
    if (skips(tclk_rseq_area_of_thread(&area) != 0, "a switch changes the marker", "rseq(2), Linux 4.18")) {
        return done();
    }
    if (!rseq_is_cleared_in_calls() && !any_call_keeps(tclk_detector_of_area(area))) {
        area->rseq_cs = 0;
        skip("a switch changes the marker", "a kernel without rseq debugging (rseq_debug=1)");
        return done();
    }
    marker_facts(tclk_detector_of_area(area), rseq_is_cleared_in_calls());
    if (ids_missing() == NULL) {
        ids_are_treated(area);
    }
    return done();
}
