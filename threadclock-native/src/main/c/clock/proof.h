/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_PROOF_H
#define TCLK_CLOCK_PROOF_H

#include "include/threadclock.h"
#include "kernel/perf_page.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Every source has to prove itself in this process before it is used: by the self-test if it has a
 * detector, else by one reading. What came out stays known. One thread proves at a time; nothing here
 * waits for another.
 */

/* What is proved: the sources, by their numbers, and the counter that three of them need. */
#define TCLK_SUBJECT_COUNTER 0
#define TCLK_SUBJECTS (TCLK_SOURCE_IDS + 1)

/* Why a source is not used. */
enum tclk_refusal {
    TCLK_ACCEPTED = 0,
    TCLK_NOT_TRIED,
    TCLK_REFUSED_NO_CLOCK,         /* clock_gettime on the PID-0 clock id: errno */
    TCLK_REFUSED_NO_RECORDS,       /* records cannot be mapped, or not be wiped on fork */
    TCLK_REFUSED_COUNTER_OFF,      /* prctl(PR_SET_TSC) */
    TCLK_REFUSED_COUNTER_VARIES,   /* no invariant TSC */
    TCLK_REFUSED_COUNTER_GIVEN_UP, /* by the kernel: it is none of its clock sources */
    TCLK_REFUSED_COUNTER_STOPS,    /* does not advance */
    TCLK_REFUSED_COUNTER_SLOW,     /* a ns, b ns: the counter against the system call */
    TCLK_REFUSED_CLOCK_COARSE, /* a of b readings of the thread's CPU clock said what the last one did */
    TCLK_REFUSED_KERNEL,       /* Linux a.b: switches inside system calls leave the marker */
    TCLK_REFUSED_IDS_KERNEL,    /* Linux a.b: ids are not written at every switch, or rseq serves */
    TCLK_REFUSED_LIBCS_AREA,    /* its ids are not ours to change */
    TCLK_REFUSED_DEBUGGING,     /* a of b sleeps cleared rseq_cs, which is not done without it */
    TCLK_REFUSED_AREA,          /* rseq(2): errno */
    TCLK_REFUSED_DESCRIPTOR,    /* its page could not be mapped */
    TCLK_REFUSED_PERF_OPEN,     /* perf_event_open(2): errno */
    TCLK_REFUSED_PERF_MMAP,     /* mmap(2) of the page: errno */
    TCLK_REFUSED_SLEEPS_MISSED, /* a of b */
    TCLK_REFUSED_SLEEPS_FEW,    /* a valid ones of b */
    TCLK_REFUSED_CALLS_SEEN,    /* a of b calls changed the marker */
    TCLK_REFUSED_PROC,          /* reading /proc: errno */
    TCLK_REFUSED_SAMPLE_RATE,   /* the kernel allows a samples per second, b are needed */
    TCLK_REFUSED_NO_SAMPLES,    /* the event is there, but no sample comes */
    TCLK_REFUSED_DEMOTED        /* failed the continuous check */
};

struct tclk_verdict {
    enum tclk_refusal refusal;
    int error; /* an errno, where the refusal has one */
    int a;
    int b;
};

/* Begins the exclusive right to prove. False: another thread (or the one that this signal handler has
 * interrupted) has it; do without. */
bool tclk_proof_begin(void);
void tclk_proof_end(void);

/* In a fork child: whoever had that right is not here. */
void tclk_proof_after_fork(void);

/* Between begin and end: has this source, or the counter, proved itself? Tries now if it never did:
 * about 2 ms for a detector. Async-signal-safe. */
bool tclk_proof_of(unsigned subject);

/* The same with its own begin and end; false while another thread proves. */
bool tclk_proof_try(unsigned subject);

/* Withdraws what has been accepted, for this reason. True for the one caller that did it. */
bool tclk_proof_revoke(unsigned subject, enum tclk_refusal refusal);

struct tclk_verdict tclk_proof_verdict(unsigned subject);

/* ---- samples (clock/sampler.h) ---- */

/* Between tclk_proof_begin() and _end(): can this process sample at that period? Tries an event once; the kernel's limit of
 * samples is looked at each time. Not async-signal-safe. */
bool tclk_proof_of_samples(int64_t period_ns);

/* What came of the last time: whether it can; why not, TCLK_NOT_TRIED before; and whether the event of samples detects
 * switches as well. */
bool tclk_proof_samples(void);
struct tclk_verdict tclk_proof_samples_verdict(void);
bool tclk_proof_samples_detect(void);

/* What a refused event is as a verdict. */
struct tclk_verdict tclk_proof_perf_refusal(enum tclk_perf_step step, int error);

/* ---- */

/* Counts that a kernel reading may take to be trusted as an anchor. */
uint64_t tclk_proof_bracket_max(void);

#endif
