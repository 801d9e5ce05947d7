/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/record.h"

#include "include/threadclock.h"
#include "kernel/probe.h"
#include "kernel/slab.h"
#include "kernel/tid.h"

#include <stddef.h>
#include <string.h>

/* Wiped on fork: a child's threads must never extrapolate from the parent's anchors, not even in a
 * child that libc does not know of. */
static struct tclk_slab records = {.slot_bytes = sizeof(struct tclk_record), .wiped_on_fork = true};

/* What ended threads had counted. */
static struct tclk_stats ended;

const struct tclk_anchor *tclk_record_line(const struct tclk_record *record, uint64_t state)
{
    bool is_old = record->writing == TCLK_WRITING_ANCHOR &&
                  tclk_moment_number(state) == tclk_moment_number(record->previous.moment);
    return is_old ? &record->previous : &record->anchor;
}

struct tclk_point tclk_record_last(const struct tclk_record *record, uint64_t state)
{
    int64_t cpu_ns = tclk_moment_cpu_ns(state);
    return (struct tclk_point){cpu_ns,
                               tclk_anchor_user_ns(tclk_record_line(record, state), cpu_ns)};
}

struct tclk_point tclk_record_commit(struct tclk_record *record, int64_t cpu_ns)
{
    for (;;) {
        uint64_t state = tclk_record_state(record);
        int64_t last_ns = tclk_moment_cpu_ns(state);
        int64_t now_ns = cpu_ns < last_ns ? last_ns : cpu_ns;
        int64_t user_ns = tclk_anchor_user_ns(tclk_record_line(record, state), now_ns);
        uint64_t now = tclk_moment_make(now_ns, tclk_moment_number(state));
        if (tclk_record_exchange(record, state, now)) {
            return (struct tclk_point){now_ns, user_ns};
        }
    }
}

void tclk_record_disarm(struct tclk_record *record)
{
    __atomic_store_n(&record->anchor.window, 0, __ATOMIC_RELAXED);
    __atomic_store_n(&record->counted_window, 0, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

struct tclk_record *tclk_record_take(void)
{
    struct tclk_record *record = tclk_slab_take(&records);
    if (record != NULL) {
        memset(record, 0, sizeof *record);
        tclk_record_claim(record);
    }
    return record;
}

void tclk_record_claim(struct tclk_record *record)
{
    record->counter_refused = !tclk_probe_counter_is_enabled();
    __atomic_store_n(&record->tid, tclk_tid_own(), __ATOMIC_RELEASE);
}

bool tclk_record_pool_works(void)
{
    void *slot = tclk_slab_take(&records);
    if (slot != NULL) {
        tclk_slab_give(&records, slot);
    }
    return slot != NULL;
}

static void add(uint64_t *to, const uint64_t *from)
{
    __atomic_fetch_add(to, __atomic_load_n(from, __ATOMIC_RELAXED), __ATOMIC_RELAXED);
}

static void add_record(struct tclk_stats *to, const struct tclk_record *record)
{
    uint64_t lost = __atomic_load_n(&record->lost, __ATOMIC_RELAXED);
    add(&to->reads, &record->reads);
    add(&to->resyncs_first, &record->resyncs[TCLK_RESYNC_FIRST]);
    add(&to->resyncs_switch, &record->resyncs[TCLK_RESYNC_SWITCH]);
    add(&to->resyncs_window, &record->resyncs[TCLK_RESYNC_WINDOW]);
    add(&to->resyncs_ahead, &record->resyncs[TCLK_RESYNC_AHEAD]);
    add(&to->resyncs_overlap, &record->resyncs[TCLK_RESYNC_OVERLAP]);
    add(&to->resyncs_unarmed, &record->resyncs[TCLK_RESYNC_UNARMED]);
    add(&to->lost, &lost);
}

void tclk_record_give(struct tclk_record *record)
{
    tclk_record_disarm(record);
    if (record->page != NULL) {
        tclk_perf_page_unmap(record->page);
        record->page = NULL;
    }
    if (record->area != NULL) {
        record->area = NULL;
        tclk_rseq_area_release();
    }
    __atomic_store_n(&record->tid, 0, __ATOMIC_RELEASE);
    add_record(&ended, record);
    tclk_slab_give(&records, record);
}

void tclk_record_forget_all(void)
{
    memset(&ended, 0, sizeof ended);
    tclk_slab_reset(&records);
}

void tclk_record_sum(struct tclk_stats *stats)
{
    struct tclk_stats sum = ended;
    for (uint32_t i = 0; i < tclk_slab_used(&records); i++) {
        const struct tclk_record *record = tclk_slab_at(&records, i);
        if (record != NULL && __atomic_load_n(&record->tid, __ATOMIC_ACQUIRE) != 0) {
            add_record(&sum, record);
            sum.threads++;
        }
    }
    *stats = sum;
}
