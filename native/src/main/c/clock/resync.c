/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/resync.h"

#include "clock/counter.h"
#include "clock/curve.h"
#include "clock/divide/divide.h"
#include "clock/origin.h"
#include "clock/proof.h"
#include "clock/source.h"
#include "clock/thread_detector.h"
#include "kernel/clockid.h"
#include "kernel/usage.h"

#include <errno.h>
#include <stddef.h>

#define ATTEMPTS 3

struct measurement {
    struct tclk_detector detector;
    uint32_t generation; /* the record's generation when the detector was armed */
    bool holds;          /* the marker was still there afterwards */
    uint64_t armed;      /* the marker's value when it was armed */
    uint64_t counter;    /* the count in the middle of the kernel's reading */
    int64_t cpu_ns;
    int64_t passed_ns; /* ns since then, by the counter */
    int64_t ahead_ns;  /* by which more had been told before */
    struct tclk_past past;
    uint64_t scale;
};

/* ---- the cause ---- */

/* The state in which a resync begins: the anchor that was in use, and a count at which it was checked. */
struct retrospect {
    uint32_t generation;
    uint32_t window;
    struct tclk_anchor anchor;
    uint64_t counter; /* read before the marker was checked */
    enum tclk_resync_cause cause;
};

static enum tclk_resync_cause cause_of(const struct tclk_record *record, const struct retrospect *back)
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
    bool is_ahead =
        !tclk_moment_follows(now, tclk_record_state(record)) || !tclk_moment_follows(now, tclk_record_floor(record));
    return is_ahead ? TCLK_RESYNC_AHEAD : TCLK_RESYNC_OVERLAP;
}

