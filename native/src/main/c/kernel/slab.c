/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/slab.h"

#include "kernel/memory.h"

#include <string.h>

static unsigned chunk_of(uint32_t index)
{
    return 31u - (unsigned)__builtin_clz(index / TCLK_SLAB_FIRST + 1u);
}

static uint32_t first_of(unsigned chunk)
{
    return TCLK_SLAB_FIRST * ((1u << chunk) - 1u);
}

static size_t chunk_bytes(const struct tclk_slab *slab, unsigned chunk)
{
    return ((size_t)TCLK_SLAB_FIRST << chunk) * slab->slot_bytes;
}

/* Two threads (or a thread and its signal handler) may map the same chunk; only one mapping is kept. */
static char *ensure_chunk(struct tclk_slab *slab, unsigned chunk)
{
    char *present = __atomic_load_n(&slab->chunks[chunk], __ATOMIC_ACQUIRE);
    if (present != NULL) {
        return present;
    }
    char *mine = tclk_memory_map(chunk_bytes(slab, chunk));
    if (mine == NULL) {
        return NULL;
    }
    bool is_wiped = !slab->wiped_on_fork || tclk_memory_wipe_on_fork(mine, chunk_bytes(slab, chunk));
    if (!is_wiped) {
        __atomic_store_n(&slab->is_refused, true, __ATOMIC_RELAXED);
    }
    if (is_wiped &&
        __atomic_compare_exchange_n(&slab->chunks[chunk], &present, mine, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        return mine;
    }
    tclk_memory_unmap(mine, chunk_bytes(slab, chunk));
    return present;
}

static char *slot_in(const struct tclk_slab *slab, char *memory, uint32_t index)
{
    return memory + (size_t)(index - first_of(chunk_of(index))) * slab->slot_bytes;
}

void *tclk_slab_at(const struct tclk_slab *slab, uint32_t index)
{
    char *memory = __atomic_load_n(&slab->chunks[chunk_of(index)], __ATOMIC_ACQUIRE);
    return memory == NULL ? NULL : slot_in(slab, memory, index);
}

static uint64_t head_of(uint64_t previous, uint32_t index_plus_1)
{
    return ((previous >> 32) + 1u) << 32 | index_plus_1;
}

/* The count in the head's upper half changes with every exchange, so a slot that was taken and given
 * back in between is noticed. */
static void *take_free(struct tclk_slab *slab)
{
    uint64_t head = __atomic_load_n(&slab->free_head, __ATOMIC_ACQUIRE);
    while ((uint32_t)head != 0) {
        uint32_t *slot = tclk_slab_at(slab, (uint32_t)head - 1u);
        uint32_t next = __atomic_load_n(slot, __ATOMIC_RELAXED);
        if (__atomic_compare_exchange_n(&slab->free_head, &head, head_of(head, next), false, __ATOMIC_ACQ_REL,
                                        __ATOMIC_ACQUIRE)) {
            return slot;
        }
    }
    return NULL;
}

static void *take_fresh(struct tclk_slab *slab)
{
    uint32_t index = __atomic_load_n(&slab->fresh, __ATOMIC_RELAXED);
    while (index < TCLK_SLAB_MAX) {
        char *memory = ensure_chunk(slab, chunk_of(index));
        if (memory == NULL) {
            return NULL;
        }
        if (__atomic_compare_exchange_n(&slab->fresh, &index, index + 1u, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
            return slot_in(slab, memory, index);
        }
    }
    return NULL;
}

void *tclk_slab_take(struct tclk_slab *slab)
{
    void *slot = take_free(slab);
    return slot != NULL ? slot : take_fresh(slab);
}

bool tclk_slab_is_dry(const struct tclk_slab *slab)
{
    uint32_t index = __atomic_load_n(&slab->fresh, __ATOMIC_RELAXED);
    if ((uint32_t)__atomic_load_n(&slab->free_head, __ATOMIC_RELAXED) != 0) {
        return false;
    }
    return slab->is_refused || index >= TCLK_SLAB_MAX ||
           (tclk_slab_at(slab, index) == NULL && tclk_memory_is_refused(chunk_bytes(slab, chunk_of(index))));
}

uint32_t tclk_slab_index(const struct tclk_slab *slab, const void *of)
{
    const char *slot = of;
    for (unsigned k = 0; k < TCLK_SLAB_CHUNKS; k++) {
        const char *memory = __atomic_load_n(&slab->chunks[k], __ATOMIC_ACQUIRE);
        if (memory != NULL && slot >= memory && slot < memory + chunk_bytes(slab, k)) {
            return first_of(k) + (uint32_t)((size_t)(slot - memory) / slab->slot_bytes);
        }
    }
    return TCLK_SLAB_MAX;
}

void tclk_slab_give(struct tclk_slab *slab, void *slot)
{
    uint32_t index = tclk_slab_index(slab, slot);
    uint64_t head = __atomic_load_n(&slab->free_head, __ATOMIC_ACQUIRE);
    do {
        __atomic_store_n((uint32_t *)slot, (uint32_t)head, __ATOMIC_RELAXED);
    } while (!__atomic_compare_exchange_n(&slab->free_head, &head, head_of(head, index + 1u), false, __ATOMIC_ACQ_REL,
                                          __ATOMIC_ACQUIRE));
}

uint32_t tclk_slab_used(const struct tclk_slab *slab)
{
    return __atomic_load_n(&slab->fresh, __ATOMIC_ACQUIRE);
}

/* Clears the used slots only, because the untouched pages of a chunk cost no memory, and should stay untouched. The
 * kernel has cleared those of a pool that is wiped. */
void tclk_slab_reset(struct tclk_slab *slab)
{
    for (uint32_t i = 0; i < slab->fresh && !slab->wiped_on_fork; i++) {
        memset(slot_in(slab, slab->chunks[chunk_of(i)], i), 0, slab->slot_bytes);
    }
    slab->free_head = 0;
    slab->fresh = 0;
}
