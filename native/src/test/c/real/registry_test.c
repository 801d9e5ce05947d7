/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the table of Java thread ids. Words are blocks of the heap, so that AddressSanitizer sees the use of one
 * that was dropped. */

#include "jvm/registry.h"
#include "real.h"

#define WRITERS 2
#define READERS 2
#define LOOKS 50000 /* of each reader */
#define IDS 40      /* ids of one neighbourhood, which get into each other's way */

static uint32_t dropped;

/* The word of an entry tells to which id it belongs. */
static int64_t *word_of(int64_t thread_id)
{
    int64_t *word = malloc(sizeof *word);
    if (word == NULL) {
        abort();
    }
    *word = thread_id;
    return word;
}

static void drop(void *context, void *word)
{
    (void)context;
    *(int64_t *)word = 0;
    free(word);
    __atomic_fetch_add(&dropped, 1u, __ATOMIC_RELAXED);
}

static struct tclk_registry_slot slots[TCLK_REGISTRY_SLOTS];
static struct tclk_registry registry = {.slots = slots, .drop = drop};

static bool add(int64_t thread_id)
{
    int64_t *word = word_of(thread_id);
    bool added = tclk_registry_add(&registry, thread_id, (pid_t)thread_id + 1, thread_id + 2, word);
    if (!added) {
        free(word);
    }
    return added;
}

static bool hold(int64_t thread_id, struct tclk_registry_entry *entry)
{
    return tclk_registry_hold(&registry, NULL, thread_id, entry);
}

static void let_go(const struct tclk_registry_entry *entry)
{
    tclk_registry_let_go(&registry, NULL, entry);
}

static bool is_found(int64_t thread_id)
{
    struct tclk_registry_entry entry;
    bool found = hold(thread_id, &entry);
    if (found) {
        let_go(&entry);
    }
    return found;
}

static void end(int64_t thread_id)
{
    struct tclk_registry_entry entry;
    while (hold(thread_id, &entry)) {
        tclk_registry_forget(&entry);
        let_go(&entry);
    }
}

static bool is_whole(const struct tclk_registry_entry *entry, int64_t thread_id)
{
    return entry->thread_id == thread_id && entry->tid == (pid_t)thread_id + 1 && entry->alive_at_ns == thread_id + 2 &&
           *(int64_t *)entry->word == thread_id;
}

/* ---- one thread at a time ---- */

static void what_is_added_is_found(void)
{
    struct tclk_registry_entry entry;
    add(7);
    bool found = hold(7, &entry);
    ok(found && is_whole(&entry, 7), "an entry is found with all that was added");
    ok(tclk_registry_has(&registry, 7) && !tclk_registry_has(&registry, 8) && !is_found(8),
       "an id that was not added is not found");
    let_go(&entry);
    end(7);
}

static void neighbours_share_their_slots(void)
{
    int64_t found = 0;
    for (int64_t i = 0; i < TCLK_REGISTRY_PROBES; i++) {
        add(5 + i * TCLK_REGISTRY_SLOTS);
    }
    for (int64_t i = 0; i < TCLK_REGISTRY_PROBES; i++) {
        found += is_found(5 + i * TCLK_REGISTRY_SLOTS);
    }
    is_ns(found, TCLK_REGISTRY_PROBES, "all ids of one home are found, as many as there are probes");
    ok(!add(5 + TCLK_REGISTRY_PROBES * (int64_t)TCLK_REGISTRY_SLOTS), "one more is refused");
    end(5 + 3 * (int64_t)TCLK_REGISTRY_SLOTS);
    ok(add(5 + TCLK_REGISTRY_PROBES * (int64_t)TCLK_REGISTRY_SLOTS), "and has room once another one has ended");
    for (int64_t i = 0; i <= TCLK_REGISTRY_PROBES; i++) {
        end(5 + i * TCLK_REGISTRY_SLOTS);
    }
}

static void the_last_slots_go_on_at_the_first(void)
{
    int64_t last = TCLK_REGISTRY_SLOTS - 1;
    add(last);
    add(last + TCLK_REGISTRY_SLOTS);
    ok(is_found(last) && is_found(last + TCLK_REGISTRY_SLOTS), "the table goes round");
    end(last);
    end(last + TCLK_REGISTRY_SLOTS);
}

