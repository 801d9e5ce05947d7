/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/curve.h"

#include "clock/origin.h"
#include "clock/process_share.h"

static int64_t later(int64_t a_ns, int64_t b_ns)
{
    return a_ns > b_ns ? a_ns : b_ns;
}

/* The last value that the owner has returned counts if it is on the frontier's line. If it is on an older line, the
 * frontier's line has started after it. */
static int64_t last_cpu_ns(const struct tclk_record *record, struct tclk_frontier frontier)
{
    uint64_t state = tclk_record_state(record);
    int64_t frontier_ns = tclk_frontier_cpu_ns(frontier);
    return tclk_moment_number(state) == tclk_frontier_number(frontier) ? later(frontier_ns, tclk_moment_cpu_ns(state))
                                                                       : frontier_ns;
}

struct tclk_point tclk_curve_last(const struct tclk_record *record, struct tclk_frontier frontier,
                                  const struct tclk_line *line)
{
    return tclk_frontier_is_free(frontier) ? tclk_frontier_point(frontier)
                                           : tclk_line_at(line, last_cpu_ns(record, frontier));
}

void tclk_curve_begin(struct tclk_point *last, int64_t cpu_ns)
{
    uint32_t share;
    bool is_fixed = last->cpu_ns > TCLK_LIFE_NS_MASK || last->user_ns != 0;
    if (!is_fixed && tclk_share_without_record_is_fixed(&share)) {
        *last = (struct tclk_point){cpu_ns, tclk_share_of(cpu_ns, share)};
    }
}

static bool is_alive(const struct tclk_record *record, pid_t tid)
{
    return tclk_record_hold_of(record, tid) != TCLK_HOLD_NOBODY;
}

enum tclk_advance tclk_curve_advance_cpu(struct tclk_record *record, pid_t tid, int64_t *cpu_ns)
{
    int64_t now_ns = later(*cpu_ns, tclk_moment_cpu_ns(tclk_record_floor(record)));
    now_ns = later(now_ns, tclk_moment_cpu_ns(tclk_record_state(record)));
    now_ns = later(now_ns, tclk_frontier_cpu_ns(tclk_record_frontier(record)));
    if (!tclk_record_raise_floor(record, tid, now_ns)) {
        return TCLK_ADVANCE_ENDED;
    }
    *cpu_ns = now_ns;
    return TCLK_ADVANCE_DONE;
}

/* ---- the frontier ---- */

static struct tclk_point steer(struct tclk_point from, int64_t cpu_ns, const struct tclk_aim *aim)
{
    int64_t user_ns = aim->is_slope ? from.user_ns + tclk_share_of(cpu_ns - from.cpu_ns, aim->share)
                                    : aim->origin.user_ns + tclk_share_of(cpu_ns - aim->origin.cpu_ns, aim->share);
    return tclk_point_near(from, cpu_ns, user_ns);
}

/* Each of these two functions computes the next frontier. False: an aim is needed. */
static bool step_freely(struct tclk_frontier from, int64_t now_ns, const struct tclk_aim *aim, struct tclk_frontier *to)
{
    struct tclk_point last = tclk_frontier_point(from);
    tclk_curve_begin(&last, now_ns);
    if (now_ns > last.cpu_ns && aim == NULL) {
        return false;
    }
    *to = tclk_frontier_at(from, now_ns > last.cpu_ns ? steer(last, now_ns, aim) : last);
    return true;
}

static bool step_on_line(struct tclk_frontier from, const struct tclk_line *line, int64_t fixed_ns, int64_t now_ns,
                         const struct tclk_aim *aim, struct tclk_frontier *to)
{
    int64_t end_ns = later(fixed_ns, line->start.cpu_ns + line->reach_ns);
    if (now_ns <= end_ns) {
        *to = tclk_frontier_at(from, tclk_line_at(line, now_ns));
        return true;
    }
    if (aim == NULL) {
        return false;
    }
    *to = tclk_frontier_turn(from, steer(tclk_line_at(line, end_ns), now_ns, aim), true);
    return true;
}

