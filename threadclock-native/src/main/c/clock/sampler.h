/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_SAMPLER_H
#define TCLK_CLOCK_SAMPLER_H

#include "clock/proof.h"
#include "clock/record.h"
#include "clock/split.h"
#include "kernel/sample_page.h"
#include "kernel/usage.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * The split `sampled`: a thread that reads itself has an event that samples it (kernel/sample_page.h), and
 * each user sample stands for one period of user time. A thread that gets none is divided as `smoothed`
 * does.
 */

/* For so many periods a line of user time is followed before the samples are looked at again, without asking the
 * kernel. */
#define TCLK_SAMPLE_SLICE_PERIODS INT64_C(2)

/* What one thread's samples have told. */
struct tclk_sampler {
    struct tclk_sample_page *page; /* NULL = none */
    uint64_t head;                 /* counted so far */
    int64_t cpu_ns;                /* the thread's CPU time then */
    int64_t user_ns;               /* where the samples saw user time then */
    int64_t heard_ns;              /* the kernel's word of user time when a sample last came */
    uint32_t share;                /* user time by CPU time, of the last few periods */
    uint32_t told;                 /* the same for others; TCLK_SAMPLER_TELLS_NOTHING */
    uint32_t whole_window;         /* counts from the anchor at which the kernel is asked again */
    uint32_t period_ns;            /* of its event: the settings may have another one by now */
    bool fresh;                    /* nothing has been looked at yet */
    bool stopped;                  /* its event is gone */
    bool gave_up;                  /* … for good */
    bool lost;                     /* … and its place may be somebody else's */
};

#define TCLK_SAMPLER_TELLS_NOTHING UINT32_MAX

/* What a look at them yields. */
struct tclk_sampled {
    uint64_t head;
    int64_t user_ns;
    uint32_t share;
    uint32_t period_ns;
    bool taken;
    bool is_first; /* it only tells where the samples begin */
};

/* A thread was refused an event for that. */
void tclk_sampler_count_refusal(struct tclk_verdict of);

/* How many threads were refused an event after that, and by what, as tclk_verdict says. */
uint32_t tclk_sampler_refused(struct tclk_verdict *last);

/* Gives the calling thread its event, ends it, or gives it one of another period, as the settings want. What an event
 * of the old period has not been asked about is lost: that stretch goes on at the last share.
 * Async-signal-safe. */
void tclk_sampler_follow_settings(struct tclk_record *record);

/* The calling thread's, while it samples; else NULL. */
struct tclk_sampler *tclk_sampler_of(const struct tclk_record *record);

/* Counts the samples at a CPU time. Changes nothing. One load, if none has come. */
struct tclk_sampled tclk_sampler_look(const struct tclk_record *record, int64_t cpu_ns);

/* That look has become a line that starts at `start`; `share` is where a fresh sampler starts from. */
void tclk_sampler_note(struct tclk_record *record, const struct tclk_sampled *look,
                       struct tclk_point start, uint32_t share);

/* The anchor is good for so many counts, whatever becomes of its line. */
void tclk_sampler_set_window(struct tclk_record *record, uint32_t window);

/* The kernel was asked: samples that do not come while it sees user time never will. */
void tclk_sampler_watch(struct tclk_record *record, const struct tclk_usage *usage);

/* As others see it: how the thread that samples itself goes on. False: it does not. */
bool tclk_sampler_share(const struct tclk_record *record, uint32_t *share);

/* The page as a switch detector; NULL if it is none. */
struct tclk_perf_page *tclk_sampler_detector(const struct tclk_record *record);

/* At the thread's end. */
void tclk_sampler_retire(struct tclk_record *record);

/* In a fork child, before a second thread exists. */
void tclk_sampler_forget_all(void);

#endif
