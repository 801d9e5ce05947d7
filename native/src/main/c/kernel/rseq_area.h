/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_RSEQ_AREA_H
#define TCLK_KERNEL_RSEQ_AREA_H

/*
 * Restartable sequences (rseq(2), since Linux 4.18).
 *
 * A thread registers a 32-byte area. Its field rseq_cs may point to a descriptor of a critical
 * section. When the kernel switches the thread out, migrates it or delivers a signal to it, it looks
 * at that descriptor on the way back to user mode, and clears the field if the thread was not inside
 * the section. A descriptor of an empty section is therefore a marker that vanishes with the next
 * switch. That holds up to Linux 6.18; since 6.19 a switch inside a system call leaves it alone.
 *
 * The kernel kills the process if rseq_cs points to memory that it cannot read, or if the word before the abort address
 * is not the signature of the registration. Therefore the descriptor, the abort address and the signature live in one
 * read-only anonymous page that is never unmapped, and never in this library's image.
 *
 * The kernel also writes ids to the area that say where the thread runs: CPU, NUMA node, concurrency id. Since Linux
 * 7.0.10 it does so after every switch, wherever that happened, if the area has 32 bytes. It did so up to 6.18, and
 * tcmalloc needs it. Therefore a node_id that no machine has is a marker, too. A program may not change the ids of a
 * longer area: the kernel writes them only when they change, and kills a program that has changed them. With rseq
 * debugging on (the boot parameter rseq_debug=1, or debugfs) this is true of all areas.
 */

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__x86_64__)
#define TCLK_RSEQ_SIGNATURE UINT32_C(0x53053053) /* glibc's, since 2.35 */
#elif defined(__aarch64__)
#define TCLK_RSEQ_SIGNATURE UINT32_C(0xd428bc00) /* glibc's: brk #0x45e0 */
#endif

#define TCLK_RSEQ_AREA_BYTES 32 /* the length that every kernel since 4.18 accepts */

/* The first 32 bytes of struct rseq of linux/rseq.h. The kernel writes all fields except rseq_cs. */
struct tclk_rseq_area {
    uint32_t cpu_id_start;
    uint32_t cpu_id; /* as int32: < 0 while the area is not registered */
    uint64_t rseq_cs;
    uint64_t flags_and_node_id; /* node_id, the upper half, since 6.3 */
    uint32_t mm_cid;            /* since 6.3 */
    uint32_t padding;
};

_Static_assert(sizeof(struct tclk_rseq_area) == TCLK_RSEQ_AREA_BYTES, "as the kernel has it");
_Static_assert(offsetof(struct tclk_rseq_area, rseq_cs) == 8, "as the kernel has it");

/* The first Linux 7.x on which the self-test of the ids can be trusted. On aarch64, rseq missed preemption of user
 * code before 7.1 and 7.0.14. The ids did not miss it on 7.0.10, but the self-test sleeps, and would not show it if
 * they did. */
#if defined(__x86_64__)
#define TCLK_RSEQ_IDS_MINOR 0
#elif defined(__aarch64__)
#define TCLK_RSEQ_IDS_MINOR 1
#endif

/* The marker among the ids: no flags, and a node that no machine has. */
#define TCLK_RSEQ_NO_NODE (UINT64_C(0x74636c6b) << 32)

/* Finds libc's area, if libc has one, and maps the descriptor. Once, from the library's constructor:
 * dlsym(3) is not async-signal-safe. */
void tclk_rseq_setup(void);

/* The value to store in rseq_cs, or 0 if the descriptor could not be mapped. */
uint64_t tclk_rseq_descriptor(void);

/* Finds the calling thread's area: libc's, else one of our own, which is registered now if it was not yet. Returns
 * 0; -ENOSYS (no rseq in this kernel); -EINVAL, -EPERM, -EBUSY (other code has registered an area for this thread,
 * and it must be left alone); -ENOMEM; or an error of kernel/filter.h. *area is untouched on error.
 * Async-signal-safe. */
int tclk_rseq_area_of_thread(struct tclk_rseq_area **area);

/* As tclk_rseq_area_of_thread(), but never libc's area, because other code may use the ids in that. Also returns
 * -EBUSY if libc has registered this thread. */
int tclk_rseq_own_area_of_thread(struct tclk_rseq_area **area);

/* A value that says where the thread was when the kernel last wrote its ids. If two such values are equal, no id has
 * changed, so that only a switch or a signal made the kernel write again in between. */
uint64_t tclk_rseq_place(const struct tclk_rseq_area *area);

/* True if libc registers an area for every thread. */
bool tclk_rseq_is_libcs(void);

/* Gives an area of our own back when the thread ends. Does nothing for libc's area. */
void tclk_rseq_area_release(void);

/* Gives back the area of a thread that has ended without tclk_rseq_area_release(). The kernel no longer writes to
 * it. */
void tclk_rseq_area_release_ended(struct tclk_rseq_area *area);

#endif
