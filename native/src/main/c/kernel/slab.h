/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_SLAB_H
#define TCLK_KERNEL_SLAB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * A pool of equal slots in mappings of its own, which are never unmapped, so the contents of a slot outlive the thread
 * that used it. Taking and giving back are lock-free and async-signal-safe; the pool grows by mmap(2). A slot is zeroed
 * when it is first taken; later it has the contents with which it was given back.
 *
 * Chunk k holds FIRST << k slots, so a program with few threads maps little, and mlockall(2) pins little.
 */
#define TCLK_SLAB_FIRST 64u
#define TCLK_SLAB_CHUNKS 12u

/* 262 080 slots: more threads than pid_max's default allows for. */
#define TCLK_SLAB_MAX (TCLK_SLAB_FIRST * ((1u << TCLK_SLAB_CHUNKS) - 1u))

struct tclk_slab {
    size_t slot_bytes;  /* a multiple of 64 */
    bool wiped_on_fork; /* a child process sees zeroes */
    bool is_refused;    /* the kernel cannot do that, and the pool gives no slots */
    char *chunks[TCLK_SLAB_CHUNKS];
    uint64_t free_head; /* count of changes << 32 | index + 1 of the first free slot, 0 = none */
    uint32_t fresh;     /* all slots below this index were handed out at least once */
};

/* Returns a slot, or NULL if there is no memory, or none that is wiped on fork, or TCLK_SLAB_MAX slots are in use. */
void *tclk_slab_take(struct tclk_slab *slab);

/* True if tclk_slab_take() would return NULL without asking the kernel. */
bool tclk_slab_is_dry(const struct tclk_slab *slab);

/* From now on the slot may be handed to any thread. Its first 4 bytes are overwritten. */
void tclk_slab_give(struct tclk_slab *slab, void *slot);

/* The number of slots that were ever handed out; tclk_slab_at() takes indices below it. */
uint32_t tclk_slab_used(const struct tclk_slab *slab);

/* The slot with an index, or NULL while its chunk is being mapped. */
void *tclk_slab_at(const struct tclk_slab *slab, uint32_t index);

/* The index of a slot. */
uint32_t tclk_slab_index(const struct tclk_slab *slab, const void *of);

/* Frees and zeroes every slot in a child of fork(), before a second thread exists. */
void tclk_slab_reset(struct tclk_slab *slab);

#endif
