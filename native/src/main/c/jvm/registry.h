/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_REGISTRY_H
#define TCLK_JVM_REGISTRY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Maps a Java thread id to the tid, and to a word by which the caller can check that the thread still lives (in the
 * JVM, a weak reference to the java.lang.Thread).
 *
 * A fixed table: an entry lies in one of 16 slots from the id's home on. If all are taken, the thread is not
 * registered, which makes reading it slow, but never wrong. Ids are never used again, and a thread keeps its tid;
 * therefore two entries of one id are equal, and every entry is right. Whether its thread still lives is not known
 * here.
 *
 * No locks. A slot is claimed, filled, and published by storing the id. A thread that reads the rest holds the slot
 * meanwhile (a count). The last thread that releases a forgotten entry empties the slot, and only then drops its word.
 * Looking up is wait-free.
 *
 * Not for a child of fork(), whose threads are not the ones listed here. (Such a child of a JVM cannot run Java.)
 */
#define TCLK_REGISTRY_SLOTS 32768u
#define TCLK_REGISTRY_PROBES 16u

struct tclk_registry_slot {
    int64_t thread_id; /* Java thread id; 0 = free, -1 = being filled or emptied */
    uint32_t holds;    /* number of threads that read this slot now, and two flags */
    pid_t tid;
    int64_t alive_at_ns; /* CLOCK_BOOTTIME at which the tid was certainly this thread's */
    void *word;
};

_Static_assert(sizeof(struct tclk_registry_slot) == 32, "two slots a cache line");

struct tclk_registry {
    struct tclk_registry_slot *slots; /* TCLK_REGISTRY_SLOTS slots, all bytes 0 at first */
    uint32_t used;
    /* Disposes of an entry's word. `context` is that of the call that drops it. */
    void (*drop)(void *context, void *word);
};

/* An entry that is held: it cannot be emptied, though other threads may forget it. */
struct tclk_registry_entry {
    struct tclk_registry_slot *slot;
    int64_t thread_id;
    pid_t tid;
    int64_t alive_at_ns;
    void *word;
};

/* Registers a thread. False: no slot is free, and the word is still the caller's. */
bool tclk_registry_add(struct tclk_registry *registry, int64_t thread_id, pid_t tid, int64_t alive_at_ns, void *word);

/* Whether there is an entry of that id now. */
bool tclk_registry_has(const struct tclk_registry *registry, int64_t thread_id);

/* Holds the entry of that id, or the entry in the slot of that index, until it is released. False: there is none,
 * and nothing is held. */
bool tclk_registry_hold(struct tclk_registry *registry, void *context, int64_t thread_id,
                        struct tclk_registry_entry *entry);
bool tclk_registry_hold_slot(struct tclk_registry *registry, void *context, uint32_t index,
                             struct tclk_registry_entry *entry);

/* Forgets the entry of an ended thread, so that nobody finds it any more. It is still held. */
void tclk_registry_forget(const struct tclk_registry_entry *entry);

void tclk_registry_let_go(struct tclk_registry *registry, void *context, const struct tclk_registry_entry *entry);

/* The index of the first slot in which an id can be. */
static inline uint32_t tclk_registry_home(int64_t thread_id)
{
    return (uint32_t)thread_id % TCLK_REGISTRY_SLOTS;
}

/* Reads the slot of that index without holding it, for callers that may not drop words. False: it is empty, or being
 * changed. */
bool tclk_registry_peek(const struct tclk_registry *registry, uint32_t index, int64_t *thread_id, pid_t *tid,
                        int64_t *alive_at_ns);

/* The number of slots that are taken. */
uint32_t tclk_registry_used(const struct tclk_registry *registry);

#endif
