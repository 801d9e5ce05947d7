/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_PERF_PAGE_H
#define TCLK_KERNEL_PERF_PAGE_H

/*
 * The first page of a perf event's ring buffer (perf_event_open(2), struct perf_event_mmap_page).
 *
 * For an event that counts one thread, the kernel rewrites this page whenever it switches that thread in, and bumps the
 * word `lock` before and after. Therefore `lock` is a detector, on every kernel since 2.6.31. The event is
 * PERF_COUNT_SW_DUMMY (since 3.12), which counts nothing, with exclude_kernel, which kernel.perf_event_paranoid <= 2
 * grants without privilege. It costs each switch-in of its thread about 0.5 us.
 *
 * `lock` (bytes 8..11) and `index` (bytes 12..15, always 0 for a software event) are read as one
 * word of 64 bits, which makes the marker as wide as an rseq area's.
 */

#include <stdbool.h>
#include <stdint.h>

struct tclk_perf_page {
    uint32_t version;
    uint32_t compat_version;
    uint64_t lock_and_index;
};

enum tclk_perf_step { TCLK_PERF_OPEN, TCLK_PERF_MMAP };

/* Whether the calling thread may call perf_event_open(2): 0, or an error of kernel/filter.h. */
int tclk_perf_permit(void);

/* Opens the event for the calling thread and maps its page. The mapping keeps the event alive, so no descriptor
 * stays open; a fork child does not inherit the mapping, and must not touch it. Returns 0, or the -errno (or an
 * error of kernel/filter.h) of the step that failed, *step. Takes about 30 us; the first call since boot takes
 * milliseconds. Async-signal-safe. */
int tclk_perf_page_map(struct tclk_perf_page **page, enum tclk_perf_step *step);

void tclk_perf_page_unmap(struct tclk_perf_page *page);

/* Reads kernel.perf_event_paranoid. Returns 0, the -errno of opening or reading the file, or -EBADMSG if it holds no
 * number. */
int tclk_perf_paranoid(int *level);

/* Reads a number from a file of /proc/sys/kernel. Returns as tclk_perf_paranoid(). */
int tclk_perf_setting(const char *path, int *value);

#endif
