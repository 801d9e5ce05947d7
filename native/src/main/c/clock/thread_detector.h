/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_THREAD_DETECTOR_H
#define TCLK_CLOCK_THREAD_DETECTOR_H

#include "clock/detector.h"
#include "kernel/usage.h"

/*
 * Chooses the detector of the calling thread, by the source in use. A thread whose rseq area belongs to other code is
 * left alone, and gets a perf page if that pays. A perf page costs the thread about 0.5 us at every switch and saves
 * about as much at every read, so `auto` gives one only to a thread that reads PAYING_READS times or more for each of
 * its switches. A thread that is sampled has a page already, `shared`, or NULL.
 */
struct tclk_detector tclk_thread_detector(struct tclk_own_detectors *own, struct tclk_perf_page *shared);

/* Notes a look at the kernel's split, and whether a page pays, by what the thread has done since the last look.
 * `resyncs` are the thread's until now, modulo 2^32. */
void tclk_thread_detector_note(struct tclk_own_detectors *own, uint32_t resyncs, const struct tclk_usage *usage,
                               bool is_first);

#endif
