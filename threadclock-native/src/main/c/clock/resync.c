/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/resync.h"

#include "clock/proof.h"
#include "clock/share.h"
#include "clock/source.h"
#include "clock/thread_detector.h"
#include "clock/watch.h"
#include "kernel/clockid.h"
#include "kernel/usage.h"

#include <stddef.h>

#define ATTEMPTS 3

/* Below that many ticks of its own a thread's share is not known, and the process's is taken. */
#define TICKS_NEEDED 3

struct measurement {
    struct tclk_detector detector;
    uint64_t generation; /* of the record, when the detector was armed */
    uint64_t armed;      /* the marker's value */
    uint64_t counter;    /* in the middle of the kernel's reading */
    int64_t cpu_ns;
    bool holds; /* the marker was still there afterwards */
};

/* What the kernel says of the split, if it was asked. */
struct split_look {
    bool taken;
    struct tclk_usage usage;
    uint32_t share;
    int64_t user_ns;
};

/* ---- why ---- */

/* What a resync starts from: the anchor that was in use, and a count at which it was looked at. */
struct retrospect {
    uint64_t generation;
    struct tclk_anchor anchor;
    uint32_t window;
    uint64_t counter; /* taken before the marker was looked at */
    enum tclk_resync_cause cause;
};

static enum tclk_resync_cause cause_of(const struct tclk_record *record,
                                       const struct retrospect *back)
{
    const struct tclk_anchor *anchor = &back->anchor;
    if (!tclk_anchor_is_marked(anchor)) {
        return TCLK_RESYNC_SWITCH;
    }
    struct tclk_count count = tclk_count_of(back->counter);
    if (!tclk_anchor_holds(anchor, count, back->window)) {
        return TCLK_RESYNC_WINDOW;
    }
    uint64_t now = anchor->moment + tclk_anchor_since_ns(anchor, count);
    return tclk_moment_follows(now, tclk_record_state(record)) ? TCLK_RESYNC_OVERLAP
                                                               : TCLK_RESYNC_AHEAD;
}

static struct retrospect look_back(const struct tclk_record *record)
{
    struct retrospect back = {.generation = record->generation};
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    back.anchor = record->anchor;
    back.window = back.anchor.window | record->counted_window;
    if (back.generation == 0 || back.window == 0) {
        back.cause = back.generation == 0 ? TCLK_RESYNC_FIRST : TCLK_RESYNC_UNARMED;
        return back;
    }
    back.counter = tclk_counter_read();
    back.cause = cause_of(record, &back);
    return back;
}

/* ---- measuring ---- */

static bool has_detector(const struct measurement *m)
{
    return m->detector.kind != TCLK_DETECTOR_NONE;
}

static int bracket_clock(struct measurement *m, uint64_t *width)
{
    uint64_t before = tclk_counter_read();
    int error = tclk_clock_read_own(TCLK_CLOCK_SCHED, &m->cpu_ns);
    *width = tclk_counter_read() - before;
    m->counter = before + *width / 2;
    return error;
}

/* The generation first: a handler that publishes an anchor after this has armed the detector anew, and
 * may have hidden a switch; publish() sees that. */
static void arm(struct tclk_record *record, struct measurement *m)
{
    m->generation = record->generation;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    m->armed = tclk_detector_arm(m->detector);
}

static int measure_armed(struct tclk_record *record, struct measurement *m)
{
    uint64_t width;
    arm(record, m);
    int error = bracket_clock(m, &width);
    m->holds = error == 0 && tclk_detector_is_intact(m->detector, m->armed) &&
               width <= tclk_proof_bracket_max();
    return error;
}

static int measure(struct tclk_record *record, struct measurement *m)
{
    int error = 0;
    if (!has_detector(m)) {
        m->generation = record->generation;
        return tclk_clock_read_own(TCLK_CLOCK_SCHED, &m->cpu_ns);
    }
    for (int i = 0; i < ATTEMPTS && error == 0 && !m->holds; i++) {
        error = measure_armed(record, m);
    }
    record->lost += !m->holds;
    return error;
}

/* ---- the split ---- */

/* How the thread has divided its time. Ticks are counted by the raw PROF clock, which is asked only
 * while the thread is young. */
