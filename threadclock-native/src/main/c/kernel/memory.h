/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_MEMORY_H
#define TCLK_KERNEL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Zeroed memory of the library's own; costs nothing until it is touched. wiped_on_fork: a child sees
 * zeroes (madvise(MADV_WIPEONFORK), since Linux 4.14). NULL: none, or the kernel cannot wipe on fork.
 * Async-signal-safe. */
void *tclk_memory_map(size_t bytes, bool wiped_on_fork);

void tclk_memory_unmap(void *memory, size_t bytes);

#endif