/* Even if nothing moves, the frontier must still be the one that was loaded. If the owner has begun another line
 * since, last_cpu_ns() did not see what the owner had returned on this one, and the floor may not be raised yet. */
static bool fix(struct tclk_record *record, pid_t tid, struct tclk_frontier from, struct tclk_frontier to)
{
    if (tclk_frontier_equals(from, to)) {
        return tclk_frontier_equals(from, tclk_record_frontier(record));
    }
    return is_alive(record, tid) && tclk_frontier_exchange(&record->frontier, from, to);
}

enum tclk_advance tclk_curve_advance(struct tclk_record *record, pid_t tid, int64_t cpu_ns, const struct tclk_aim *aim,
                                     struct tclk_point *point)
{
    struct tclk_frontier from;
    struct tclk_frontier to;
    do {
        struct tclk_line line;
        from = tclk_record_frontier(record);
        bool is_free = tclk_frontier_is_free(from);
        bool has_line = !is_free && tclk_record_find_line(record, tclk_frontier_number(from), &line);
        int64_t fixed_ns = is_free ? tclk_frontier_cpu_ns(from) : last_cpu_ns(record, from);
        int64_t now_ns = later(later(cpu_ns, fixed_ns), tclk_moment_cpu_ns(tclk_record_floor(record)));
        if (!is_alive(record, tid)) {
            return TCLK_ADVANCE_ENDED;
        }
        to = from;
        if (!is_free && !has_line) {
            continue;
        }
        if (!(is_free ? step_freely(from, now_ns, aim, &to) : step_on_line(from, &line, fixed_ns, now_ns, aim, &to))) {
            return TCLK_ADVANCE_AIMLESS;
        }
        *point = tclk_frontier_point(to);
        if (fix(record, tid, from, to)) {
            break;
        }
    } while (true);
    return tclk_record_raise_floor(record, tid, point->cpu_ns) ? TCLK_ADVANCE_DONE : TCLK_ADVANCE_ENDED;
}

/* The last point that anybody has been told, or a later one; somebody may have been told less of its user time. */
static struct tclk_point told_point(const struct tclk_record *record)
{
    struct tclk_frontier frontier;
    struct tclk_line line = {0};
    do {
        frontier = tclk_record_frontier(record);
    } while (!tclk_frontier_is_free(frontier) && !tclk_record_find_line(record, tclk_frontier_number(frontier), &line));
    struct tclk_point last = tclk_curve_last(record, frontier, &line);
    last.cpu_ns = later(last.cpu_ns, tclk_moment_cpu_ns(tclk_record_floor(record)));
    return last;
}

/* A thread that has extrapolated may have run ahead of the kernel, by a window or two. */
#define AHEAD_MOST_NS INT64_C(1000000000)

struct tclk_past tclk_curve_past(const struct tclk_record *record)
{
    struct tclk_past past = {.origin = tclk_record_origin(record)};
    past.least_ns = tclk_moment_cpu_ns(tclk_record_floor(record));
    if (tclk_record_generation(record) != 0) {
        past.least_ns = later(tclk_record_kernels_ns(record), past.least_ns - AHEAD_MOST_NS);
    }
    return past;
}

bool tclk_curve_resume(const struct tclk_record *record, struct tclk_point origin)
{
    return tclk_origin_move(tclk_record_index(record), origin, told_point(record));
}

void tclk_curve_set_free(struct tclk_record *record)
{
    struct tclk_frontier from;
    struct tclk_frontier to;
    struct tclk_line line = tclk_record_line(record);
    do {
        from = tclk_record_frontier(record);
        to = tclk_frontier_turn(from, tclk_curve_last(record, from, &line), true);
    } while (!tclk_frontier_is_free(from) && !tclk_frontier_exchange(&record->frontier, from, to));
}
