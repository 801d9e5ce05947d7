/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_EPOCH_H
#define TCLK_CLOCK_EPOCH_H

#include "clock/record.h"
#include "clock/split.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A process that is restored from a checkpoint (CRIU, CRaC) has its memory, tids and pid as they were, but its
 * threads are new to the kernel: their CPU clocks, ticks and switches start at 0 again. A thread's curve goes on
 * from where it was, its origin (tclk_record_origin()): what the kernel tells from then on is what has passed since.
 *
 * A restore is told by the kernel alone, whose own count of a thread never goes back:
 *   - the thread itself has found less CPU time, or fewer switches, than the kernel had told it before. The
 *     counter does not come into it, so that its jumps are not taken for a restore;
 *   - another thread has found less CPU time, and the process was started after the tid was seen (or the tid was
 *     seen at a time that has not come yet: the other host's). Less CPU time alone is a thread that has got
 *     the tid.
 * A thread that has used and switched more since the restore than ever before, when it is first looked at, is not
 * found out: what it had used before is not told any more; nothing steps back.
 *
 * Whoever is about to ask the kernel loads the origin, and what has been told, before: so a restore in between
 * is noticed, and an origin is not added to what the kernel told before it. The origin is exchanged against the
 * one that was loaded; so it is moved once, however many find out.
 */

/* The thread has been restored since `origin` was loaded: it is where the curve is now, unless somebody else has
 * moved it. Async-signal-safe. True: there is another origin by now. False: the figures wait, as there is no
 * memory, or nothing has been told since. */
bool tclk_epoch_begin(struct tclk_record *record, struct tclk_point origin);

enum tclk_restored { TCLK_RESTORED_NOT, TCLK_RESTORED, TCLK_RESTORED_UNKNOWN };

/* Has this process been restored since `seen_ns`, of CLOCK_BOOTTIME? Reads /proc/self/task/PID/stat: unknown where
 * that cannot be read. */
enum tclk_restored tclk_epoch_restored_since(int64_t seen_ns);

/* What the kernel has told of a thread by now, as far as that is known: never more. Whoever asks next is told no less,
 * unless the thread has been restored, or another one has its tid. Where the thread has extrapolated it may have
 * run ahead of the kernel, by a window or two. */
#define TCLK_EPOCH_AHEAD_MOST_NS INT64_C(1000000000)

static inline int64_t tclk_epoch_told_ns(const struct tclk_record *record)
{
    int64_t floor_ns = tclk_moment_cpu_ns(tclk_record_floor(record));
    if (__atomic_load_n(&record->generation, __ATOMIC_ACQUIRE) == 0) {
        return floor_ns;
    }
    int64_t anchor_ns =
        tclk_moment_cpu_ns(__atomic_load_n(&record->anchor.moment, __ATOMIC_RELAXED));
    int64_t surely_ns = floor_ns - TCLK_EPOCH_AHEAD_MOST_NS;
    return anchor_ns > surely_ns ? anchor_ns : surely_ns;
}

/* Less is not rounding. */
#define TCLK_EPOCH_BACK_MIN_NS INT64_C(1000000)

static inline bool tclk_epoch_cpu_went_back(int64_t from_ns, int64_t to_ns)
{
    return to_ns < from_ns - TCLK_EPOCH_BACK_MIN_NS;
}

/* Both modulo 2^32. */
static inline bool tclk_epoch_switches_went_back(uint32_t from, uint32_t to)
{
    return (int32_t)(to - from) < 0;
}

#endif
