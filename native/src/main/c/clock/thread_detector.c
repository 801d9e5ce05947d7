/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/thread_detector.h"

#include "clock/proof.h"
#include "clock/settings.h"

#define PAYING_READS 8

/* With fewer reads between two looks, nothing is known about how the thread reads. */
#define READS_NEEDED 64

static const struct tclk_detector none = {.kind = TCLK_DETECTOR_NONE};

void tclk_thread_detector_note(struct tclk_own_detectors *own, uint32_t resyncs, const struct tclk_usage *usage,
                               bool is_first)
{
    uint32_t reads = resyncs - own->resyncs;
    uint32_t switches = (uint32_t)tclk_usage_switches(usage) - own->switches;
    own->page_pays |= !is_first && reads >= READS_NEEDED && reads >= PAYING_READS * ((uint64_t)switches + 1);
    own->switches += switches;
    own->resyncs = resyncs;
}

/* Whether this is the first try. A handler may come at any instruction and try as well; an exchange cannot be divided.
 */
static bool is_first_try(bool *tried)
{
    return !*tried && !__atomic_exchange_n(tried, true, __ATOMIC_RELAXED);
}

/* After one refusal, this thread does not ask for a page again: the limits that forbid it (descriptors, locked
 * memory, seccomp) seldom change, and asking costs 30 us. */
static void try_page(struct tclk_own_detectors *own)
{
    struct tclk_perf_page *page;
    enum tclk_perf_step step;
    if (tclk_perf_page_map(&page, &step) == 0) {
        own->page = page;
    }
}

/* A thread that is sampled has a page already. */
static struct tclk_detector perf_detector(struct tclk_own_detectors *own, struct tclk_perf_page *shared, bool by_name)
{
    if (shared != NULL) {
        return tclk_detector_of_page(shared);
    }
    if ((by_name || own->page_pays) && is_first_try(&own->page_tried)) {
        try_page(own);
    }
    return own->page != NULL ? tclk_detector_of_page(own->page) : none;
}

static bool has_area(struct tclk_own_detectors *own, int (*find)(struct tclk_rseq_area **))
{
    struct tclk_rseq_area *area;
    if (is_first_try(&own->area_tried) && find(&area) == 0) {
        own->area = area;
    }
    return own->area != NULL;
}

/* The detector of a thread whose area belongs to other code. */
static struct tclk_detector next_detector(struct tclk_own_detectors *own, struct tclk_perf_page *shared)
{
    return tclk_proof_try(TCLK_SOURCE_PERF) ? perf_detector(own, shared, false) : none;
}

/* The proof of ids has seen that libc registers no areas, so the record's area is our own. */
struct tclk_detector tclk_thread_detector(struct tclk_own_detectors *own, struct tclk_perf_page *shared)
{
    if (own->counter_refused || tclk_settings.split == TCLK_SPLIT_TICKS) {
        return none;
    }
    switch (tclk_source_in_use()) {
    case TCLK_SOURCE_RSEQ:
        return has_area(own, tclk_rseq_area_of_thread) ? tclk_detector_of_area(own->area) : next_detector(own, shared);
    case TCLK_SOURCE_PERF:
        return perf_detector(own, shared, tclk_settings.by_name);
    case TCLK_SOURCE_IDS:
        return has_area(own, tclk_rseq_own_area_of_thread) ? tclk_detector_of_ids(own->area)
                                                           : next_detector(own, shared);
    default:
        return none;
    }
}
