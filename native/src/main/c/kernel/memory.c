/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/memory.h"

#include "kernel/raw_clock.h"

#include <stdint.h>
#include <sys/mman.h>

#ifndef MADV_WIPEONFORK
#define MADV_WIPEONFORK 18 /* since Linux 4.14 */
#endif

#define REFUSED_FOR_NS UINT64_C(1000000000)

static size_t refused_bytes;
static uint64_t refused_until_ns;

bool tclk_memory_is_refused(size_t bytes)
{
    return bytes >= __atomic_load_n(&refused_bytes, __ATOMIC_RELAXED) &&
           tclk_coarse_clock_ns() < __atomic_load_n(&refused_until_ns, __ATOMIC_RELAXED);
}

static void note_refusal(size_t bytes)
{
    __atomic_store_n(&refused_bytes, bytes, __ATOMIC_RELAXED);
    __atomic_store_n(&refused_until_ns, tclk_coarse_clock_ns() + REFUSED_FOR_NS, __ATOMIC_RELAXED);
}

void *tclk_memory_map(size_t bytes)
{
    if (tclk_memory_is_refused(bytes)) {
        return NULL;
    }
    void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED) {
        note_refusal(bytes);
        return NULL;
    }
    return memory;
}

bool tclk_memory_wipe_on_fork(void *memory, size_t bytes)
{
    return madvise(memory, bytes, MADV_WIPEONFORK) == 0;
}

void tclk_memory_unmap(void *memory, size_t bytes)
{
    munmap(memory, bytes);
}

#define PAGE_BYTES 4096

bool tclk_memory_can_be_wiped_on_fork(void)
{
    void *page = tclk_memory_map(PAGE_BYTES);
    if (page == NULL) {
        return false;
    }
    bool is_wiped = tclk_memory_wipe_on_fork(page, PAGE_BYTES);
    tclk_memory_unmap(page, PAGE_BYTES);
    return is_wiped;
}
