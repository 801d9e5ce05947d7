/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_SAMPLER_H
#define TCLK_CLOCK_DIVIDE_SAMPLER_H

#include "clock/divide/look.h"
#include "clock/line.h"
#include "clock/proof.h"
#include "clock/record.h"
#include "kernel/sample_page.h"
#include "kernel/usage.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The split `sampled`: a thread that reads itself has an event that samples it (kernel/sample_page.h), and each user
 * sample stands for one period of user time. A thread that gets no event is divided as by `smoothed`.
 */

/* For this many periods, a line of user time is followed before the samples are read again, without asking the
 * kernel. */
#define TCLK_SAMPLE_SLICE_PERIODS INT64_C(2)

/* The state of one thread's samples. */
struct tclk_sampler {
    struct tclk_sample_page *page; /* NULL = none */
    uint64_t head;                 /* samples counted so far */
    int64_t cpu_ns;                /* the thread's CPU time at that count */
    int64_t user_ns;               /* user time by the samples at that count */
    int64_t heard_ns;              /* the kernel's user time when the last sample came */
    uint32_t share;                /* user time / CPU time of the last few periods */
    uint32_t told;                 /* the share for other threads, or TCLK_SAMPLER_TELLS_NOTHING */
    uint32_t period_ns;
    bool fresh;   /* the samples have not been read yet */
    bool gave_up; /* no samples come */
};

#define TCLK_SAMPLER_TELLS_NOTHING UINT32_MAX

/* Counts a thread that was refused an event for that reason. */
void tclk_sampler_count_refusal(struct tclk_verdict of);

/* The number of threads that were refused an event after the process had been accepted, and the reason of the last
 * refusal. */
uint32_t tclk_sampler_refused(struct tclk_verdict *last);

/* Gives the calling thread its event if the process samples and it has not got or been refused one. The event lasts as
 * long as the thread. Async-signal-safe. */
void tclk_sampler_ensure(struct tclk_record *record);

/* The calling thread's sampler while it samples; else NULL. */
struct tclk_sampler *tclk_sampler_of(const struct tclk_record *record);

/* Counts the samples at a CPU time. Changes nothing. One load if none has come. */
struct tclk_sampled tclk_sampler_look(const struct tclk_record *record, int64_t cpu_ns);

/* Notes that this reading of the samples has become a line that starts at `start`; a fresh sampler starts at
 * `share`. */
void tclk_sampler_note(struct tclk_record *record, const struct tclk_sampled *look, struct tclk_point start,
                       uint32_t share);

/* Call this when the kernel was asked. If it tells user time and no samples come, they never will. */
void tclk_sampler_watch(struct tclk_record *record, const struct tclk_usage *usage);

/* The share at which a thread that samples itself goes on, for other threads. False: it does not sample itself. */
bool tclk_sampler_share(const struct tclk_record *record, uint32_t *share);

/* The page as a detector; NULL if it is none. */
struct tclk_perf_page *tclk_sampler_detector(const struct tclk_record *record);

/* Call this when the thread ends. */
void tclk_sampler_detach(struct tclk_record *record);

/* Call this in a child of fork(), before a second thread exists. */
void tclk_sampler_after_fork(void);

#endif