static struct retrospect look_back(const struct tclk_record *record)
{
    struct retrospect back = {.generation = record->generation};
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    back.anchor = record->anchor;
    back.window = back.anchor.window;
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

/* Adds the origin to the kernel's time. Returns -EAGAIN if that time shows a restore. */
static int note_clock(const struct tclk_record *record, int64_t kernel_ns, struct measurement *m)
{
    m->cpu_ns = kernel_ns + m->past.origin.cpu_ns;
    bool is_restored =
        tclk_origin_shown_by_cpu(m->past.least_ns, m->cpu_ns) && tclk_curve_resume(record, m->past.origin);
    return is_restored ? -EAGAIN : 0;
}

/* Less than this is over before long, or is how uncertain a reading of the kernel's clock is. */
#define AHEAD_LEAST_NS INT64_C(1000)

/* It may be ahead of the kernel: the counter also shows time that the kernel does not book (a hypervisor's steal,
 * accounted interrupts). */
static int64_t last_returned_ns(const struct tclk_record *record)
{
    int64_t state_ns = tclk_moment_cpu_ns(tclk_record_state(record));
    int64_t floor_ns = tclk_moment_cpu_ns(tclk_record_floor(record));
    return state_ns > floor_ns ? state_ns : floor_ns;
}

static int bracket_clock(const struct tclk_record *record, struct measurement *m, uint64_t *width)
{
    m->past = tclk_curve_past(record);
    int64_t returned_ns = last_returned_ns(record);
    int64_t kernel_ns;
    uint64_t before = tclk_counter_read();
    int error = tclk_clock_read_own(TCLK_CLOCK_SCHED, &kernel_ns);
    *width = tclk_counter_read() - before;
    m->counter = before + *width / 2;
    if (error == 0) {
        error = note_clock(record, kernel_ns, m);
        m->ahead_ns = returned_ns - m->cpu_ns > AHEAD_LEAST_NS ? returned_ns + 1 - m->cpu_ns : 0;
    }
    return error;
}

/* Reads the CPU time without the count. */
static int read_clock(const struct tclk_record *record, struct measurement *m)
{
    m->past = tclk_curve_past(record);
    int64_t kernel_ns;
    int error = tclk_clock_read_own(TCLK_CLOCK_SCHED, &kernel_ns);
    return error == 0 ? note_clock(record, kernel_ns, m) : error;
}

/* Loads the generation first. A handler that publishes an anchor after this has armed the detector again, and may
 * have hidden a switch; publish() sees that. */
static void arm(const struct tclk_record *record, struct measurement *m)
{
    m->generation = record->generation;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    m->armed = tclk_detector_arm(m->detector);
}

static int measure_armed(const struct tclk_record *record, struct measurement *m)
{
    uint64_t width;
    arm(record, m);
    int error = bracket_clock(record, m, &width);
    m->holds = error == 0 && tclk_detector_is_intact(m->detector, m->armed) && width <= tclk_proof_bracket_max();
    return error;
}

static int measure(struct tclk_record *record, struct measurement *m)
{
    int error = 0;
    if (!has_detector(m)) {
        m->generation = record->generation;
        return read_clock(record, m);
    }
    for (int i = 0; i < ATTEMPTS && error == 0 && !m->holds; i++) {
        error = measure_armed(record, m);
    }
    if (error == 0 && !m->holds) {
        tclk_record_count_lost(&record->own);
    }
    m->scale = m->holds ? tclk_calibration_scale() : 0;
    return error;
}

/* ---- publishing ---- */

/* An anchor whose time is this far behind the last result would only cause misses. */
#define BEHIND_MAX_NS INT64_C(1000000000)

static uint32_t window_counts(const struct measurement *m, int64_t start_ns, int64_t window_ns)
{
    if (!m->holds || start_ns - m->cpu_ns > BEHIND_MAX_NS) {
        return 0;
    }
    uint64_t counts = tclk_scale_counts((uint64_t)window_ns, m->scale);
    return counts > TCLK_WINDOW_MAX ? TCLK_WINDOW_MAX : (uint32_t)counts;
}

/* This is more than the window, which is rounded to counts and back. An unarmed anchor has a reach, too, for which a
 * thread that asks the kernel at each read follows its line. */
static uint32_t reach_of(int64_t window_ns)
{
    return (uint32_t)(window_ns + window_ns / 64);
}

/* From a time that is ahead, the clock goes on at half its speed until the kernel is there, so that a thread that works
 * is never told the same twice. */
static int64_t until_caught_up_ns(const struct measurement *m, int64_t window_ns)
{
    int64_t ns = 2 * m->ahead_ns;
    return ns > 0 && ns < window_ns ? ns : window_ns;
}

/* Makes an anchor that is not armed yet. Its line goes through its start exactly: at line.start.cpu_ns it gives
 * line.start.user_ns. (The kernel's CPU time may be a little before the start, if the last reading ran ahead of it.) */
static struct tclk_anchor anchor_of(const struct measurement *m, uint64_t number, const struct tclk_line *line)
{
    int64_t cpu_ns = m->cpu_ns + m->ahead_ns;
    int64_t before_user_ns = tclk_share_of(line->start.cpu_ns - cpu_ns, line->rate);
    return (struct tclk_anchor){
        .moment = tclk_moment_make(cpu_ns, number),
        .user_ns = line->start.user_ns - before_user_ns,
        .rate = line->rate,
        .counter = tclk_count_of(m->counter),
        .marker = m->detector.marker,
        .armed = m->armed,
        .scale = m->ahead_ns > 0 ? m->scale / 2 : m->scale,
    };
}

static void note_look(struct tclk_record *record, const struct measurement *m, const struct tclk_look *look,
                      const struct tclk_line *line)
{
    tclk_divide_note(&record->division, m->cpu_ns, look, line);
    if (look->does == TCLK_LOOK_TURNS) {
        return;
    }
    tclk_record_note_kernels(record, m->cpu_ns);
    record->whole_window = window_counts(m, line->start.cpu_ns, until_caught_up_ns(m, tclk_settings.window_ns));
    record->switches_at_anchor = look->does == TCLK_LOOK_ASKS;
    if (look->does == TCLK_LOOK_ASKS) {
        tclk_thread_detector_note(&record->own, tclk_record_resyncs(record), &look->usage, record->generation == 0);
        record->probation = record->probation > 0 ? (uint8_t)(record->probation - 1) : 0;
    }
}

static int64_t latest(int64_t a_ns, int64_t b_ns, int64_t c_ns)
{
    int64_t ab_ns = a_ns > b_ns ? a_ns : b_ns;
    return ab_ns > c_ns ? ab_ns : c_ns;
}

/* Nothing else publishes now, but handlers and other threads may still fix more of the old line. Then the exchange
 * fails, and the new line is computed again from there. */
static struct tclk_line replace_anchor(struct tclk_record *record, const struct measurement *m,
                                       const struct tclk_look *look, const struct tclk_line *before, uint32_t reach_ns)
{
    for (;;) {
        struct tclk_frontier from = tclk_record_frontier(record);
        struct tclk_point last = tclk_curve_last(record, from, before);
        int64_t cpu_ns =
            latest(m->cpu_ns + m->ahead_ns + m->passed_ns, last.cpu_ns, tclk_moment_cpu_ns(tclk_record_floor(record)));
        tclk_curve_begin(&last, cpu_ns);
        struct tclk_line line = tclk_divide_line(look, last, cpu_ns, before->rate);
        struct tclk_frontier to = tclk_frontier_turn(from, line.start, false);
        struct tclk_anchor anchor = anchor_of(m, tclk_frontier_number(to), &line);
        tclk_record_set_anchor(record, &anchor, reach_ns);
        if (tclk_frontier_exchange(&record->frontier, from, to)) {
            tclk_record_set_state(record, cpu_ns);
            tclk_record_renew_floor(record, to.moment);
            return line;
        }
    }
}

static struct tclk_point replace(struct tclk_record *record, const struct measurement *m, const struct tclk_look *look)
{
    int64_t window_ns = tclk_divide_window_ns(look, m->passed_ns, tclk_settings.window_ns);
    struct tclk_line before = tclk_record_keep_line(record);
    tclk_record_disarm(record); /* a handler must not extrapolate from an incomplete anchor */
    tclk_record_set_writing(record, TCLK_WRITING_ANCHOR);
    struct tclk_line line = replace_anchor(record, m, look, &before, reach_of(window_ns));
    note_look(record, m, look, &line);
    tclk_record_count_generation(record);
    uint32_t window = window_counts(m, line.start.cpu_ns, until_caught_up_ns(m, window_ns));
    tclk_record_arm(record, window < record->whole_window ? window : record->whole_window);
    tclk_record_set_writing(record, TCLK_WRITING_NOTHING);
    return line.start;
}

/* Advances the curve as other threads do, if there is no anchor to be replaced. */
static int advance(struct tclk_record *record, int64_t cpu_ns, struct tclk_point *point)
{
    struct tclk_aim aim = {.is_slope = false};
    enum tclk_advance done = tclk_curve_advance(record, tclk_record_tid(record), cpu_ns, NULL, point);
    if (done == TCLK_ADVANCE_AIMLESS) {
        aim.origin = tclk_record_origin(record);
        int error = tclk_divide_aim(&record->division, &aim.share, &aim.is_slope);
        if (error != 0) {
            return error;
        }
        done = tclk_curve_advance(record, tclk_record_tid(record), cpu_ns, &aim, point);
    }
    tclk_record_set_state(record, point->cpu_ns);
    return done == TCLK_ADVANCE_DONE ? 0 : -ESRCH;
}

/* A handler that has published since the detector was armed may have hidden a switch, so its line stays. The time
 * that has passed by the counter is not used then, because it may contain a switch. If the handler came before the
 * marker was written, this resync has armed the handler's anchor again, and may have hidden a switch from it in turn.
 * That anchor is therefore disarmed. */
static int publish(struct tclk_record *record, const struct measurement *m, const struct tclk_look *look,
                   struct tclk_point *point)
{
    tclk_record_set_writing(record, TCLK_WRITING_PREVIOUS);
    if (record->generation != m->generation) {
        tclk_record_disarm(record);
        tclk_record_set_writing(record, TCLK_WRITING_NOTHING);
        return advance(record, m->cpu_ns, point);
    }
    *point = replace(record, m, look);
    return 0;
}

/* ---- the continuous check ---- */

/*
 * When a window ends with the marker still there, the anchor's prediction is compared with the kernel's CPU time. A
 * prediction that is far above it means either that a switch was missed, or that the counter shows time that the kernel
 * does not book (a hypervisor's steal, accounted interrupts). The thread's switch counts tell the two apart, if they
 * were read for that very anchor. If they were not, the thread is put on probation: its next anchors note them.
 * Therefore a detector that misses switches is caught at its second miss, and steal is never mistaken for a miss.
 */
#define PROBATION 16

/* A prediction may be at least this much above the kernel's time: rounding, midpoints, steal. */
#define SLACK_NS INT64_C(50000)

/* It may also be above it by this part of the window: 5 %. */
#define SLACK_DIVISOR 20

/* Whether the time that the anchor predicts at a count, however far away, is far above the kernel's. */
static bool predicts_more(const struct tclk_anchor *anchor, uint64_t counter, int64_t cpu_ns)
{
    uint64_t counts = counter - tclk_count_whole(anchor->counter);
    int64_t from_ns = tclk_moment_cpu_ns(anchor->moment);
    int64_t part_ns = tclk_settings.window_ns / SLACK_DIVISOR;
    int64_t more_ns = from_ns + (int64_t)tclk_scale_ns(counts, anchor->scale) - cpu_ns;
    return cpu_ns >= from_ns && more_ns > (part_ns > SLACK_NS ? part_ns : SLACK_NS);
}

/* Whether the detector still claims that the thread has not been switched out since the anchor was set. It claims
 * nothing if a handler has armed it again. */
static bool claims_no_switch(const struct tclk_record *record, const struct retrospect *back)
{
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return tclk_anchor_is_marked(&back->anchor) && *(const volatile uint32_t *)&record->generation == back->generation;
}

static void demote(const struct tclk_rseq_area *area, const volatile uint64_t *marker)
{
    if (area != NULL && marker == &area->rseq_cs) {
        tclk_source_demote(TCLK_SOURCE_RSEQ);
    } else if (area != NULL && marker == &area->flags_and_node_id) {
        tclk_source_demote(TCLK_SOURCE_IDS);
    } else {
        tclk_source_demote(TCLK_SOURCE_PERF);
    }
}

/* Call this before the detector is armed again. The prediction is for a count that was read before the kernel was
 * asked, and the detector is checked after everything else. Therefore nothing that happens to the thread in between
 * is mistaken for a switch that the detector missed. */
static void watch(struct tclk_record *record, const struct retrospect *back)
{
    int64_t kernel_ns;
    struct tclk_usage usage;
    int64_t origin_ns = tclk_record_origin(record).cpu_ns;
    if (tclk_clock_read_own(TCLK_CLOCK_SCHED, &kernel_ns) != 0 ||
        !predicts_more(&back->anchor, back->counter, kernel_ns + origin_ns) || tclk_usage_read(&usage) != 0 ||
        !claims_no_switch(record, back)) {
        return;
    }
    if (!record->switches_at_anchor) {
        record->probation = PROBATION;
    } else if ((uint32_t)tclk_usage_switches(&usage) != record->own.switches) {
        demote(record->own.area, back->anchor.marker);
    }
}

/* Inside the stores of another resync there is no anchor to replace. The time is right all the same. */
__attribute__((noinline)) static int read_plainly(struct tclk_record *record, struct tclk_point *point)
{
    struct measurement m;
    int error = read_clock(record, &m);
    return error == 0 ? advance(record, m.cpu_ns, point) : error;
}

/* ---- a new line of the same anchor ---- */

/* Whether the line is over, but not the window, and the marker was there after the counter was read. */
static bool is_turn(const struct tclk_record *record, const struct retrospect *back)
{
    return back->cause == TCLK_RESYNC_WINDOW && record->probation == 0 &&
           tclk_count_of(back->counter).high == back->anchor.counter.high &&
           back->counter - tclk_count_whole(back->anchor.counter) < record->whole_window;
}

/* The anchor's time is as good as the kernel's, and the detector stays armed as it was. */
static int turn(struct tclk_record *record, const struct retrospect *back, struct tclk_point *point)
{
    struct measurement m = {
        .generation = back->generation,
        .detector.marker = (volatile uint64_t *)(uintptr_t)back->anchor.marker,
        .armed = back->anchor.armed,
        .counter = tclk_count_whole(back->anchor.counter),
        .cpu_ns = tclk_moment_cpu_ns(back->anchor.moment),
        .passed_ns = (int64_t)tclk_anchor_since_ns(&back->anchor, tclk_count_of(back->counter)),
        .scale = back->anchor.scale,
        .holds = true,
    };
    struct tclk_look look;
    tclk_divide_look_again(&record->division, m.cpu_ns + m.passed_ns, &look);
    return publish(record, &m, &look, point);
}

/* ---- reading along a line without a detector ---- */

/* Whether each read costs one system call anyway, no detector is still armed, and the split is asked for only once
 * per tick. */
static bool may_follow_line(const struct tclk_record *record)
{
    return tclk_source_in_use() == TCLK_SOURCE_CLOCK && record->generation > 0 && record->anchor.window == 0 &&
           record->probation == 0 && tclk_settings.split == TCLK_SPLIT_SMOOTHED;
}

/*
 * Follows the anchor's line at the kernel's CPU time, where an extrapolation would use the counter: in the order of
 * tclk_record_extrapolate(), within the reach, until the split is due. False: start again; the system call was in vain.
 */
__attribute__((noinline)) static bool follow_line(struct tclk_record *record, struct tclk_point *point)
{
    uint64_t start = tclk_record_anchor_moment(record);
    uint32_t rate = record->anchor.rate;
    int64_t line_ns = record->anchor.user_ns;
    int64_t origin_ns = tclk_record_origin(record).cpu_ns;
    int64_t cpu_ns;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    if (tclk_clock_read_own(TCLK_CLOCK_SCHED, &cpu_ns) != 0) {
        return false;
    }
    cpu_ns += origin_ns;
    int64_t since_ns = cpu_ns - tclk_moment_cpu_ns(start);
    if (since_ns < 0 || since_ns > record->reach_ns || tclk_divide_is_due(&record->division, cpu_ns)) {
        return false;
    }
    uint64_t now = start + (uint64_t)since_ns;
    uint64_t last = tclk_record_state(record);
    if (!tclk_moment_follows(now, last) || !tclk_moment_follows(now, tclk_record_floor(record)) ||
        !tclk_moment_exchange_own(&record->state, last, now)) {
        return false;
    }
    *point = (struct tclk_point){cpu_ns, line_ns + tclk_share_of(since_ns, rate)};
    tclk_record_count(&record->resyncs[TCLK_RESYNC_UNARMED]);
    return true;
}

/* The result of the thread's last look at the kernel, loaded before the next one. A look from before the thread's
 * origin says nothing about what comes after it. */
struct last_look {
    uint32_t switches;
    int64_t cpu_ns;
};

static struct last_look last_look_of(const struct tclk_record *record)
{
    struct last_look last = {.switches = record->own.switches};
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    last.cpu_ns = record->generation > 0 ? record->division.looked_cpu_ns : 0;
    __atomic_signal_fence(__ATOMIC_SEQ_CST);
    return last;
}

static bool shows_restore(const struct tclk_record *record, struct last_look last, const struct tclk_look *look)
{
    return look->does == TCLK_LOOK_ASKS && last.cpu_ns > look->origin.cpu_ns &&
           tclk_origin_shown_by_switches(last.switches, (uint32_t)tclk_usage_switches(&look->usage)) &&
           tclk_curve_resume(record, look->origin);
}

/* Returns -EAGAIN if the thread has been restored. */
static int ask(struct tclk_record *record, struct measurement *m, struct tclk_look *look)
{
    struct last_look last = last_look_of(record);
    *m = (struct measurement){.detector = tclk_thread_detector(&record->own, tclk_samples_page(&record->division))};
    int error = measure(record, m);
    if (error != 0) {
        return error;
    }
    tclk_divide_look(&record->division, m->cpu_ns, m->past.origin, record->generation == 0 || record->probation > 0,
                     look);
    return shows_restore(record, last, look) ? -EAGAIN : 0;
}

/* Checks the last anchor once more. True: it got a new line, and `point` or `error` is the result of the reading.
 * Each step of a resync has a stack frame of its own, because these are the largest frames of a reading. */
__attribute__((noinline)) static bool close_anchor(struct tclk_record *record, struct tclk_point *point,
                                                   enum tclk_resync_cause *cause, int *error)
{
    struct retrospect back = look_back(record);
    *cause = back.cause;
    if (is_turn(record, &back)) {
        *error = turn(record, &back, point);
        return true;
    }
    if (back.cause == TCLK_RESYNC_WINDOW) {
        watch(record, &back);
    }
    return false;
}

/* `calm` is the count if no switch came between the looks, else 0. */
__attribute__((noinline)) static int open_anchor(struct tclk_record *record, struct tclk_point *point,
                                                 enum tclk_resync_cause cause, uint64_t *calm)
{
    struct measurement m;
    struct tclk_look look;
    int error = ask(record, &m, &look);
    if (error != 0) {
        return error;
    }
    error = publish(record, &m, &look, point);
    tclk_record_count_resync(record, cause);
    *calm = m.holds ? m.counter : 0;
    return error;
}

static int resync(struct tclk_record *record, struct tclk_point *point, uint64_t *calm)
{
    enum tclk_resync_cause cause;
    int error;
    if (tclk_record_is_written(record)) {
        return read_plainly(record, point);
    }
    if (may_follow_line(record) && follow_line(record, point)) {
        return 0;
    }
    return close_anchor(record, point, &cause, &error) ? error : open_anchor(record, point, cause, calm);
}

/* Begins or ends the thread's samples. Its own stack frame, as above. */
__attribute__((noinline)) static void follow_samples(struct tclk_record *record)
{
    const struct tclk_anchor *anchor = &record->anchor;
    struct tclk_reading last = {
        .cpu_ns = tclk_moment_cpu_ns(tclk_record_state(record)),
        .anchor_ns = tclk_moment_cpu_ns(anchor->moment),
        .origin_ns = tclk_record_origin(record).cpu_ns,
        .is_calm = anchor->window == 0 || tclk_anchor_is_marked(anchor),
    };
    if (!tclk_record_is_written(record)) {
        tclk_samples_follow(&record->division, &last);
    }
}

/* Repeats only if the thread has another origin. The calibration, which may read a file, runs after that frame is
 * gone. */
int tclk_resync(struct tclk_record *record, struct tclk_point *point)
{
    uint64_t calm = 0;
    int error;
    follow_samples(record);
    do {
        error = resync(record, point, &calm);
    } while (error == -EAGAIN);
    if (calm != 0 && !tclk_calibration_refine(calm)) {
        tclk_source_give_counter_up();
    }
    return error;
}
