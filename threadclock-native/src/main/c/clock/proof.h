/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_PROOF_H
#define TCLK_CLOCK_PROOF_H

#include "include/threadclock.h"
#include "kernel/perf_page.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Every source must prove itself in this process before it is used: by the self-test if it has a detector, else by one
 * reading. The result is kept. One thread proves at a time; no thread waits for another.
 */

/* Subjects of a proof: the sources, by their numbers; the counter, which three of them need; and the figures of
 * clock/waits.h. */
#define TCLK_SUBJECT_COUNTER 0
#define TCLK_SUBJECT_WAITS (TCLK_SOURCE_IDS + 1)
#define TCLK_SUBJECTS (TCLK_SUBJECT_WAITS + 1)

/* Why a source is not used. */
enum tclk_refusal {
    TCLK_ACCEPTED = 0,
    TCLK_NOT_TRIED,
    TCLK_REFUSED_NO_CLOCK,       /* clock_gettime on the clockid with PID 0: errno */
    TCLK_REFUSED_NO_RECORDS,     /* records cannot be mapped, or not be wiped on fork */
    TCLK_REFUSED_COUNTER_OFF,    /* prctl(PR_SET_TSC) */
    TCLK_REFUSED_COUNTER_VARIES, /* no invariant TSC */
    /* the kernel has given it up, and does not list it as a clock source */
    TCLK_REFUSED_COUNTER_GIVEN_UP,
    TCLK_REFUSED_COUNTER_STOPS, /* does not advance */
    TCLK_REFUSED_COUNTER_SLOW,  /* a ns, b ns: the counter against the system call */
    /* a of b readings of the thread's CPU clock returned the same as the one before */
    TCLK_REFUSED_CLOCK_COARSE,
    TCLK_REFUSED_KERNEL, /* Linux a.b: switches inside system calls leave the marker */
    /* Linux a.b: ids are not written at every switch, or rseq works and is used instead */
    TCLK_REFUSED_IDS_KERNEL,
    TCLK_REFUSED_LIBCS_AREA, /* the area belongs to libc, and its ids must not be changed */
    /* a of b sleeps cleared rseq_cs, which happens only with rseq debugging */
    TCLK_REFUSED_DEBUGGING,
    TCLK_REFUSED_AREA,          /* rseq(2): errno */
    TCLK_REFUSED_DESCRIPTOR,    /* the descriptor's page could not be mapped */
    TCLK_REFUSED_PERF_OPEN,     /* perf_event_open(2): errno */
    TCLK_REFUSED_PERF_MMAP,     /* mmap(2) of the page: errno */
    TCLK_REFUSED_SLEEPS_MISSED, /* a of b sleeps */
    TCLK_REFUSED_SLEEPS_FEW,    /* a valid sleeps of b */
    TCLK_REFUSED_CALLS_SEEN,    /* a of b calls changed the marker */
    TCLK_REFUSED_PROC,          /* reading /proc: errno */
    TCLK_REFUSED_SAMPLE_RATE,   /* the kernel allows a samples per second, b are needed */
    TCLK_REFUSED_NO_SAMPLES,    /* the event can be opened, but no sample comes */
    TCLK_REFUSED_SCHEDSTAT,     /* reading /proc/thread-self/schedstat: errno */
    TCLK_REFUSED_NO_SCHED_INFO, /* the kernel counts no run-queue delay */
    TCLK_REFUSED_WAITS_MOVED,   /* a of b calls that switched nothing moved the figures */
    TCLK_REFUSED_WAITS_MISSED,  /* a of b sleeps did not count as a time slice */
    TCLK_REFUSED_DEMOTED        /* failed the continuous check */
};

struct tclk_verdict {
    enum tclk_refusal refusal;
    int error; /* the errno, if the refusal has one */
    int a;
    int b;
};

/* Begins the exclusive right to prove; the calling thread's signals are blocked until it ends. False: another thread
 * has it; go on without it. */
bool tclk_proof_begin(void);
void tclk_proof_end(void);

/* Call this when the constructor has set up what proofs need; until then no proof can begin. Call it in a child of
 * fork() as well: the thread that had the right is not in the child. */
void tclk_proof_open(void);

/* Whether this source, or the counter, has proved itself. Tries now if nobody has tried before: about 2 ms for a
 * detector. Call this between tclk_proof_begin() and _end(). Async-signal-safe. */
bool tclk_proof_of(unsigned subject);

/* As tclk_proof_of(), with its own begin and end; false while another thread proves. */
bool tclk_proof_try(unsigned subject);

/* Withdraws an accepted proof, for this reason. True for the one caller that did it. */
bool tclk_proof_revoke(unsigned subject, enum tclk_refusal refusal);

struct tclk_verdict tclk_proof_verdict(unsigned subject);

/* ---- samples (clock/sampler.h) ---- */

/* Whether this process can sample at that period. Tries an event once, but checks the kernel's limit of samples each
 * time. Call this between tclk_proof_begin() and _end(). Not async-signal-safe. */
bool tclk_proof_of_samples(int64_t period_ns);

/* Results of the last trial: whether this process can sample; why not, or TCLK_NOT_TRIED; and whether the event of
 * samples is a detector as well. */
bool tclk_proof_samples(void);
struct tclk_verdict tclk_proof_samples_verdict(void);
bool tclk_proof_samples_detect(void);

/* The verdict for a refused perf event. */
struct tclk_verdict tclk_proof_perf_refusal(enum tclk_perf_step step, int error);

/* ---- */

/* The longest time, in counts, that a kernel reading may take to be trusted as an anchor. */
uint64_t tclk_proof_bracket_max(void);

#endif
