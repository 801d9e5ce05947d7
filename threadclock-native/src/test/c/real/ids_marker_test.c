/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the marker of the source ids: a node that no machine has, in an area of our own. */

#include "ids.h"
#include "marker.h"

#define SENTENCE "a switch changes the marker"

/* Linux 6.19 to 7.0.9 write ids only when they change, which sleeps seldom cause. */
static struct outcome after_sleeps(struct tclk_rseq_area *area)
{
    marker = tclk_detector_of_ids(area);
    return after(sleep_shortly, true);
}

static void try(struct tclk_rseq_area *area)
{
    struct outcome sleeps = {0, 0};
    if (!ids_must_serve()) {
        sleeps = after_sleeps(area);
    }
    if (sleeps.kept > 0) {
        ok(sleeps.kept * 2 > sleeps.tries, "Linux 6.19 to 7.0.9 keep the marker in most sleeps");
        diag("kept in %d of %d", sleeps.kept, sleeps.tries);
    } else if (ids_kernel_is_at_least(7, TCLK_RSEQ_IDS_MINOR)) {
        marker_facts(tclk_detector_of_ids(area), true);
    } else {
        skip(SENTENCE, "Linux 7.1");
    }
    tclk_rseq_area_release();
}

int main(int count, char **arguments)
{
    struct tclk_rseq_area *area = NULL;
    (void)count;
    tclk_rseq_setup();
    if (ids_missing() != NULL) {
        skip(SENTENCE, ids_missing());
    } else if (!rseq_starts_without_libcs(arguments)) {
        skip(SENTENCE, "the tunable " RSEQ_OFF_TUNABLE);
    } else if (tclk_rseq_own_area_of_thread(&area) != 0) {
        skip(SENTENCE, "an rseq area of our own");
    } else {
        try(area);
    }
    return done();
}
