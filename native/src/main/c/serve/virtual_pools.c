/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/virtual_pools.h"

#include "kernel/slab.h"
#include "kernel/tid.h"

#include <pthread.h>
#include <string.h>

/* A carrier that was switched out while it books does not hold up the server for longer. */
#define TRIES 100

#define PAGE_BYTES ((sizeof(struct tclk_carrier_page) + 63) / 64 * 64)

static struct tclk_slab pages = {.slot_bytes = PAGE_BYTES};

/* ---- pages ---- */

static pthread_once_t once = PTHREAD_ONCE_INIT;
static pthread_key_t key;
static bool has_key;

static void change_owner(struct tclk_carrier_page *page, pid_t tid, struct tclk_times now)
{
    uint32_t sequence = page->sequence;
    __atomic_store_n(&page->sequence, sequence + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&page->open, TCLK_POOL_REST, __ATOMIC_RELAXED);
    __atomic_store_n(&page->carrier.last.cpu_ns, now.cpu_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&page->carrier.last.user_ns, now.user_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&page->carrier.tid, tid, __ATOMIC_RELAXED);
    __atomic_store_n(&page->sequence, sequence + 2, __ATOMIC_RELEASE);
}

static void give(void *of)
{
    struct tclk_carrier_page *page = of;
    change_owner(page, 0, (struct tclk_times){0});
    tclk_slab_give(&pages, page);
}

static void make_key(void)
{
    has_key = pthread_key_create(&key, give) == 0;
}

/* Time before the first segment is nobody's: other carriers' time is not known, either, before they have one. */
static void begin(struct tclk_carrier_page *page)
{
    struct tclk_times now = {0};
    tclk_thread_read(&now);
    change_owner(page, tclk_tid_own(), now);
}

static struct tclk_carrier_page *take(void)
{
    struct tclk_carrier_page *page = tclk_slab_take(&pages);
    if (page == NULL) {
        return NULL;
    }
    if (pthread_setspecific(key, page) != 0) {
        tclk_slab_give(&pages, page);
        return NULL;
    }
    begin(page);
    return page;
}

struct tclk_carrier *tclk_carrier_enter(void)
{
    pthread_once(&once, make_key);
    struct tclk_carrier_page *page = has_key ? pthread_getspecific(key) : NULL;
    if (page == NULL && has_key) {
        page = take();
    }
    return page == NULL ? NULL : &page->carrier;
}

void tclk_carrier_leave(void)
{
    struct tclk_carrier_page *page = has_key ? pthread_getspecific(key) : NULL;
    if (page != NULL) {
        pthread_setspecific(key, NULL);
        give(page);
    }
}

/* ---- names ---- */

static pthread_mutex_t naming = PTHREAD_MUTEX_INITIALIZER;
static char names[TCLK_POOLS_MAX][TCLK_POOL_NAME_BYTES];
static uint32_t named = TCLK_POOL_FIRST_NAMED; /* pools below this have their names */

/* Cuts between two characters, and pads with zeroes. */
static void cut(char to[TCLK_POOL_NAME_BYTES], const char *name)
{
    size_t length = strnlen(name, TCLK_POOL_NAME_BYTES);
    if (length == TCLK_POOL_NAME_BYTES) {
        for (length--; length > 0 && (name[length] & 0xc0) == 0x80; length--) {
        }
    }
    memset(to, 0, TCLK_POOL_NAME_BYTES);
    memcpy(to, name, length);
}

static uint32_t find_or_add(const char name[TCLK_POOL_NAME_BYTES])
{
    for (uint32_t i = TCLK_POOL_FIRST_NAMED; i < named; i++) {
        if (memcmp(names[i], name, TCLK_POOL_NAME_BYTES) == 0) {
            return i;
        }
    }
    if (named == TCLK_POOL_OTHERS) {
        return TCLK_POOL_OTHERS;
    }
    memcpy(names[named], name, TCLK_POOL_NAME_BYTES);
    __atomic_store_n(&named, named + 1, __ATOMIC_RELEASE);
    return named - 1;
}

uint32_t tclk_pool_named(const char *name)
{
    char whole[TCLK_POOL_NAME_BYTES];
    cut(whole, name);
    pthread_mutex_lock(&naming);
    uint32_t pool = find_or_add(whole);
    pthread_mutex_unlock(&naming);
    return pool;
}

bool tclk_pool_name(uint32_t pool, char name[TCLK_POOL_NAME_BYTES])
{
    bool is_named = pool < __atomic_load_n(&named, __ATOMIC_ACQUIRE);
    if (!is_named && pool != TCLK_POOL_OTHERS) {
        return false;
    }
    memcpy(name, names[pool], TCLK_POOL_NAME_BYTES);
    return true;
}

