/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/registry.h"

#define CLAIMED INT64_C(-1)

/* A flag in `holds`, above the count. */
#define FORGOTTEN (1u << 31)
#define EMPTYING (1u << 30)

static struct tclk_registry_slot *slot_of(struct tclk_registry *registry, uint32_t index)
{
    return &registry->slots[index % TCLK_REGISTRY_SLOTS];
}

static int64_t id_in(const struct tclk_registry_slot *slot)
{
    return __atomic_load_n(&slot->thread_id, __ATOMIC_ACQUIRE);
}

/* ---- adding ---- */

static bool claim(struct tclk_registry_slot *slot)
{
    int64_t none = 0;
    return id_in(slot) == 0 &&
           __atomic_compare_exchange_n(&slot->thread_id, &none, CLAIMED, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

bool tclk_registry_add(struct tclk_registry *registry, int64_t thread_id, pid_t tid, int64_t alive_at_ns, void *word)
{
    uint32_t home = tclk_registry_home(thread_id);
    for (uint32_t i = 0; i < TCLK_REGISTRY_PROBES; i++) {
        struct tclk_registry_slot *slot = slot_of(registry, home + i);
        if (claim(slot)) {
            __atomic_store_n(&slot->tid, tid, __ATOMIC_RELEASE);
            __atomic_store_n(&slot->alive_at_ns, alive_at_ns, __ATOMIC_RELEASE);
            slot->word = word;
            __atomic_store_n(&slot->thread_id, thread_id, __ATOMIC_RELEASE);
            __atomic_fetch_add(&registry->used, 1u, __ATOMIC_RELAXED);
            return true;
        }
    }
    return false;
}

/* ---- holding ---- */

/* Only one thread empties an entry, because the flag is set by an exchange. A thread that tries to hold the slot
 * meanwhile sees the flags, later another id, and leaves; its count is kept. */
static void empty(struct tclk_registry *registry, void *context, struct tclk_registry_slot *slot)
{
    void *word = slot->word;
    slot->word = NULL;
    __atomic_fetch_and(&slot->holds, ~(FORGOTTEN | EMPTYING), __ATOMIC_ACQ_REL);
    __atomic_store_n(&slot->thread_id, 0, __ATOMIC_RELEASE);
    __atomic_fetch_sub(&registry->used, 1u, __ATOMIC_RELAXED);
    registry->drop(context, word);
}

static void release(struct tclk_registry *registry, void *context, struct tclk_registry_slot *slot)
{
    uint32_t unheld = FORGOTTEN;
    if (__atomic_sub_fetch(&slot->holds, 1u, __ATOMIC_ACQ_REL) == FORGOTTEN &&
        __atomic_compare_exchange_n(&slot->holds, &unheld, FORGOTTEN | EMPTYING, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
        empty(registry, context, slot);
    }
}

/* Checks the id again once the slot is held, because from then on it cannot change unnoticed. */
static bool hold(struct tclk_registry *registry, void *context, struct tclk_registry_slot *slot, int64_t thread_id,
                 struct tclk_registry_entry *entry)
{
    uint32_t before = __atomic_fetch_add(&slot->holds, 1u, __ATOMIC_ACQ_REL);
    if ((before & FORGOTTEN) != 0 || id_in(slot) != thread_id) {
        release(registry, context, slot);
        return false;
    }
    *entry = (struct tclk_registry_entry){slot, thread_id, slot->tid, slot->alive_at_ns, slot->word};
    return true;
}

bool tclk_registry_hold(struct tclk_registry *registry, void *context, int64_t thread_id,
                        struct tclk_registry_entry *entry)
{
    uint32_t home = tclk_registry_home(thread_id);
    for (uint32_t i = 0; i < TCLK_REGISTRY_PROBES; i++) {
        struct tclk_registry_slot *slot = slot_of(registry, home + i);
        if (id_in(slot) == thread_id && hold(registry, context, slot, thread_id, entry)) {
            return true;
        }
    }
    return false;
}

bool tclk_registry_hold_slot(struct tclk_registry *registry, void *context, uint32_t index,
                             struct tclk_registry_entry *entry)
{
    struct tclk_registry_slot *slot = slot_of(registry, index);
    int64_t thread_id = id_in(slot);
    return thread_id > 0 && hold(registry, context, slot, thread_id, entry);
}

void tclk_registry_let_go(struct tclk_registry *registry, void *context, const struct tclk_registry_entry *entry)
{
    release(registry, context, entry->slot);
}

/* The thread that replaces the id is the one that forgets the entry. */
void tclk_registry_forget(const struct tclk_registry_entry *entry)
{
    int64_t thread_id = entry->thread_id;
    if (__atomic_compare_exchange_n(&entry->slot->thread_id, &thread_id, CLAIMED, false, __ATOMIC_ACQ_REL,
                                    __ATOMIC_RELAXED)) {
        __atomic_fetch_or(&entry->slot->holds, FORGOTTEN, __ATOMIC_ACQ_REL);
    }
}

/* ---- looking up ---- */

bool tclk_registry_has(const struct tclk_registry *registry, int64_t thread_id)
{
    uint32_t home = tclk_registry_home(thread_id);
    for (uint32_t i = 0; i < TCLK_REGISTRY_PROBES; i++) {
        if (id_in(&registry->slots[(home + i) % TCLK_REGISTRY_SLOTS]) == thread_id) {
            return true;
        }
    }
    return false;
}

/* A thread that sees the tid of a later entry also sees that the id has changed. */
bool tclk_registry_peek(const struct tclk_registry *registry, uint32_t index, int64_t *thread_id, pid_t *tid,
                        int64_t *alive_at_ns)
{
    const struct tclk_registry_slot *slot = &registry->slots[index];
    int64_t id = id_in(slot);
    if (id <= 0) {
        return false;
    }
    pid_t its_tid = __atomic_load_n(&slot->tid, __ATOMIC_ACQUIRE);
    int64_t its_alive_at_ns = __atomic_load_n(&slot->alive_at_ns, __ATOMIC_ACQUIRE);
    if (id_in(slot) != id) {
        return false;
    }
    *thread_id = id;
    *tid = its_tid;
    *alive_at_ns = its_alive_at_ns;
    return true;
}

uint32_t tclk_registry_used(const struct tclk_registry *registry)
{
    return __atomic_load_n(&registry->used, __ATOMIC_RELAXED);
}
