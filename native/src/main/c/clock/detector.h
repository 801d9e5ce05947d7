/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DETECTOR_H
#define TCLK_CLOCK_DETECTOR_H

#include "kernel/perf_page.h"
#include "kernel/rseq_area.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A detector: a word that the kernel changes when it switches the calling thread out or in. Arming returns the value
 * that the word keeps until then.
 */
enum tclk_detector_kind { TCLK_DETECTOR_NONE, TCLK_DETECTOR_RSEQ, TCLK_DETECTOR_PERF, TCLK_DETECTOR_IDS };

struct tclk_detector {
    enum tclk_detector_kind kind;
    volatile uint64_t *marker;
};

static inline struct tclk_detector tclk_detector_of_area(struct tclk_rseq_area *area)
{
    return (struct tclk_detector){TCLK_DETECTOR_RSEQ, &area->rseq_cs};
}

static inline struct tclk_detector tclk_detector_of_ids(struct tclk_rseq_area *area)
{
    return (struct tclk_detector){TCLK_DETECTOR_IDS, &area->flags_and_node_id};
}

static inline struct tclk_detector tclk_detector_of_page(struct tclk_perf_page *page)
{
    return (struct tclk_detector){TCLK_DETECTOR_PERF, &page->lock_and_index};
}

/* What a record keeps of its thread's detectors (clock/thread_detector.h). The thread alone writes it. */
struct tclk_own_detectors {
    struct tclk_rseq_area *area; /* NULL = none */
    struct tclk_perf_page *page; /* NULL = none */
    uint32_t switches;           /* the thread's switches at the last look at the kernel's split, modulo 2^32 */
    uint32_t resyncs;            /* its resyncs until that look, modulo 2^32 */
    uint32_t lost;               /* resyncs that lost their marker every time */
    bool counter_refused;        /* the thread may not read the counter */
    bool area_tried;
    bool page_tried;
    bool page_pays;
};

/* Arms a detector. For rseq and ids this stores the descriptor, or a node that no machine has; the value is not read
 * back, because it may be gone already. For a perf page it only notes the present lock word. */
static inline uint64_t tclk_detector_arm(struct tclk_detector detector)
{
    uint64_t armed;
    if (detector.kind == TCLK_DETECTOR_PERF) {
        armed = *detector.marker;
    } else {
        armed = detector.kind == TCLK_DETECTOR_IDS ? TCLK_RSEQ_NO_NODE : tclk_rseq_descriptor();
        *detector.marker = armed;
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return armed;
}

/* A value that changes if something other than a switch may have changed the marker. The kernel also writes ids when
 * they have changed, even on kernels where they detect nothing. Therefore a sleep proves something only if this
 * value is the same after it. */
static inline uint64_t tclk_detector_place(struct tclk_detector detector)
{
    if (detector.kind != TCLK_DETECTOR_IDS) {
        return 0;
    }
    volatile char *field = (volatile char *)detector.marker;
    size_t offset = offsetof(struct tclk_rseq_area, flags_and_node_id);
    return tclk_rseq_place((const struct tclk_rseq_area *)(uintptr_t)(field - offset));
}

static inline bool tclk_detector_is_intact(struct tclk_detector detector, uint64_t armed)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return *detector.marker == armed;
}

#endif
