/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_MEMORY_H
#define TCLK_KERNEL_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Maps zeroed memory of the library's own, which costs nothing until it is touched. NULL: there is none. After a
 * refusal, the same amount or more is not requested again for a second, because readings ask for memory as long as
 * they have none. Async-signal-safe. */
void *tclk_memory_map(size_t bytes);

/* True if this amount or less has been refused within the last second. */
bool tclk_memory_is_refused(size_t bytes);

/* From now on every child process sees zeroes there, however it is created (madvise(MADV_WIPEONFORK), since Linux
 * 4.14). False: the kernel cannot do that (it is older, or gVisor), and a child gets a copy. */
bool tclk_memory_wipe_on_fork(void *memory, size_t bytes);

/* Whether that can be done here, and there is memory at all. Maps a page, and unmaps it. */
bool tclk_memory_can_be_wiped_on_fork(void);

void tclk_memory_unmap(void *memory, size_t bytes);

#endif
