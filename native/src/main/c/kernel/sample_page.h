/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_SAMPLE_PAGE_H
#define TCLK_KERNEL_SAMPLE_PAGE_H

/*
 * A sampling perf event of one thread, and its ring: PERF_COUNT_SW_TASK_CLOCK, an hrtimer that runs
 * while its thread does and fires once in each period of its CPU time. With exclude_kernel it leaves
 * a record only where it finds the thread in user mode; kernel.perf_event_paranoid <= 2 grants that
 * without privilege. The ring is mapped without PROT_WRITE: then the kernel writes over what is old
 * and never asks where the reader is, and `data_head` counts all bytes ever written.
 *
 * Every record that the kernel writes there takes one slot, so data_head counts samples. On x86_64 a slot holds the
 * registers RCX and RIP. A timer that is due while interrupts are off on the way out of a system call fires at the
 * first instruction after it, where SYSRET has left RIP in RCX: such a sample was due in the kernel and is not counted.
 * (Without that, each system call has some 50 ns too much of user time.) aarch64 leaves no such trace, and has the
 * smallest slot.
 *
 * Its first page is a perf page like any other (kernel/perf_page.h): its `lock` moves at each switch-in
 * and at no sample, so it is a switch detector as well.
 */

#include "kernel/perf_page.h"

#include <stdbool.h>
#include <stdint.h>

struct tclk_sample_page;

/* Opens the event for the calling thread and maps its ring: two pages, from the same budget as perf pages. With a
 * `limit` other than 0, the event ends by itself at its `limit`th sample, and `lock` stands still; a thread leaves no
 * samples while it is in the kernel, so the event does not end there. No descriptor stays open; a fork child does not
 * inherit the mapping, and must not touch it. About 50 us. Async-signal-safe. Returns 0, or the -errno of the step that
 * failed, *step; *page is untouched then. */
int tclk_sample_page_map(struct tclk_sample_page **page, int64_t period_ns, int limit, enum tclk_perf_step *step);

void tclk_sample_page_unmap(struct tclk_sample_page *page);

struct tclk_perf_page *tclk_sample_page_lock(struct tclk_sample_page *page);

/* The number of bytes that the kernel has written so far. One load. */
uint64_t tclk_sample_page_head(const struct tclk_sample_page *page);

/* The number of user samples that were written between two heads. Only for the thread itself. If the ring has lost
 * some of them, they are assumed to be like those that it still holds. */
uint64_t tclk_sample_page_count(const struct tclk_sample_page *page, uint64_t from, uint64_t to);

/* A record of an event with a limit. */
struct tclk_sample {
    int64_t raw_ns; /* CLOCK_MONOTONIC_RAW */
    bool is_user;
};

/* The next record of an event with a limit, after `*at` bytes. False: there is no more. */
bool tclk_sample_page_next(const struct tclk_sample_page *page, uint64_t *at, struct tclk_sample *sample);

/* Reads kernel.perf_event_max_sample_rate, per second. Returns 0 or -errno. */
int tclk_sample_rate_max(int *per_second);

#endif
