/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the marker of the source ids: a node that no machine has, in an area of our own. */

#include "ids.h"
#include "marker.h"

#define SENTENCE "a switch changes the marker"

static void in_our_length(struct tclk_rseq_area *area)
{
    if (ids_are_treated(area) == IDS_WRITTEN && ids_kernel_is_at_least(7, TCLK_RSEQ_IDS_MINOR)) {
        marker_facts(tclk_detector_of_ids(area), true);
    } else {
        skip(SENTENCE, "Linux 7.0.10, on aarch64 7.1");
    }
    tclk_rseq_area_release();
}

/* As glibc 2.41 and newer register it. */
static void in_newer_length(void)
{
    static char longer[RSEQ_LENGTH_MAX] __attribute__((aligned(RSEQ_LENGTH_MAX)));
    is_ns(rseq_register(longer, rseq_newer_length(), TCLK_RSEQ_SIGNATURE), 0, "an area may have the kernel's length");
    ids_are_treated((void *)longer);
    rseq_unregister(longer);
}

int main(void)
{
    struct tclk_rseq_area *area = NULL;
    tclk_rseq_setup();
    if (ids_missing() != NULL) {
        skip(SENTENCE, ids_missing());
    } else if (!rseq_starts_without_libcs()) {
        skip(SENTENCE, "the tunable " RSEQ_OFF_TUNABLE);
    } else if (tclk_rseq_own_area_of_thread(&area) != 0) {
        skip(SENTENCE, "an rseq area of our own");
    } else {
        in_our_length(area);
        in_newer_length();
    }
    return done();
}