static void an_ended_thread_is_not_found(void)
{
    struct tclk_registry_entry one;
    struct tclk_registry_entry other;
    add(9);
    uint32_t before = dropped;
    bool held = hold(9, &one) && hold(9, &other);
    tclk_registry_forget(&one);
    tclk_registry_forget(&other);
    let_go(&one);
    ok(held && !is_found(9) && dropped == before && is_whole(&other, 9),
       "a forgotten entry is not found, and stays whole for whoever holds it");
    let_go(&other);
    is_ns(dropped - before, 1, "its word is dropped once, when the last one lets go");
}

static void duplicates_all_go(void)
{
    add(11);
    add(11);
    end(11);
    ok(!is_found(11), "an id that was added twice is gone once all of it is forgotten");
}

static void all_slots_can_be_walked(void)
{
    struct tclk_registry_entry entry;
    int64_t sum = 0;
    add(100);
    add(20000);
    for (uint32_t i = 0; i < TCLK_REGISTRY_SLOTS; i++) {
        if (tclk_registry_hold_slot(&registry, NULL, i, &entry)) {
            sum += entry.thread_id;
            tclk_registry_forget(&entry);
            let_go(&entry);
        }
    }
    is_ns(sum, 20100, "a walk over the slots meets each entry once");
    is_ns(tclk_registry_used(&registry), 0, "no slot is taken when all have ended");
}

/* ---- many threads at a time ---- */

static uint64_t torn;

static int64_t id_number(unsigned number)
{
    return 1 + (int64_t)(number % IDS) * TCLK_REGISTRY_SLOTS / 2;
}

static void add_and_end(void *argument)
{
    unsigned *number = argument;
    *number = *number * 1103515245u + 12345u;
    add(id_number(*number >> 16));
    end(id_number(*number >> 8));
}

/* Each reader goes on until it has found this many, whatever the scheduler does. */
static void *look_up(void *unused)
{
    struct tclk_registry_entry entry;
    for (unsigned i = 0, found = 0; found < LOOKS; i++) {
        if (hold(id_number(i), &entry)) {
            found++;
            __atomic_fetch_add(&torn, !is_whole(&entry, id_number(i)), __ATOMIC_RELAXED);
            let_go(&entry);
        }
    }
    return unused;
}

static void all_may_happen_at_once(void)
{
    static unsigned seeds[WRITERS] = {1, 2};
    struct repeater writers[WRITERS];
    uint32_t before = dropped;
    for (unsigned i = 0; i < WRITERS; i++) {
        repeater_start(&writers[i], add_and_end, &seeds[i]);
    }
    in_threads(READERS, look_up, NULL, 0);
    for (unsigned i = 0; i < WRITERS; i++) {
        repeater_stop(&writers[i]);
    }
    for (unsigned i = 0; i < IDS; i++) {
        end(id_number(i));
    }
    diag("%u entries came and went meanwhile", dropped - before);
    is_ns(torn, 0, "an entry that is found while others come and go is whole, and of the wanted id");
    is_ns(tclk_registry_used(&registry), 0, "and every slot is given back");
}

/* ---- reading without holding ---- */

#define SLOTS_LOOKED_AT 64u

/* Ids are never used again. */
static void add_and_end_a_new_one(void *argument)
{
    int64_t *thread_id = argument;
    add(*thread_id);
    end(*thread_id);
    *thread_id += *thread_id % SLOTS_LOOKED_AT < 40 ? 1 : TCLK_REGISTRY_SLOTS - 40;
}

static void what_is_seen_without_holding_is_whole(void)
{
    uint64_t wrong = 0;
    int64_t next_id = 1;
    struct repeater writer;
    repeater_start(&writer, add_and_end_a_new_one, &next_id);
    for (unsigned i = 0, seen = 0; seen < LOOKS; i++) {
        int64_t thread_id;
        int64_t alive_at_ns;
        pid_t tid;
        if (tclk_registry_peek(&registry, i % SLOTS_LOOKED_AT, &thread_id, &tid, &alive_at_ns)) {
            seen++;
            wrong += tid != (pid_t)thread_id + 1 || alive_at_ns != thread_id + 2;
        }
    }
    repeater_stop(&writer);
    is_ns(wrong, 0, "a reader that does not hold an entry sees one thread's words");
}

int main(void)
{
    what_is_added_is_found();
    neighbours_share_their_slots();
    the_last_slots_go_on_at_the_first();
    an_ended_thread_is_not_found();
    duplicates_all_go();
    all_slots_can_be_walked();
    all_may_happen_at_once();
    what_is_seen_without_holding_is_whole();
    return done();
}
