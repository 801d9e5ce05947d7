/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/record.h"

#include "clock/origin.h"
#include "include/threadclock.h"
#include "kernel/clockid.h"
#include "kernel/memory.h"
#include "kernel/probe.h"
#include "kernel/slab.h"
#include "kernel/tid.h"

#include <stddef.h>
#include <string.h>

/* Records are wiped on fork, because a child's threads must never extrapolate from the parent's anchors, not even in
 * a child that libc does not know of. */
static struct tclk_slab records = {.slot_bytes = sizeof(struct tclk_record), .wiped_on_fork = true};

/* The counts of ended threads, and the first resyncs of all threads. */
static struct tclk_stats ended;

void tclk_record_disarm(struct tclk_record *record)
{
    __atomic_store_n(&record->anchor.window, 0, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

void tclk_record_arm(struct tclk_record *record, uint32_t window)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&record->anchor.window, window, __ATOMIC_RELAXED);
}

/* ---- lines, for other threads ---- */

/* Another thread that sees the new value sees all that was stored before it, and nothing that is stored after it. A
 * handler of this thread sees the value in the same order. */
void tclk_record_set_writing(struct tclk_record *record, enum tclk_writing writing)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&record->writing, (uint8_t)writing, __ATOMIC_RELEASE);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* Other threads read these words, so each is stored and loaded as a whole. */
#define STORE(word, value) __atomic_store_n(&(word), value, __ATOMIC_RELAXED)
#define LOAD(word) __atomic_load_n(&(word), __ATOMIC_RELAXED)

struct tclk_line tclk_record_keep_line(struct tclk_record *record)
{
    STORE(record->previous.moment, record->anchor.moment);
    STORE(record->previous.user_ns, record->anchor.user_ns);
    STORE(record->previous.rate, record->anchor.rate);
    STORE(record->previous.reach_ns, record->reach_ns);
    return tclk_record_line(record);
}

void tclk_record_set_anchor(struct tclk_record *record, const struct tclk_anchor *anchor, uint32_t reach_ns)
{
    STORE(record->anchor.moment, anchor->moment);
    STORE(record->anchor.user_ns, anchor->user_ns);
    STORE(record->anchor.rate, anchor->rate);
    STORE(record->reach_ns, reach_ns);
    record->anchor.counter = anchor->counter;
    record->anchor.scale = anchor->scale;
    record->anchor.marker = anchor->marker;
    record->anchor.armed = anchor->armed;
}

/* A record without an anchor has generation 0. */
void tclk_record_count_generation(struct tclk_record *record)
{
    STORE(record->generation, record->generation + 1 != 0 ? record->generation + 1 : 1);
}

static uint64_t copy_anchors(const struct tclk_record *record, struct tclk_line *line)
{
    uint64_t moment = LOAD(record->anchor.moment);
    line->start = (struct tclk_point){tclk_moment_cpu_ns(moment), LOAD(record->anchor.user_ns)};
    line->rate = LOAD(record->anchor.rate);
    line->reach_ns = LOAD(record->reach_ns);
    return tclk_moment_number(moment);
}

static uint64_t copy_previous(const struct tclk_record *record, struct tclk_line *line)
{
    uint64_t moment = LOAD(record->previous.moment);
    line->start = (struct tclk_point){tclk_moment_cpu_ns(moment), LOAD(record->previous.user_ns)};
    line->rate = LOAD(record->previous.rate);
    line->reach_ns = LOAD(record->previous.reach_ns);
    return tclk_moment_number(moment);
}

struct tclk_line tclk_record_line(const struct tclk_record *record)
{
    struct tclk_line line;
    copy_anchors(record, &line);
    return line;
}

bool tclk_record_find_line(const struct tclk_record *record, uint64_t number, struct tclk_line *line)
{
    /* Load the generation first. If it is equal at the end, `writing` belongs to the same resync. */
    uint32_t generation = tclk_record_generation(record);
    uint32_t writing = __atomic_load_n(&record->writing, __ATOMIC_ACQUIRE);
    bool is_replacing = writing == TCLK_WRITING_ANCHOR;
    uint64_t found = is_replacing ? copy_previous(record, line) : copy_anchors(record, line);
    if (is_replacing && found != number) {
        found = copy_anchors(record, line);
    }
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    /* The owner raises the generation before it resets `writing`; therefore check `writing` last. */
    return __atomic_load_n(&record->writing, __ATOMIC_ACQUIRE) == writing && LOAD(record->generation) == generation &&
           found == number;
}

/* ---- the last times that were told ---- */

void tclk_record_set_state(struct tclk_record *record, int64_t cpu_ns)
{
    uint64_t state;
    uint64_t now;
    do {
        state = tclk_record_state(record);
        uint64_t number = tclk_frontier_number(tclk_record_frontier(record));
        bool is_newer = number != tclk_moment_number(state) || tclk_moment_cpu_ns(state) < cpu_ns;
        now = is_newer ? tclk_moment_make(cpu_ns, number) : state;
    } while (!tclk_moment_exchange_own(&record->state, state, now));
}