static uint32_t share_of_thread(const struct tclk_usage *usage)
{
    int64_t all_ns = usage->user_ns + usage->system_ns;
    int64_t needed_ns = TICKS_NEEDED * tclk_settings.tick_ns;
    int64_t ticked_ns = all_ns;
    if (all_ns < 4 * needed_ns && tclk_clock_read_own(TCLK_CLOCK_PROF, &ticked_ns) == 0 &&
        ticked_ns < needed_ns) {
        return tclk_share_of_process();
    }
    return tclk_share_between(usage->user_ns, usage->system_ns, TCLK_SHARE_ONE);
}

static bool is_due(const struct tclk_record *record, int64_t cpu_ns)
{
    return record->generation == 0 || record->probation > 0 || tclk_settings.precise ||
           cpu_ns - record->steered_cpu_ns >= tclk_settings.tick_ns;
}

/* After the CPU clock, whose reading brings the kernel's sums up to date. */
static struct split_look look_at_split(const struct tclk_record *record, int64_t cpu_ns)
{
    struct split_look look = {.taken = false};
    if (!is_due(record, cpu_ns) || tclk_usage_read(&look.usage) != 0) {
        return look;
    }
    look.taken = true;
    look.share = share_of_thread(&look.usage);
    look.user_ns = look.usage.user_ns;
    if (tclk_settings.precise) {
        tclk_clock_read_own(TCLK_CLOCK_VIRT, &look.user_ns);
    }
    return look;
}

static struct tclk_line next_line(const struct tclk_anchor *old, struct tclk_point last,
                                  int64_t cpu_ns, const struct split_look *look)
{
    if (!look->taken) {
        struct tclk_point start = {cpu_ns, tclk_anchor_user_ns(old, cpu_ns)};
        return (struct tclk_line){start, old->rate};
    }
    if (tclk_settings.precise || tclk_settings.split == TCLK_SPLIT_KERNEL) {
        return tclk_split_kernel(last, cpu_ns, look->user_ns, look->share);
    }
    return tclk_split_smoothed(last, cpu_ns, look->share);
}

/* ---- publishing ---- */

/* An anchor whose time lies far behind what has been returned already would only miss. */
#define BEHIND_MAX_NS INT64_C(1000000000)

static uint32_t window_counts(const struct measurement *m, int64_t start_ns, uint64_t scale)
{
    if (!m->holds || start_ns - m->cpu_ns > BEHIND_MAX_NS) {
        return 0;
    }
    uint64_t counts = tclk_scale_counts((uint64_t)tclk_settings.window_ns, scale);
    return counts > TCLK_WINDOW_MAX ? TCLK_WINDOW_MAX : (uint32_t)counts;
}

/* Not armed yet. */
static struct tclk_anchor anchor_of(const struct measurement *m, uint64_t number,
                                    struct tclk_line line)
{
    struct tclk_anchor anchor = {
        .moment = tclk_moment_make(m->cpu_ns, number),
        .counter = tclk_count_of(m->counter),
        .marker = m->detector.marker,
        .armed = m->armed,
        .scale = m->holds ? tclk_calibration_scale() : 0,
    };
    tclk_anchor_set_line(&anchor, line);
    return anchor;
}

static void note_look(struct tclk_record *record, int64_t cpu_ns, const struct split_look *look)
{
    record->switches_at_anchor = look->taken;
    if (!look->taken) {
        return;
    }
    if (record->generation > 0 && tclk_thread_page_pays(record, &look->usage)) {
        record->page_pays = true;
    }
    record->steered_cpu_ns = cpu_ns;
    record->switches = tclk_usage_switches(&look->usage);
    record->steered_reads = record->reads;
    if (record->probation > 0) {
        record->probation--;
    }
}

static void set_writing(struct tclk_record *record, enum tclk_writing writing)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(&record->writing, (uint32_t)writing, __ATOMIC_RELAXED);
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
}

/* No handler publishes now, but it may still return a later point of the old line: then the exchange
 * fails, and the new line is computed to start there. */
static struct tclk_point replace_anchor(struct tclk_record *record, const struct measurement *m,
                                        const struct split_look *look)
{
    for (;;) {
        uint64_t state = tclk_record_state(record);
        struct tclk_point last = tclk_record_last(record, state);
        int64_t cpu_ns = m->cpu_ns > last.cpu_ns ? m->cpu_ns : last.cpu_ns;
        struct tclk_line line = next_line(&record->previous, last, cpu_ns, look);
        uint64_t number = (tclk_moment_number(state) + 1) & TCLK_MOMENT_NUMBER_MASK;
        record->anchor = anchor_of(m, number, line);
        __atomic_signal_fence(__ATOMIC_SEQ_CST);
        if (tclk_record_exchange(record, state, tclk_moment_make(cpu_ns, number))) {
            return line.start;
        }
    }
}

