/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the pool of records and areas. */

#include "kernel/slab.h"

#include "real.h"

#define SLOT_BYTES 128

static bool is_zero(const void *slot)
{
    static const char zeroes[SLOT_BYTES];
    return memcmp(slot, zeroes, SLOT_BYTES) == 0;
}

static struct tclk_slab new_slab(bool wiped)
{
    return (struct tclk_slab){.slot_bytes = SLOT_BYTES, .wiped_on_fork = wiped};
}

/* ---- one thread ---- */

/* Three chunks and some of a fourth. */
#define MANY (TCLK_SLAB_FIRST * 7 + 10)

static void gives_distinct_zeroed_slots(void)
{
    struct tclk_slab slab = new_slab(false);
    unsigned char *slots[MANY];
    int64_t wrong = 0;
    for (unsigned i = 0; i < MANY; i++) {
        slots[i] = tclk_slab_take(&slab);
        wrong += slots[i] == NULL || !is_zero(slots[i]) || (uintptr_t)slots[i] % 64 != 0;
        memset(slots[i], (int)(i % 255) + 1, SLOT_BYTES);
    }
    is_ns(wrong, 0, "each of %u slots comes zeroed, on a cache line's boundary", MANY);
    for (unsigned i = 0; i < MANY; i++) {
        wrong += slots[i][0] != i % 255 + 1 || slots[i][SLOT_BYTES - 1] != i % 255 + 1;
    }
    is_ns(wrong, 0, "no two of them share a byte");
    is_ns(tclk_slab_used(&slab), MANY, "as many are in use");
}

static void finds_slots_by_index(void)
{
    struct tclk_slab slab = new_slab(false);
    int64_t wrong = 0;
    for (uint32_t i = 0; i < MANY; i++) {
        void *slot = tclk_slab_take(&slab);
        wrong += tclk_slab_at(&slab, i) != slot;
    }
    is_ns(wrong, 0, "slots are found again by the order in which they were taken");
    ok(slab.chunks[3] != NULL && slab.chunks[4] == NULL, "no chunk is mapped before it is needed");
    ok(tclk_slab_at(&slab, TCLK_SLAB_FIRST * 15) == NULL, "a slot that is not mapped does not exist");
}

static void gives_back_what_was_given(void)
{
    struct tclk_slab slab = new_slab(false);
    void *first = tclk_slab_take(&slab);
    void *second = tclk_slab_take(&slab);
    memset(first, 0x77, SLOT_BYTES);
    tclk_slab_give(&slab, first);
    tclk_slab_give(&slab, second);
    ok(tclk_slab_take(&slab) == second, "the slot given last is taken first");
    char *again = tclk_slab_take(&slab);
    ok(again == first, "then the one before");
    ok(again[4] == 0x77 && again[SLOT_BYTES - 1] == 0x77, "as it was, but for its first 4 bytes");
    is_ns(tclk_slab_used(&slab), 2, "no fresh slot was needed");
}

static void ends_somewhere(void)
{
    struct tclk_slab slab = new_slab(false);
    uint32_t taken = 0;
    while (tclk_slab_take(&slab) != NULL) {
        taken++;
    }
    is_ns(taken, TCLK_SLAB_MAX, "the greatest possible number of slots can be taken");
    ok(tclk_slab_take(&slab) == NULL, "no slot can be taken after that");
    void *last = tclk_slab_at(&slab, TCLK_SLAB_MAX - 1);
    tclk_slab_give(&slab, last);
    ok(tclk_slab_take(&slab) == last, "a slot that was given back can be taken");
}

static void starts_anew(bool wiped)
{
    struct tclk_slab slab = new_slab(wiped);
    int64_t wrong = 0;
    for (unsigned i = 0; i < MANY; i++) {
        void *slot = tclk_slab_take(&slab);
        if (!wiped) { /* the kernel has wiped the others */
            memset(slot, 0x77, SLOT_BYTES);
        }
    }
    tclk_slab_give(&slab, tclk_slab_at(&slab, 5));
    tclk_slab_reset(&slab);
    is_ns(tclk_slab_used(&slab), 0, "after a reset no slot is in use");
    for (unsigned i = 0; i < MANY; i++) {
        void *slot = tclk_slab_take(&slab);
        wrong += slot != tclk_slab_at(&slab, i) || !is_zero(slot);
    }
    is_ns(wrong, 0, "and all of them come zeroed and in order again");
}

/* ---- fork ---- */

