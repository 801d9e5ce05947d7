/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/memory.h"

#include <sys/mman.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18 /* since Linux 4.14 */
#endif

void *tclk_memory_map(size_t bytes, bool wiped_on_fork)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        return NULL;
    }
    if (wiped_on_fork && madvise(memory, bytes, MADV_WIPEONFORK) != 0) {
        munmap(memory, bytes);
        return NULL;
    }
    return memory;
}

void tclk_memory_unmap(void *memory, size_t bytes)
{
    munmap(memory, bytes);
}
