/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/memory.h"

#include <sys/mman.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18 /* since Linux 4.14 */
#endif

void *tclk_memory_map(size_t bytes)
{
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    return memory == MAP_FAILED ? NULL : memory;
}

bool tclk_memory_wipe_on_fork(void *memory, size_t bytes)
{
    return madvise(memory, bytes, MADV_WIPEONFORK) == 0;
}

void tclk_memory_unmap(void *memory, size_t bytes)
{
    munmap(memory, bytes);
}
