/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/rseq_area.h"

#include "kernel/filter.h"
#include "kernel/slab.h"

#include <dlfcn.h>
#include <errno.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef SYS_rseq
#if defined(__x86_64__)
#define SYS_rseq 334
#elif defined(__aarch64__)
#define SYS_rseq 293
#endif
#endif

#define RSEQ_UNREGISTER 1
#define PAGE_BYTES 4096
#define SLOT_BYTES 64 /* keeps the 32-byte areas of two threads off one cache line */

/* struct rseq_cs of linux/rseq.h. */
struct descriptor {
    uint32_t version;
    uint32_t flags;
    uint64_t start_ip;
    uint64_t post_commit_offset; /* 0: the section is empty, so no thread is ever inside */
    uint64_t abort_ip;
} __attribute__((aligned(32)));

/* Everything that the kernel reads through rseq_cs, in one page. */
struct descriptor_page {
    struct descriptor descriptor;
    uint32_t padding[7];
    uint32_t signature; /* the word before abort_ip */
    uint32_t abort_target;
};

static struct descriptor_page *descriptor_page;

static const ptrdiff_t *libc_offset;
static const unsigned *libc_size;

/* Slots of threads that libc does not register. Not wiped on fork: the kernel keeps writing to the
 * forking thread's area in the child, at the same address. */
static struct tclk_slab own_areas = {.slot_bytes = SLOT_BYTES, .wiped_on_fork = false};

/* This is not a part of the thread's record, because it must survive a fork, and records must not. */
static _Thread_local struct tclk_rseq_area *own_area;

static struct descriptor_page *map_descriptor(void)
{
    struct descriptor_page *page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED) {
        return NULL;
    }
    page->signature = TCLK_RSEQ_SIGNATURE;
    page->descriptor.start_ip = (uint64_t)(uintptr_t)page;
    page->descriptor.abort_ip = (uint64_t)(uintptr_t)&page->abort_target;
    if (mprotect(page, PAGE_BYTES, PROT_READ) != 0) {
        munmap(page, PAGE_BYTES);
        return NULL;
    }
    return page;
}

void tclk_rseq_setup(void)
{
    libc_offset = dlsym(RTLD_DEFAULT, "__rseq_offset");
    libc_size = dlsym(RTLD_DEFAULT, "__rseq_size");
    descriptor_page = map_descriptor();
}

uint64_t tclk_rseq_descriptor(void)
{
    return (uint64_t)(uintptr_t)descriptor_page;
}

static char *thread_pointer(void)
{
#if defined(__x86_64__)
    char *pointer;
    __asm__("mov %%fs:0, %0" : "=r"(pointer));
    return pointer;
#else
    return __builtin_thread_pointer();
#endif
}

static bool is_registered(const struct tclk_rseq_area *area)
{
    return (int32_t)__atomic_load_n(&area->cpu_id, __ATOMIC_RELAXED) >= 0;
}

bool tclk_rseq_is_libcs(void)
{
    return libc_offset != NULL && libc_size != NULL && *libc_size != 0;
}

static long rseq_call(struct tclk_rseq_area *area, int flags)
{
    return syscall(SYS_rseq, area, TCLK_RSEQ_AREA_BYTES, flags, TCLK_RSEQ_SIGNATURE);
}

static void try_rseq_call(void)
{
    struct tclk_rseq_area area __attribute__((aligned(32))) = {.cpu_id = UINT32_MAX};
    rseq_call(&area, 0);
}

static int permit_rseq_call(void)
{
    static struct tclk_guarded guarded = {.call = try_rseq_call};
    return tclk_filter_permit(&guarded);
}

static int register_own(struct tclk_rseq_area **area)
{
    int permitted = permit_rseq_call();
    if (permitted != 0) {
        return permitted;
    }
    struct tclk_rseq_area *mine = tclk_slab_take(&own_areas);
    if (mine == NULL) {
        return -ENOMEM;
    }
    *mine = (struct tclk_rseq_area){.cpu_id = UINT32_MAX};
    if (rseq_call(mine, 0) != 0) {
        int error = -errno;
        tclk_slab_give(&own_areas, mine);
        return error;
    }
    own_area = mine;
    *area = mine;
    return 0;
}

/* Returns NULL if libc has not registered this thread. */
static struct tclk_rseq_area *libcs_area(void)
{
    if (!tclk_rseq_is_libcs()) {
        return NULL;
    }
    struct tclk_rseq_area *area = (void *)(thread_pointer() + *libc_offset);
    return is_registered(area) ? area : NULL;
}

int tclk_rseq_own_area_of_thread(struct tclk_rseq_area **area)
{
    if (own_area != NULL) {
        *area = own_area;
        return 0;
    }
    return libcs_area() != NULL ? -EBUSY : register_own(area);
}

int tclk_rseq_area_of_thread(struct tclk_rseq_area **area)
{
    struct tclk_rseq_area *libcs = own_area == NULL ? libcs_area() : NULL;
    if (libcs == NULL) {
        return tclk_rseq_own_area_of_thread(area);
    }
    *area = libcs;
    return 0;
}

uint64_t tclk_rseq_place(const struct tclk_rseq_area *area)
{
    uint64_t cpu = __atomic_load_n(&area->cpu_id, __ATOMIC_RELAXED);
    return cpu << 32 | __atomic_load_n(&area->mm_cid, __ATOMIC_RELAXED);
}

/* A slot that the kernel refuses to unregister never returns to the pool, because the kernel may still write to it.
 * The same applies to the slot of a thread whose new seccomp filter kills for rseq(2). */
void tclk_rseq_area_release(void)
{
    struct tclk_rseq_area *mine = own_area;
    own_area = NULL;
    if (mine != NULL && permit_rseq_call() == 0 && rseq_call(mine, RSEQ_UNREGISTER) == 0) {
        tclk_slab_give(&own_areas, mine);
    }
}

void tclk_rseq_area_release_ended(struct tclk_rseq_area *area)
{
    if (tclk_slab_index(&own_areas, area) != TCLK_SLAB_MAX) {
        tclk_slab_give(&own_areas, area);
    }
}