void tclk_record_renew_floor(struct tclk_record *record, uint64_t moment)
{
    uint64_t floor = tclk_record_floor(record);
    uint64_t renewed;
    do {
        int64_t floor_ns = tclk_moment_cpu_ns(floor);
        int64_t start_ns = tclk_moment_cpu_ns(moment);
        renewed = tclk_moment_make(floor_ns > start_ns ? floor_ns : start_ns, tclk_moment_number(moment));
    } while (!tclk_moment_exchange(&record->floor, &floor, renewed));
}

/* Loads the floor first: if the record changes hands after the check, the exchange fails. */
bool tclk_record_raise_floor(struct tclk_record *record, pid_t tid, int64_t cpu_ns)
{
    uint64_t floor;
    do {
        floor = tclk_record_floor(record);
        if (tclk_record_hold_of(record, tid) == TCLK_HOLD_NOBODY) {
            return false;
        }
        if (tclk_moment_cpu_ns(floor) >= cpu_ns) {
            return true;
        }
    } while (!tclk_moment_exchange(&record->floor, &floor, tclk_moment_make(cpu_ns, tclk_moment_number(floor))));
    return true;
}

/* ---- the pool ---- */

/* The initial words of a record differ each time its slot is taken, in the number and by less than a microsecond.
 * Therefore an exchange that somebody began in an earlier life of the slot fails. */
static uint64_t moment_of_next_life(void)
{
    static uint32_t lives;
    uint32_t life = __atomic_fetch_add(&lives, 1, __ATOMIC_RELAXED);
    uint32_t numbers = TCLK_MOMENT_NUMBER_MASK + 1;
    return tclk_moment_make(life / numbers & TCLK_LIFE_NS_MASK, life % numbers);
}

/* Clears whole words, because another thread may still read the record of the thread before. */
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
    tclk_origin_forget(tclk_record_index(record));
    uint64_t moment = moment_of_next_life();
    tclk_moment_begin(&record->floor, moment);
    tclk_frontier_begin(&record->frontier, moment);
    /* There is no line yet, and the number must not be the one that the first line will have. */
    tclk_moment_begin(&record->anchor.moment, moment);
    tclk_holder_set(&record->holder, tclk_holder_make(tid, hold));
    return record;
}

void tclk_record_own(struct tclk_record *record)
{
    record->own.counter_refused = !tclk_probe_counter_is_enabled();
    tclk_holder_set(&record->holder, tclk_holder_make(tclk_tid_own(), TCLK_HOLD_OWNER));
}

uint32_t tclk_record_index(const struct tclk_record *record)
{
    return tclk_slab_index(&records, record);
}

struct tclk_point tclk_record_origin(const struct tclk_record *record)
{
    return tclk_origin_at(tclk_record_index(record));
}

struct tclk_record *tclk_record_at(uint32_t index)
{
    return index < tclk_slab_used(&records) ? tclk_slab_at(&records, index) : NULL;
}

