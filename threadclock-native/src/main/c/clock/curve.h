/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_CURVE_H
#define TCLK_CLOCK_CURVE_H

#include "clock/record.h"
#include "clock/split.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The curve of a thread (clock/split.h), as others read it, and as the thread itself does in a signal
 * handler that has interrupted a resync. All of them must agree, so they fix the curve one after the
 * other (clock/words.h):
 *   - Within reach of the anchor the curve is the anchor's line. The thread extrapolates along it without
 *     asking anybody, never beyond the reach; others move the frontier along it.
 *   - Beyond, the thread cannot extrapolate any more. Whoever comes first ends the line there and leaves
 *     the frontier free; from then on each reading steers towards what the kernel says of the split, as
 *     far as 0 <= user <= CPU since the last point allows.
 *   - The thread's next resync starts a line where the frontier is.
 * A CPU time alone fixes nothing of user time: it raises the floor only.
 * Before anyone returns a CPU time, the floor is raised to it: the thread returns none below.
 */

/* Where the kernel sees the user time of a thread. */
struct tclk_aim {
    uint32_t share;           /* this part of the CPU time */
    bool is_slope;            /* of what has passed since the last point, not of all */
    struct tclk_point origin; /* all of it: since then (clock/epoch.h) */
};

enum tclk_advance {
    TCLK_ADVANCE_DONE,
    TCLK_ADVANCE_AIMLESS, /* the curve is free there, and no aim was given: ask the kernel, and again */
    TCLK_ADVANCE_ENDED /* the record is not this thread's any more */
};

/* The point of the curve at a CPU time that the kernel has told, or further if more has been returned
 * already. `aim` may be NULL. Lock-free, async-signal-safe. */
enum tclk_advance tclk_curve_advance(struct tclk_record *record, pid_t tid, int64_t cpu_ns,
                                     const struct tclk_aim *aim, struct tclk_point *point);

/* The same for CPU time alone; never aimless. */
enum tclk_advance tclk_curve_advance_cpu(struct tclk_record *record, pid_t tid, int64_t *cpu_ns);

/* The last point that is fixed, by the owner or others, in the owner's own words: where its next line
 * starts, or later. `line` is the line of the anchor in use. Only for the owner. */
struct tclk_point tclk_curve_last(const struct tclk_record *record, struct tclk_frontier frontier,
                                  const struct tclk_line *line);

/* `last` is the last point of a curve. If nothing of the curve is fixed yet, it begins at `cpu_ns`, on the line of
 * threads without a record (clock/plain.h), if there have been any. */
void tclk_curve_begin(struct tclk_point *last, int64_t cpu_ns);

/* The frontier where another line begins at that point, or none (free). */
struct tclk_frontier tclk_curve_turn(struct tclk_frontier from, struct tclk_point point,
                                     bool is_free);

/* The last point that anybody has been told, or a later one. Of user time it may be told less. For everybody. */
struct tclk_point tclk_curve_told(const struct tclk_record *record);

/* The thread has ended, or will not extrapolate any more: the curve is free from its last point. */
void tclk_curve_set_free(struct tclk_record *record);

#endif
