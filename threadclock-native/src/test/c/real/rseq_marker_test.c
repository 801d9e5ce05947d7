/* SPDX-License-Identifier: Apache-2.0 */

/* A parked descriptor: the marker of the source rseq. */

#include "marker.h"

int main(void)
{
    struct tclk_rseq_area *area;
    tclk_rseq_setup();
    if (tclk_rseq_area_of_thread(&area) != 0) {
        skip("a switch changes the marker", "rseq(2), Linux 4.18");
        return done();
    }
    marker_facts(tclk_detector_of_area(area), rseq_is_cleared_in_calls());
    return done();
}
