/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/thread_detector.h"

#include "clock/proof.h"
#include "clock/settings.h"

#define PAYING_READS 8

/* With fewer reads between two looks, nothing is known about how the thread reads. */
#define READS_NEEDED 64

static const struct tclk_detector none = {.kind = TCLK_DETECTOR_NONE};

bool tclk_thread_page_pays(const struct tclk_record *record, const struct tclk_usage *usage)
{
    uint32_t reads = tclk_record_resyncs(record) - record->steered_resyncs;
    uint32_t switches = (uint32_t)tclk_usage_switches(usage) - record->switches;
    return reads >= READS_NEEDED && reads >= PAYING_READS * ((uint64_t)switches + 1);
}

/* Whether this is the first try. A handler may come at any instruction and try as well; an exchange cannot be divided.
 */
static bool is_first_try(bool *tried)
{
    return !*tried && !__atomic_exchange_n(tried, true, __ATOMIC_RELAXED);
}

/* After one refusal, this thread does not ask for a page again: the limits that forbid it (descriptors, locked
 * memory, seccomp) seldom change, and asking costs 30 us. */
static void try_page(struct tclk_record *record)
{
    struct tclk_perf_page *page;
    enum tclk_perf_step step;
    if (tclk_perf_page_map(&page, &step) == 0) {
        record->page = page;
    }
}

/* A thread that is sampled has a page already. */
static struct tclk_detector perf_detector(struct tclk_record *record, struct tclk_perf_page *shared, bool by_name)
{
    if (shared != NULL) {
        return tclk_detector_of_page(shared);
    }
    if ((by_name || record->page_pays) && is_first_try(&record->page_tried)) {
        try_page(record);
    }
    return record->page != NULL ? tclk_detector_of_page(record->page) : none;
}

static bool has_area(struct tclk_record *record, int (*find)(struct tclk_rseq_area **))
{
    struct tclk_rseq_area *area;
    if (is_first_try(&record->area_tried) && find(&area) == 0) {
        record->area = area;
    }
    return record->area != NULL;
}

/* The detector of a thread whose area belongs to other code. */
static struct tclk_detector next_detector(struct tclk_record *record, struct tclk_perf_page *shared)
{
    return tclk_proof_try(TCLK_SOURCE_PERF) ? perf_detector(record, shared, false) : none;
}

/* The proof of ids has seen that libc registers no areas, so the record's area is our own. */
struct tclk_detector tclk_thread_detector(struct tclk_record *record, struct tclk_perf_page *shared)
{
    if (record->counter_refused || tclk_settings.split == TCLK_SPLIT_TICKS) {
        return none;
    }
    switch (tclk_source_in_use()) {
    case TCLK_SOURCE_RSEQ:
        return has_area(record, tclk_rseq_area_of_thread) ? tclk_detector_of_area(record->area)
                                                          : next_detector(record, shared);
    case TCLK_SOURCE_PERF:
        return perf_detector(record, shared, tclk_settings.by_name);
    case TCLK_SOURCE_IDS:
        return has_area(record, tclk_rseq_own_area_of_thread) ? tclk_detector_of_ids(record->area)
                                                              : next_detector(record, shared);
    default:
        return none;
    }
}
