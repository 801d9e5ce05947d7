/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_VIRTUAL_POOLS_H
#define TCLK_SERVE_VIRTUAL_POOLS_H

#include "clock/thread.h"
#include "include/threadclock.h"
#include "serve/protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The times of the measured virtual threads of this process, ended ones included, summed by the pools of their names.
 *
 * Each carrier has a page of its own, and each reading of its clock at the begin or the end of a segment books the time
 * since the one before: to the pool of the thread that was mounted, or to the carrier's rest. Therefore the sums of all
 * pools and the rest are the carriers' CPU time since the first measured segment of each, whatever becomes of the
 * threads. A page outlives its carrier, with its sums, and belongs to the next one.
 *
 * Only the carrier writes its page, with no lock and no atomic exchange. A sequence, which is odd while it books, lets
 * others read what is booked together with what is still open.
 *
 * There are at most TCLK_POOLS_MAX pools. Threads whose pool came too late, by name, belong to one pool of all others.
 */
#define TCLK_POOLS_MAX 256u

enum {
    TCLK_POOL_REST = 0, /* of carriers, between segments; also threads that are not known */
    TCLK_POOL_UNNAMED = 1,
    TCLK_POOL_FIRST_NAMED = 2,
    TCLK_POOL_OTHERS = TCLK_POOLS_MAX - 1,
};

/* The argument `next` of tclk_carrier_read() is the pool that the reading opens, and these bits. */
enum {
    TCLK_POOL_MASK = TCLK_POOLS_MAX - 1,
    TCLK_THREAD_BEGINS = 1 << 8, /* it is the first mount of the thread */
    TCLK_THREAD_ENDS = 1 << 9,   /* the thread that was mounted has ended */
};

#define TCLK_POOL_NAME_BYTES TCLK_REPLY_POOL_NAME

struct tclk_pool_sum {
    int64_t cpu_ns;
    int64_t user_ns;
    uint64_t mounts; /* 0 for the rest */
    uint64_t begun;
    uint64_t ended;
};

/* The part of a page that Java sees: NativeCarrierClock.java has the offsets. */
struct tclk_carrier {
    struct tclk_times last; /* the last reading */
    int64_t tid;            /* 0: the page belongs to nobody */
};

struct tclk_carrier_page {
    uint32_t link;     /* tclk_slab_give() writes here */
    uint32_t sequence; /* odd while the carrier books */
    struct tclk_carrier carrier;
    uint32_t open; /* the pool to which the time since `last` belongs */
    struct tclk_pool_sum sums[TCLK_POOLS_MAX];
};

/* ---- for carriers ---- */

/* Returns the page of the calling thread, which is a carrier; NULL: there is no memory. It has it until it ends. */
struct tclk_carrier *tclk_carrier_enter(void);

/* Takes the page from the calling thread, if it has one. */
void tclk_carrier_leave(void);

/* Returns the index of the pool with this name, in UTF-8, which is cut if it is too long. TCLK_POOL_OTHERS: there are
 * too many. Thread-safe; takes a lock. */
uint32_t tclk_pool_named(const char *name);

static inline void tclk_pool_add(void *sum, int64_t ns)
{
    int64_t *to = sum;
    __atomic_store_n(to, *to + ns, __ATOMIC_RELAXED);
}

/* Books the time up to `now` to the pool that is open, and opens another one. */
static inline void tclk_carrier_book(struct tclk_carrier *carrier, struct tclk_times now, uint32_t next)
{
    void *start = (char *)carrier - offsetof(struct tclk_carrier_page, carrier);
    struct tclk_carrier_page *page = start;
    uint32_t sequence = page->sequence;
    struct tclk_pool_sum *was = &page->sums[page->open];
    struct tclk_pool_sum *is = &page->sums[next & TCLK_POOL_MASK];
    __atomic_store_n(&page->sequence, sequence + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    tclk_pool_add(&was->cpu_ns, now.cpu_ns - carrier->last.cpu_ns);
    tclk_pool_add(&was->user_ns, now.user_ns - carrier->last.user_ns);
    if (next > TCLK_POOL_MASK) { /* rare, if threads are mounted often */
        tclk_pool_add(&was->ended, (next & TCLK_THREAD_ENDS) != 0);
        tclk_pool_add(&is->begun, (next & TCLK_THREAD_BEGINS) != 0);
    }
    if ((next & TCLK_POOL_MASK) != TCLK_POOL_REST) {
        tclk_pool_add(&is->mounts, 1);
    }
    __atomic_store_n(&page->open, next & TCLK_POOL_MASK, __ATOMIC_RELAXED);
    __atomic_store_n(&carrier->last.cpu_ns, now.cpu_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&carrier->last.user_ns, now.user_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&page->sequence, sequence + 2, __ATOMIC_RELEASE);
}

/* Reads the calling carrier's clock, and books. Returns 0 or as tclk_thread_read(). */
static inline int tclk_carrier_read(struct tclk_carrier *carrier, uint32_t next)
{
    struct tclk_times now;
    int error = tclk_thread_read(&now);
    if (error == 0) {
        tclk_carrier_book(carrier, now, next);
    }
    return error;
}

/* ---- for the server ---- */

struct tclk_pool_total {
    int64_t cpu_ns;
    int64_t user_ns;
    uint64_t mounts;
    uint64_t begun;
    uint64_t threads; /* begun, and not ended */
};

/* All zeroes at first. Only one thread may use it. */
struct tclk_virtual_pools {
    bool any; /* a carrier has had a measured thread */
    struct tclk_pool_total totals[TCLK_POOLS_MAX];
};

/* Writes a carrier's last known CPU and user time. False: it is not known. An update asks for each carrier that lives.
 */
typedef bool (*tclk_times_of)(void *context, pid_t tid, int64_t *cpu_ns, int64_t *user_ns);

/* Sums up. No total falls, or rises by more user time than CPU time. The segment that is open on a carrier counts up to
 * the carrier's time by `times_of`. Thread-safe against carriers; no system call. */
void tclk_virtual_pools_update(struct tclk_virtual_pools *pools, tclk_times_of times_of, void *context);

/* Copies a pool's name, padded with zeroes; "" for those that have none. False: there is no such pool (yet). */
bool tclk_pool_name(uint32_t pool, char name[TCLK_POOL_NAME_BYTES]);

#endif
