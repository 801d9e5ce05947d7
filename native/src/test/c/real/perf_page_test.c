/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the page of a perf event: its lock word moves with the thread's switches, and it leaves nothing behind. */

#include "marker.h"
#include "perf.h"
#include "real.h"

/* ---- what is left behind ---- */

static void leaves_nothing(void)
{
    struct tclk_perf_page *another;
    enum tclk_perf_step step;
    int64_t descriptors = leftovers_descriptors();
    int64_t mappings = leftovers_pages();
    int error = tclk_perf_page_map(&another, &step);
    is_ns(error, 0, "a thread may have several pages");
    is_ns(leftovers_descriptors(), descriptors, "no descriptor stays open");
    is_ns(leftovers_pages(), mappings + 1, "one page is mapped");
    tclk_perf_page_unmap(another);
    is_ns(leftovers_pages(), mappings, "and none when it is unmapped");
}

/* ---- refusals ---- */

/* A limit of locked memory has this effect: the event is opened, but not mapped. */
static void refuses_mapping(void)
{
    struct tclk_perf_page *none = NULL;
    enum tclk_perf_step step = TCLK_PERF_OPEN;
    int64_t descriptors = leftovers_descriptors();
    if (skips(!seccomp_refuse_with(SYS_mmap, 3, MAP_SHARED, EPERM), "a page that cannot be mapped is told of",
              SECCOMP_MISSING)) {
        return;
    }
    is_ns(tclk_perf_page_map(&none, &step), -EPERM, "a page that cannot be mapped is not there");
    ok(step == TCLK_PERF_MMAP && none == NULL, "the step of mapping is reported");
    is_ns(leftovers_descriptors(), descriptors, "its descriptor is closed all the same");
    source_is_refused(TCLK_SOURCE_PERF, "mmap of the perf page refused: EPERM (1)", "the source perf is refused");
}

static void paranoid_is_told(void)
{
    int level = 4711;
    int64_t expected = file_number("/proc/sys/kernel/perf_event_paranoid", "");
    if (!skips(expected == INT64_MIN, "kernel.perf_event_paranoid is told", "that file in /proc")) {
        is_ns(tclk_perf_paranoid(&level), 0, "kernel.perf_event_paranoid is told");
        is_ns(level, expected, "as it is");
    }
}

int main(void)
{
    char reason[128];
    paranoid_is_told();
    struct tclk_perf_page *page = perf_page_or_reason(reason, sizeof reason);
    if (skips(page == NULL, "the lock moves with the thread's switches", reason)) {
        return done();
    }
    in_child(refuses_mapping);
    if (kind_judges_timing("the lock moves with the thread's switches")) {
        marker_facts(tclk_detector_of_page(page), true);
    }
    leaves_nothing();
    if (source_use(TCLK_SOURCE_PERF)) {
        leftovers_page_of_thread("a thread that reads from perf has a page");
    }
    return done();
}
