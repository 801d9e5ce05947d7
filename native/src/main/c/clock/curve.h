/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_CURVE_H
#define TCLK_CLOCK_CURVE_H

#include "clock/line.h"
#include "clock/record.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The curve of a thread (clock/line.h) for readings by other threads, and by the thread itself in a signal handler
 * that has interrupted a resync. All readers must agree, and therefore fix the curve one after the other
 * (clock/words.h):
 *   - Within reach of the anchor the curve is the anchor's line. The thread extrapolates along it without
 *     asking anybody, never beyond the reach; others move the frontier along it.
 *   - Beyond it, the thread cannot extrapolate any more. The first reader ends the line there and leaves the frontier
 *     free. From then on each reading steers towards the kernel's split, as far as 0 <= user <= CPU since the last
 *     point allows.
 *   - The thread's next resync starts a line where the frontier is.
 *
 * A reading of CPU time alone fixes no user time, and only raises the floor. The floor is raised before anyone returns
 * a CPU time, so that the thread never returns less.
 */

/* The user time of a thread according to the kernel. */
struct tclk_aim {
    uint32_t share;           /* the user share */
    bool is_slope;            /* the share is of the CPU time since the last point, not of all */
    struct tclk_point origin; /* otherwise it is of all CPU time since this point (clock/origin.h) */
};

enum tclk_advance {
    TCLK_ADVANCE_DONE,
    /* the curve is free there, and no aim was given: ask the kernel, and call again */
    TCLK_ADVANCE_AIMLESS,
    TCLK_ADVANCE_ENDED /* the record no longer belongs to this thread */
};

/* The point of the curve at a CPU time that the kernel has told, or a later point if more has been returned already.
 * `aim` may be NULL. Lock-free, async-signal-safe. */
enum tclk_advance tclk_curve_advance(struct tclk_record *record, pid_t tid, int64_t cpu_ns, const struct tclk_aim *aim,
                                     struct tclk_point *point);

/* As tclk_curve_advance() for CPU time alone; never returns TCLK_ADVANCE_AIMLESS. */
enum tclk_advance tclk_curve_advance_cpu(struct tclk_record *record, pid_t tid, int64_t *cpu_ns);

/* The last point that the owner or another thread has fixed, or a later one; the owner's next line starts there.
 * `line` is the line of the anchor in use. Only the owner may call this. */
struct tclk_point tclk_curve_last(const struct tclk_record *record, struct tclk_frontier frontier,
                                  const struct tclk_line *line);

/* Sets `last`, the last point of a curve. If nothing of the curve is fixed yet, it begins at `cpu_ns`, on the line
 * of threads without a record (clock/process_share.h) if there have been any. */
void tclk_curve_begin(struct tclk_point *last, int64_t cpu_ns);

/* What a reader loads before it asks the kernel (clock/origin.h). Any thread may call this. */
struct tclk_past {
    struct tclk_point origin;
    /* The kernel's time, with the origin added, is no less, unless the thread has been restored, or another one has
     * its tid. */
    int64_t least_ns;
};

struct tclk_past tclk_curve_past(const struct tclk_record *record);

/* Moves the origin of a thread that has been restored since `origin` was loaded to the present point of its curve,
 * unless another thread has moved it. As tclk_origin_move(); any thread may call this. */
bool tclk_curve_resume(const struct tclk_record *record, struct tclk_point origin);

/* Ends the line of a thread that has ended, or will not extrapolate any more, so that the curve is free from its
 * last point. */
void tclk_curve_set_free(struct tclk_record *record);

#endif
