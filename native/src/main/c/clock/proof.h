/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_PROOF_H
#define TCLK_CLOCK_PROOF_H

#include "clock/refusal.h"
#include "include/threadclock.h"
#include "kernel/perf_page.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * Every source must prove itself in this process before it is used: by the self-test if it has a detector, else by one
 * reading. The result is kept. One thread proves at a time; no thread waits for another.
 */

/* Subjects of a proof: the sources, by their numbers; the counter, which three of them need; the figures of
 * clock/waits.h; samples (clock/divide/samples.h); and their page as a detector. */
#define TCLK_SUBJECT_COUNTER 0
#define TCLK_SUBJECT_WAITS (TCLK_SOURCE_IDS + 1)
#define TCLK_SUBJECT_SAMPLES (TCLK_SUBJECT_WAITS + 1)
#define TCLK_SUBJECT_SAMPLE_PAGE (TCLK_SUBJECT_SAMPLES + 1)
#define TCLK_SUBJECTS (TCLK_SUBJECT_SAMPLE_PAGE + 1)

/* Begins the exclusive right to prove; the calling thread's signals are blocked until it ends. False: another thread
 * has it, or a seccomp filter may kill for a proof (kernel/filter.h); go on without it. */
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

/* ---- samples ---- */

/* As tclk_proof_of(), for samples at that period, which the kernel's limit of samples must allow. Asks for that limit
 * each time. */
bool tclk_proof_of_samples(int64_t period_ns);

/* The result, by the limit that was there then. If they are accepted, `a` is the CPU time, ns, that a sample costs. */
struct tclk_verdict tclk_proof_samples_verdict(int64_t period_ns);

/* The verdict for a refused perf event. */
struct tclk_verdict tclk_proof_perf_refusal(enum tclk_perf_step step, int error);

/* Notes that a single thread was refused its samples for this reason, after the process had been accepted. */
void tclk_proof_refuse_thread(struct tclk_verdict of);

/* The number of these threads, and the reason of the last one. */
uint32_t tclk_proof_threads_refused(struct tclk_verdict *last);

/* ---- */

/* The longest time, in counts, that a kernel reading may take to be trusted as an anchor. */
uint64_t tclk_proof_bracket_max(void);

#endif