/* ---- sums ---- */

static int64_t load(const int64_t *ns)
{
    return __atomic_load_n(ns, __ATOMIC_RELAXED);
}

static uint64_t load_count(const uint64_t *count)
{
    return __atomic_load_n(count, __ATOMIC_RELAXED);
}

/* Loads the end before the begin, so that no thread seems to have ended that has not begun. */
static void add(struct tclk_pool_sum *to, const struct tclk_pool_sum *from)
{
    to->ended += load_count(&from->ended);
    to->user_ns += load(&from->user_ns);
    to->cpu_ns += load(&from->cpu_ns);
    to->mounts += load_count(&from->mounts);
    to->begun += load_count(&from->begun);
}

/* The pool that is open, what it has been booked, whose carrier's it is, and where the open time begins. */
struct open {
    uint32_t pool;
    struct tclk_pool_sum booked;
    pid_t tid;
    int64_t cpu_ns;
    int64_t user_ns;
};

/* Copies all of them at one moment. */
static bool copy_open(const struct tclk_carrier_page *page, struct open *open)
{
    for (int tries = 0; tries < TRIES; tries++) {
        uint32_t sequence = __atomic_load_n(&page->sequence, __ATOMIC_ACQUIRE);
        *open = (struct open){.pool = __atomic_load_n(&page->open, __ATOMIC_RELAXED)};
        add(&open->booked, &page->sums[open->pool]);
        open->tid = (pid_t)load(&page->carrier.tid);
        open->cpu_ns = load(&page->carrier.last.cpu_ns);
        open->user_ns = load(&page->carrier.last.user_ns);
        __atomic_thread_fence(__ATOMIC_ACQUIRE);
        if (sequence % 2 == 0 && __atomic_load_n(&page->sequence, __ATOMIC_RELAXED) == sequence) {
            return true;
        }
    }
    return false;
}

/* The carrier's time may be older than the begin of the open segment. */
static void add_open(struct tclk_pool_sum *to, const struct open *open, tclk_times_of times_of, void *context)
{
    int64_t cpu_ns;
    int64_t user_ns;
    if (open->tid != 0 && times_of(context, open->tid, &cpu_ns, &user_ns) && cpu_ns > open->cpu_ns) {
        to->cpu_ns += cpu_ns - open->cpu_ns;
        to->user_ns += user_ns > open->user_ns ? user_ns - open->user_ns : 0;
    }
}

/* While the carrier books all the time, its open time is left out, and comes with a later update. */
static void add_page(struct tclk_pool_sum sums[TCLK_POOLS_MAX], const struct tclk_carrier_page *page, uint32_t count,
                     tclk_times_of times_of, void *context)
{
    struct open open;
    bool is_copied = copy_open(page, &open);
    for (uint32_t i = 0; i < count; i++) {
        uint32_t pool = i == count - 1 ? TCLK_POOL_OTHERS : i;
        add(&sums[pool], is_copied && pool == open.pool ? &open.booked : &page->sums[pool]);
    }
    if (is_copied) {
        add_open(&sums[open.pool], &open, times_of, context);
    }
}

static void raise(struct tclk_pool_total *total, const struct tclk_pool_sum *sum)
{
    int64_t cpu_ns = sum->cpu_ns > total->cpu_ns ? sum->cpu_ns : total->cpu_ns;
    int64_t most_ns = total->user_ns + (cpu_ns - total->cpu_ns);
    int64_t user_ns = sum->user_ns > total->user_ns ? sum->user_ns : total->user_ns;
    total->user_ns = user_ns < most_ns ? user_ns : most_ns;
    total->cpu_ns = cpu_ns;
    total->mounts = sum->mounts > total->mounts ? sum->mounts : total->mounts;
    total->begun = sum->begun > total->begun ? sum->begun : total->begun;
    total->threads = sum->begun > sum->ended ? sum->begun - sum->ended : 0;
}

void tclk_virtual_pools_update(struct tclk_virtual_pools *pools, tclk_times_of times_of, void *context)
{
    struct tclk_pool_sum sums[TCLK_POOLS_MAX];
    uint32_t used = tclk_slab_used(&pages);
    uint32_t count = __atomic_load_n(&named, __ATOMIC_ACQUIRE) + 1; /* and all others */
    if (used == 0) {
        return;
    }
    memset(sums, 0, sizeof sums);
    for (uint32_t i = 0; i < used; i++) {
        const struct tclk_carrier_page *page = tclk_slab_at(&pages, i);
        if (page != NULL) {
            add_page(sums, page, count, times_of, context);
        }
    }
    for (uint32_t i = 0; i < TCLK_POOLS_MAX; i++) {
        raise(&pools->totals[i], &sums[i]);
    }
    pools->any = true;
}