uint32_t tclk_record_used(void)
{
    return tclk_slab_used(&records);
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
    uint64_t lost = __atomic_load_n(&record->own.lost, __ATOMIC_RELAXED);
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

void tclk_record_count_lost(struct tclk_own_detectors *own)
{
    __atomic_fetch_add(&own->lost, 1u, __ATOMIC_RELAXED);
}

uint32_t tclk_record_resyncs(const struct tclk_record *record)
{
    uint64_t sum = 0;
    for (int cause = 0; cause < TCLK_RESYNC_CAUSES; cause++) {
        sum += record->resyncs[cause];
    }
    return (uint32_t)sum;
}

static void add_ended(struct tclk_stats *to)
{
    add(&to->resyncs_first, &ended.resyncs_first);
    add(&to->resyncs_switch, &ended.resyncs_switch);
    add(&to->resyncs_window, &ended.resyncs_window);
    add(&to->resyncs_ahead, &ended.resyncs_ahead);
    add(&to->resyncs_overlap, &ended.resyncs_overlap);
    add(&to->resyncs_unarmed, &ended.resyncs_unarmed);
    add(&to->lost, &ended.lost);
}

/* If a signal handler asks for the sum during this move, it counts some twice; threadclock.h says so. */
static void move_counts_to_ended(struct tclk_record *record)
{
    add_record(&ended, record);
    __atomic_store_n(&record->own.lost, 0, __ATOMIC_RELAXED);
    for (int cause = 0; cause < TCLK_RESYNC_CAUSES; cause++) {
        __atomic_store_n(&record->resyncs[cause], 0, __ATOMIC_RELAXED);
    }
}

static void free_page(struct tclk_record *record)
{
    tclk_record_disarm(record);
    struct tclk_perf_page *page = record->own.page;
    if (page != NULL) {
        record->own.page = NULL;
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        tclk_perf_page_unmap(page);
    }
}

void tclk_record_detach(struct tclk_record *record)
{
    free_page(record);
    if (record->own.area != NULL) {
        record->own.area = NULL;
        tclk_rseq_area_release();
    }
    move_counts_to_ended(record);
}

void tclk_record_detach_ended(struct tclk_record *record)
{
    free_page(record);
    if (record->own.area != NULL) {
        tclk_rseq_area_release_ended(record->own.area);
        record->own.area = NULL;
    }
    move_counts_to_ended(record);
}

/* From here on, exchanges that other threads have begun fail. */
static void turn_frontier(struct tclk_record *record)
{
    struct tclk_frontier from;
    do {
        from = tclk_record_frontier(record);
    } while (
        !tclk_frontier_exchange(&record->frontier, from, tclk_frontier_turn(from, (struct tclk_point){0, 0}, true)));
}

void tclk_record_give(struct tclk_record *record)
{
    tclk_holder_set(&record->holder, tclk_holder_make(0, TCLK_HOLD_NOBODY));
    turn_frontier(record);
    tclk_slab_give(&records, record);
}

/* ---- the directory ---- */

#define PIECE_TIDS 4096u
#define PIECES (TCLK_TIDS / PIECE_TIDS)

/* For each tid, the index of its record + 1, or 0. */
static uint32_t *pieces[PIECES];

static bool is_tid(pid_t tid)
{
    return tid > 0 && (uint32_t)tid < TCLK_TIDS;
}

static uint32_t *present_place(pid_t tid)
{
    if (!is_tid(tid)) {
        return NULL;
    }
    uint32_t *piece = __atomic_load_n(&pieces[(uint32_t)tid / PIECE_TIDS], __ATOMIC_ACQUIRE);
    return piece == NULL ? NULL : piece + (uint32_t)tid % PIECE_TIDS;
}

/* Two threads may map the same piece; only one mapping is kept. */
static uint32_t *ensure_place(pid_t tid)
{
    uint32_t *place = present_place(tid);
    if (place != NULL || !is_tid(tid)) {
        return place;
    }
    uint32_t *none = NULL;
    uint32_t *piece = tclk_memory_map(PIECE_TIDS * sizeof *piece);
    if (piece == NULL) {
        return NULL;
    }
    bool is_wiped = tclk_memory_wipe_on_fork(piece, PIECE_TIDS * sizeof *piece);
    if (!is_wiped || !__atomic_compare_exchange_n(&pieces[(uint32_t)tid / PIECE_TIDS], &none, piece, false,
                                                  __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        tclk_memory_unmap(piece, PIECE_TIDS * sizeof *piece);
    }
    return present_place(tid);
}

struct tclk_record *tclk_record_find(pid_t tid)
{
    const uint32_t *place = present_place(tid);
    return place == NULL ? NULL : tclk_record_at(__atomic_load_n(place, __ATOMIC_ACQUIRE) - 1);
}

struct tclk_record *tclk_record_enter(struct tclk_record *record)
{
    uint32_t *place = ensure_place(tclk_record_tid(record));
    uint32_t entry = 0;
    if (place == NULL) {
        return NULL;
    }
    return __atomic_compare_exchange_n(place, &entry, tclk_record_index(record) + 1, false, __ATOMIC_SEQ_CST,
                                       __ATOMIC_ACQUIRE)
               ? record
               : tclk_record_at(entry - 1);
}

bool tclk_record_remove(struct tclk_record *record, pid_t tid)
{
    uint32_t *place = present_place(tid);
    uint32_t entry = tclk_record_index(record) + 1;
    return place != NULL && __atomic_compare_exchange_n(place, &entry, 0, false, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED);
}

/* The caller may have entered a record since the kernel has wiped the pages: in a handler of fork() that was called
 * before the library's. */
static void forget_entry(void)
{
    uint32_t *place = present_place(tclk_tid_own());
    if (place != NULL && *place != 0) { /* a page that is only read costs no memory */
        *place = 0;
    }
}

void tclk_record_after_fork(bool has_records)
{
    memset(&ended, 0, sizeof ended);
    tclk_slab_reset(&records);
    if (has_records) {
        forget_entry();
    }
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
            sum.threads_suspected += tclk_division_is_sampled(&record->division);
            sum.threads_unsampled += tclk_division_is_refused(&record->division);
        }
        sum.threads += hold == TCLK_HOLD_OWNER;
        sum.threads_observed += hold == TCLK_HOLD_OBSERVERS || hold == TCLK_HOLD_ENDED;
    }
    *stats = sum;
}