/* The last store: from here on reads extrapolate. */
static void open_window(struct tclk_record *record, uint32_t window)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    __atomic_store_n(tclk_settings.counts_reads ? &record->counted_window : &record->anchor.window,
                     window, __ATOMIC_RELAXED);
}

static struct tclk_point publish(struct tclk_record *record, const struct measurement *m,
                                 const struct split_look *look)
{
    set_writing(record, TCLK_WRITING_PREVIOUS);
    if (record->generation != m->generation) {
        set_writing(record, TCLK_WRITING_NOTHING);
        return tclk_record_commit(record, m->cpu_ns);
    }
    record->previous = record->anchor;
    tclk_record_disarm(record); /* a handler must not extrapolate from an anchor half written */
    set_writing(record, TCLK_WRITING_ANCHOR);
    struct tclk_point point = replace_anchor(record, m, look);
    note_look(record, m->cpu_ns, look);
    record->generation++;
    open_window(record, window_counts(m, point.cpu_ns, record->anchor.scale));
    set_writing(record, TCLK_WRITING_NOTHING);
    return point;
}

/* ---- the continuous check ---- */

/* Does the detector still claim that the thread has not been switched out since the anchor was set? It
 * says nothing any more if a handler has armed it anew. */
static bool claims_no_switch(const struct tclk_record *record, const struct retrospect *back)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return tclk_anchor_is_marked(&back->anchor) &&
           *(const volatile uint64_t *)&record->generation == back->generation;
}

static enum tclk_source source_of(const struct tclk_record *record,
                                  const struct tclk_anchor *anchor)
{
    bool is_area = record->area != NULL && anchor->marker == &record->area->rseq_cs;
    return is_area ? TCLK_SOURCE_RSEQ : TCLK_SOURCE_PERF;
}

/* Before the detector is armed again. The prediction is for a count that was taken before the kernel
 * was asked, and the detector is looked at after everything else: so whatever happens to the thread in
 * between cannot be mistaken for a switch that the detector missed. */
static void watch(struct tclk_record *record, const struct retrospect *back)
{
    int64_t kernel_ns;
    struct tclk_usage usage;
    if (tclk_clock_read_own(TCLK_CLOCK_SCHED, &kernel_ns) != 0 ||
        !tclk_watch_is_ahead(tclk_anchor_cpu_ns(&back->anchor, back->counter), kernel_ns,
                             tclk_settings.window_ns) ||
        tclk_usage_read(&usage) != 0 || !claims_no_switch(record, back)) {
        return;
    }
    switch (tclk_watch_judge(record, &usage)) {
    case TCLK_WATCH_SUSPICIOUS:
        record->probation = TCLK_WATCH_PROBATION;
        break;
    case TCLK_WATCH_MISSED:
        tclk_source_demote(source_of(record, &back->anchor));
        break;
    case TCLK_WATCH_FINE:
        break;
    }
}

/* Inside another resync's stores there is no anchor to replace: the time is right all the same. */
static int read_plainly(struct tclk_record *record, struct tclk_point *point)
{
    int64_t cpu_ns;
    int error = tclk_clock_read_own(TCLK_CLOCK_SCHED, &cpu_ns);
    if (error == 0) {
        *point = tclk_record_commit(record, cpu_ns);
    }
    return error;
}

int tclk_resync(struct tclk_record *record, struct tclk_point *point)
{
    if (__atomic_load_n(&record->writing, __ATOMIC_RELAXED) != TCLK_WRITING_NOTHING) {
        return read_plainly(record, point);
    }
    struct retrospect back = look_back(record);
    if (back.cause == TCLK_RESYNC_WINDOW) {
        watch(record, &back);
    }
    struct measurement m = {.detector = tclk_thread_detector(record)};
    int error = measure(record, &m);
    if (error != 0) {
        return error;
    }
    struct split_look look = look_at_split(record, m.cpu_ns);
    *point = publish(record, &m, &look);
    record->resyncs[back.cause]++;
    if (m.holds) {
        tclk_calibration_refine(m.counter);
    }
    return 0;
}