static struct tclk_slab wiped = {.slot_bytes = SLOT_BYTES, .wiped_on_fork = true};
static struct tclk_slab kept = {.slot_bytes = SLOT_BYTES, .wiped_on_fork = false};
static char *wiped_slots[MANY];
static char *kept_slot;

static void is_wiped_here(void)
{
    int64_t wrong = 0;
    for (unsigned i = 0; i < MANY; i++) {
        wrong += !is_zero(wiped_slots[i]);
    }
    is_ns(wrong, 0, "a child sees every slot zeroed, in all chunks");
    ok(kept_slot[8] == 0x77, "and those of a pool that is not to be wiped as they were");
}

static void is_wiped_on_fork(void)
{
    if (skips(!process_is_wiped_on_fork(), "a child sees every slot zeroed", WIPING_MISSING)) {
        return;
    }
    kept_slot = tclk_slab_take(&kept);
    memset(kept_slot, 0x77, SLOT_BYTES);
    for (unsigned i = 0; i < MANY; i++) {
        wiped_slots[i] = tclk_slab_take(&wiped);
        if (skips(wiped_slots[i] == NULL, "a child sees every slot zeroed", "MADV_WIPEONFORK (Linux 4.14)")) {
            return;
        }
        memset(wiped_slots[i], 0x77, SLOT_BYTES);
    }
    in_child(is_wiped_here);
    in_child_of(process_clone, is_wiped_here);
    ok(wiped_slots[0][0] == 0x77 && wiped_slots[MANY - 1][0] == 0x77, "its parent keeps what is in them");
}

static void gives_none_that_is_not_wiped(void)
{
    struct tclk_slab slab = new_slab(true);
    static const char sentence[] = "a pool that the kernel cannot wipe gives no slots";
    if (!skips(!seccomp_refuse(SYS_madvise, EINVAL), sentence, SECCOMP_MISSING)) {
        ok(tclk_slab_take(&slab) == NULL && tclk_slab_is_dry(&slab), "%s", sentence);
    }
}

static void needs_memory(void)
{
    struct tclk_slab slab = new_slab(true);
    if (!skips(!seccomp_refuse(SYS_mmap, ENOMEM), "without memory there is no slot", SECCOMP_MISSING)) {
        ok(tclk_slab_take(&slab) == NULL, "without memory there is no slot");
    }
}

/* ---- many threads ---- */

#define THREADS 8
#define ROUNDS 200000
#define HELD 5

static uint64_t owners[THREADS] = {1, 2, 3, 4, 5, 6, 7, 8};
static struct tclk_slab shared = {.slot_bytes = SLOT_BYTES};
static int64_t shared_slots_seen;

struct slot {
    uint32_t next; /* the pool's */
    uint32_t padding;
    uint64_t owner;
};

static void hold(struct slot *slot, uint64_t owner)
{
    uint64_t nobody = 0;
    if (slot == NULL ||
        !__atomic_compare_exchange_n(&slot->owner, &nobody, owner, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED)) {
        __atomic_fetch_add(&shared_slots_seen, 1, __ATOMIC_RELAXED);
    }
}

static void let_go(struct slot *slot)
{
    if (slot != NULL) {
        __atomic_store_n(&slot->owner, 0, __ATOMIC_RELEASE);
        tclk_slab_give(&shared, slot);
    }
}

/* Takes some slots and gives them back in the same order, so that the free list is shuffled. A thread that is
 * switched out between two loads of a take meets a list that others have changed and changed back. */
static void *take_and_give(void *part)
{
    uint64_t owner = *(uint64_t *)part;
    struct slot *held[HELD] = {NULL};
    for (int i = 0; i < kind_rounds(ROUNDS); i++) {
        int n = i % HELD + 1;
        for (int k = 0; k < n; k++) {
            held[k] = tclk_slab_take(&shared);
            hold(held[k], owner);
        }
        for (int k = 0; k < n; k++) {
            let_go(held[k]);
        }
    }
    return NULL;
}

static void never_gives_one_slot_twice(void)
{
    in_threads(THREADS, take_and_give, owners, sizeof owners[0]);
    is_ns(shared_slots_seen, 0, "%d threads that take and give never share a slot", THREADS);
    ok(tclk_slab_used(&shared) <= THREADS * HELD, "the threads use no more slots than they hold at a time");
}

/* ---- a signal handler ---- */

#define HANDLER_TRY_NS (300 * MS)
#define HANDLED_ENOUGH 100
#define HANDLER_PERIOD_US 50
#define HANDLER UINT64_MAX

static struct slot *handlers_slot;
static volatile int64_t handled;

