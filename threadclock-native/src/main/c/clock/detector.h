/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DETECTOR_H
#define TCLK_CLOCK_DETECTOR_H

#include "kernel/perf_page.h"
#include "kernel/rseq_area.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A switch detector: a word that the kernel changes when it switches the calling thread out or in.
 * Arming yields the value that the word has, and keeps, until then.
 */
enum tclk_detector_kind { TCLK_DETECTOR_NONE, TCLK_DETECTOR_RSEQ, TCLK_DETECTOR_PERF };

struct tclk_detector {
    enum tclk_detector_kind kind;
    volatile uint64_t *marker;
};

static inline struct tclk_detector tclk_detector_of_area(struct tclk_rseq_area *area)
{
    return (struct tclk_detector){TCLK_DETECTOR_RSEQ, &area->rseq_cs};
}

static inline struct tclk_detector tclk_detector_of_page(struct tclk_perf_page *page)
{
    return (struct tclk_detector){TCLK_DETECTOR_PERF, &page->lock_and_index};
}

/* rseq is armed by parking the descriptor (which is not read back: it may be gone already), a perf
 * page by noting what its lock word says. */
static inline uint64_t tclk_detector_arm(struct tclk_detector detector)
{
    uint64_t armed;
    if (detector.kind == TCLK_DETECTOR_RSEQ) {
        armed = tclk_rseq_descriptor();
        *detector.marker = armed;
    } else {
        armed = *detector.marker;
    }
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return armed;
}

static inline bool tclk_detector_is_intact(struct tclk_detector detector, uint64_t armed)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return *detector.marker == armed;
}

#endif
