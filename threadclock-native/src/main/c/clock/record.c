/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/record.h"

#include "clock/bout.h"
#include "clock/epoch.h"
#include "clock/sampler.h"
#include "include/threadclock.h"
#include "kernel/probe.h"
#include "kernel/slab.h"
#include "kernel/tid.h"

#include <stddef.h>
#include <string.h>

/* Wiped on fork: a child's threads must never extrapolate from the parent's anchors, not even in a
 * child that libc does not know of. Where the kernel cannot do that, nothing is extrapolated. */
static struct tclk_slab records = {.slot_bytes = sizeof(struct tclk_record), .wiped_on_fork = true};

/* What ended threads had counted, and the first resyncs of all. */
static struct tclk_stats ended;

void tclk_record_disarm(struct tclk_record *record)
{
    __atomic_store_n(&record->anchor.window, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&record->counted_window, 0, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* What a record's words are at first differs from life to life, so that an exchange which someone has
 * begun in an earlier life of the slot fails: a number, and less than a microsecond. */
static uint64_t moment_of_next_life(void)
{
    static uint32_t lives;
    uint32_t life = __atomic_fetch_add(&lives, 1, __ATOMIC_RELAXED);
    uint32_t numbers = TCLK_MOMENT_NUMBER_MASK + 1;
    return tclk_moment_make(life / numbers & TCLK_LIFE_NS_MASK, life % numbers);
}

/* By whole words: somebody may still look at the life before. */
static void clear(struct tclk_record *record)
{
    typedef uint64_t __attribute__((may_alias)) word;
    word *words = (word *)record;
    for (size_t i = 0; i < sizeof *record / sizeof *words; i++) {
        __atomic_store_n(&words[i], 0, __ATOMIC_RELAXED);
    }
}

struct tclk_record *tclk_record_take(pid_t tid, enum tclk_hold hold)
{
    struct tclk_record *record = tclk_slab_take(&records);
    if (record == NULL) {
        return NULL;
    }
    clear(record);
    tclk_epoch_forget(record);
    uint64_t moment = moment_of_next_life();
    __atomic_store_n(&record->floor, moment, __ATOMIC_RELAXED);
    __atomic_store_n(&record->frontier.moment, moment, __ATOMIC_RELAXED);
    __atomic_store_n(&record->frontier.user, TCLK_FRONTIER_FREE, __ATOMIC_RELAXED);
    /* There is no line yet: its number must not be the one that the first will have. */
    __atomic_store_n(&record->anchor.moment, moment, __ATOMIC_RELAXED);
    __atomic_store_n(&record->holder, tclk_holder_make(tid, hold), __ATOMIC_RELEASE);
    return record;
}

void tclk_record_claim(struct tclk_record *record)
{
    record->counter_refused = !tclk_probe_counter_is_enabled();
    __atomic_store_n(&record->holder, tclk_holder_make(tclk_tid_own(), TCLK_HOLD_OWNER),
                     __ATOMIC_RELEASE);
}

uint32_t tclk_record_index(const struct tclk_record *record)
{
    return tclk_slab_index(&records, record);
}

struct tclk_record *tclk_record_at(uint32_t index)
{
    return index < tclk_slab_used(&records) ? tclk_slab_at(&records, index) : NULL;
}

uint32_t tclk_record_used(void)
{
    return tclk_slab_used(&records);
}

bool tclk_record_is_wiped(const struct tclk_record *record)
{
    return tclk_slab_is_wiped(&records, record);
}

bool tclk_record_is_strangers(const struct tclk_record *record)
{
    return !tclk_record_is_wiped(record) && tclk_record_tid(record) != tclk_tid_own();
}

bool tclk_record_pool_is_wiped(void)
{
    struct tclk_record *record = tclk_slab_take(&records);
    bool is_wiped = record != NULL && tclk_record_is_wiped(record);
    if (record != NULL) {
        tclk_slab_give(&records, record);
    }
    return is_wiped;
}

bool tclk_record_pool_is_dry(void)
{
    return tclk_slab_is_dry(&records);
}

static void add(uint64_t *to, const uint64_t *from)
{
    __atomic_fetch_add(to, __atomic_load_n(from, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

static void add_record(struct tclk_stats *to, const struct tclk_record *record)
{
    uint64_t lost = __atomic_load_n(&record->lost, __ATOMIC_RELAXED);
    add(&to->reads, &record->reads);
    add(&to->resyncs_switch, &record->resyncs[TCLK_RESYNC_SWITCH]);
    add(&to->resyncs_window, &record->resyncs[TCLK_RESYNC_WINDOW]);
    add(&to->resyncs_ahead, &record->resyncs[TCLK_RESYNC_AHEAD]);
    add(&to->resyncs_overlap, &record->resyncs[TCLK_RESYNC_OVERLAP]);
    add(&to->resyncs_unarmed, &record->resyncs[TCLK_RESYNC_UNARMED]);
    add(&to->lost, &lost);
}

void tclk_record_count_resync(struct tclk_record *record, enum tclk_resync_cause cause)
{
    if (cause == TCLK_RESYNC_FIRST) {
        __atomic_fetch_add(&ended.resyncs_first, 1, __ATOMIC_RELAXED);
    } else {
        tclk_record_count(&record->resyncs[cause]);
    }
}

static void add_ended(struct tclk_stats *to)
{
    add(&to->reads, &ended.reads);
    add(&to->resyncs_first, &ended.resyncs_first);
    add(&to->resyncs_switch, &ended.resyncs_switch);
    add(&to->resyncs_window, &ended.resyncs_window);
    add(&to->resyncs_ahead, &ended.resyncs_ahead);
    add(&to->resyncs_overlap, &ended.resyncs_overlap);
    add(&to->resyncs_unarmed, &ended.resyncs_unarmed);
    add(&to->lost, &ended.lost);
}

/* Counted twice if a signal handler asks for the sum right here: it is told so in threadclock.h. */
static void move_counts_to_ended(struct tclk_record *record)
{
    add_record(&ended, record);
    __atomic_store_n(&record->reads, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&record->lost, 0, __ATOMIC_RELAXED);
    for (int cause = 0; cause < TCLK_RESYNC_CAUSES; cause++) {
        __atomic_store_n(&record->resyncs[cause], 0, __ATOMIC_RELAXED);
    }
}

static void free_pages(struct tclk_record *record)
{
    tclk_record_disarm(record);
    tclk_sampler_retire(record);
    tclk_bout_retire(record);
    struct tclk_perf_page *page = record->page;
    if (page != NULL) {
        record->page = NULL;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        tclk_perf_page_unmap(page);
    }
}

void tclk_record_retire(struct tclk_record *record)
{
    free_pages(record);
    if (record->area != NULL) {
        record->area = NULL;
        tclk_rseq_area_release();
    }
    move_counts_to_ended(record);
}

void tclk_record_retire_for(struct tclk_record *record)
{
    free_pages(record);
    if (record->area != NULL) {
        tclk_rseq_area_recover(record->area);
        record->area = NULL;
    }
    move_counts_to_ended(record);
}

/* Exchanges that others have begun fail from here on. */
static void turn_frontier(struct tclk_record *record)
{
    struct tclk_frontier from;
    do {
        from = tclk_frontier_load(&record->frontier);
    } while (!tclk_frontier_exchange(&record->frontier, from,
                                     tclk_frontier_turn(from, (struct tclk_point){0, 0}, true)));
}

void tclk_record_give(struct tclk_record *record)
{
    __atomic_store_n(&record->holder, tclk_holder_make(0, TCLK_HOLD_NOBODY), __ATOMIC_RELEASE);
    turn_frontier(record);
    tclk_slab_give(&records, record);
}

void tclk_record_forget_all(void)
{
    memset(&ended, 0, sizeof ended);
    tclk_slab_reset(&records);
    tclk_sampler_forget_all();
    tclk_bout_forget_all();
}

void tclk_record_sum(struct tclk_stats *stats)
{
    struct tclk_stats sum = {0};
    add_ended(&sum);
    for (uint32_t i = 0; i < tclk_slab_used(&records); i++) {
        const struct tclk_record *record = tclk_slab_at(&records, i);
        enum tclk_hold hold = record == NULL ? TCLK_HOLD_NOBODY : tclk_record_hold(record);
        if (hold == TCLK_HOLD_OWNER) {
            add_record(&sum, record);
            sum.threads_suspected += tclk_doubt_is_suspected(&record->doubt);
            sum.threads_unsampled += tclk_doubt_is_unsampled(&record->doubt);
        }
        sum.threads += hold == TCLK_HOLD_OWNER;
        sum.threads_observed += tclk_hold_is_observers(hold);
    }
    *stats = sum;
}