/* Takes the two slots that the interrupted take has just seen, and gives the first one back. The list then begins
 * with the same slot as before, but goes on with another. */
static void take_two_keep_one(int number)
{
    (void)number;
    struct slot *first = tclk_slab_take(&shared);
    struct slot *second = tclk_slab_take(&shared);
    hold(first, HANDLER);
    hold(second, HANDLER);
    let_go(handlers_slot);
    let_go(first);
    handlers_slot = second;
    handled++;
}

static void is_safe_in_handlers(void)
{
    int64_t start_ns = wall_ns();
    int64_t spent_ns = 0;
    shared_slots_seen = 0;
    set_alarms(HANDLER_PERIOD_US, take_two_keep_one);
    while (spent_ns < HANDLER_TRY_NS || handled <= HANDLED_ENOUGH) {
        for (uint64_t i = 1; i < 1000; i++) {
            struct slot *slot = tclk_slab_take(&shared);
            hold(slot, i);
            let_go(slot);
        }
        spent_ns = wall_ns() - start_ns;
    }
    set_alarms(0, SIG_IGN);
    is_ns(shared_slots_seen, 0, "nor does a thread with its own signal handler");
    ok(handled > HANDLED_ENOUGH, "the signal handler ran in between");
    diag("%" PRId64 " times", handled);
}

/* ---- growing ---- */

/* All threads begin with an empty pool, so that several map each chunk at once. */
#define GROWTH_POOLS 200
#define GROWTH_SLOTS 200

static struct tclk_slab growing[GROWTH_POOLS];
static pthread_barrier_t together;

static void *grow(void *owner)
{
    for (int pool = 0; pool < GROWTH_POOLS; pool++) {
        pthread_barrier_wait(&together);
        for (int i = 0; i < GROWTH_SLOTS; i++) {
            hold(tclk_slab_take(&growing[pool]), *(uint64_t *)owner);
        }
    }
    return NULL;
}

/* The number of taken slots that are found by their indices. */
static uint32_t slots_found(const struct tclk_slab *slab)
{
    uint32_t found = 0;
    for (uint32_t i = 0; i < tclk_slab_used(slab); i++) {
        const struct slot *slot = tclk_slab_at(slab, i);
        found += slot != NULL && slot->owner != 0;
    }
    return found;
}

/* Each pool is new: a signal that comes while its first chunk is mapped finds none yet. */
#define HANDLER_POOLS 5000

static struct tclk_slab fresh[HANDLER_POOLS];
static struct tclk_slab *volatile current;

static void take_from_current(int number)
{
    (void)number;
    hold(tclk_slab_take(current), HANDLER);
    handled++;
}

static void grows_in_handlers(void)
{
    uint32_t found = 0;
    handled = 0;
    for (int i = 0; i < HANDLER_POOLS; i++) {
        fresh[i].slot_bytes = SLOT_BYTES;
    }
    current = &fresh[0];
    set_alarms(HANDLER_PERIOD_US, take_from_current);
    for (int i = 0; i < HANDLER_POOLS; i++) {
        current = &fresh[i];
        hold(tclk_slab_take(current), 1);
    }
    set_alarms(0, SIG_IGN);
    for (int i = 0; i < HANDLER_POOLS; i++) {
        found += slots_found(&fresh[i]);
    }
    is_ns(shared_slots_seen, 0, "nor do a thread and its handler");
    is_ns(found, HANDLER_POOLS + handled, "the slots of the handler are found as well");
}

static void grows_under_many_hands(void)
{
    uint32_t found = 0;
    pthread_barrier_init(&together, NULL, THREADS);
    for (int i = 0; i < GROWTH_POOLS; i++) {
        growing[i].slot_bytes = SLOT_BYTES;
    }
    in_threads(THREADS, grow, owners, sizeof owners[0]);
    for (int i = 0; i < GROWTH_POOLS; i++) {
        found += slots_found(&growing[i]);
    }
    is_ns(shared_slots_seen, 0, "nor do they while the pool grows");
    is_ns(found, GROWTH_POOLS * GROWTH_SLOTS * THREADS, "and all of them are found again");
}

int main(void)
{
    gives_distinct_zeroed_slots();
    finds_slots_by_index();
    gives_back_what_was_given();
    ends_somewhere();
    starts_anew(false);
    starts_anew(true);
    is_wiped_on_fork();
    in_child(gives_none_that_is_not_wiped);
    in_child(needs_memory);
    never_gives_one_slot_twice();
    is_safe_in_handlers();
    grows_under_many_hands();
    grows_in_handlers();
    return done();
}
