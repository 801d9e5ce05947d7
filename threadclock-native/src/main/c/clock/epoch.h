/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_EPOCH_H
#define TCLK_CLOCK_EPOCH_H

#include "clock/line.h"
#include "clock/record.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * A process that is restored from a checkpoint (CRIU, CRaC) has its memory, tids and pid as they were, but its threads
 * are new to the kernel: their CPU clocks, ticks and switches start at 0 again. A thread's curve goes on from the point
 * where it was, its origin (tclk_record_origin()). From then on, the kernel's times are added to the origin.
 *
 * Only the kernel's times show a restore, because its counts of a thread never go back otherwise:
 *   - the thread itself has found less CPU time, or fewer switches, than the kernel had told it before. The counter is
 *     not used for this, so that its jumps are not taken for a restore;
 *   - another thread has found less CPU time, and the process was started after the tid was seen (or the tid was seen
 *     at a time that has not come yet, because it is the other host's). If there is only less CPU time, another thread
 *     has got the tid.
 *
 * The restore of a thread is not noticed if, when it is first read, the thread has used more CPU time since then, and
 * has been switched more often, than ever before. Its times then lack what it had used before the restore, but they do
 * not step back.
 *
 * A reader loads the origin, and the last times that were told, before it asks the kernel. Therefore a restore in
 * between is noticed, and a new origin is never added to an old time. The origin is exchanged for the one that was
 * loaded; therefore it moves once, however many readers notice the restore.
 */

/* Moves the origin of a thread that has been restored since `origin` was loaded to the present point of its curve,
 * unless another thread has moved it. Async-signal-safe. True: there is a new origin. False: there is no memory, or
 * nothing has been told since, and the thread's times stand still. */
bool tclk_epoch_begin(struct tclk_record *record, struct tclk_point origin);

enum tclk_restored { TCLK_RESTORED_NOT, TCLK_RESTORED, TCLK_RESTORED_UNKNOWN };

/* Whether this process has been restored since `seen_ns`, of CLOCK_BOOTTIME. Reads /proc/self/task/PID/stat; unknown
 * if that cannot be read. */
enum tclk_restored tclk_epoch_restored_since(int64_t seen_ns);

/* A lower bound for the kernel's time of a thread. The next reading from the kernel is no less, unless the thread
 * has been restored, or another one has its tid. A thread that has extrapolated may have run ahead of the kernel, by
 * a window or two. */
#define TCLK_EPOCH_AHEAD_MOST_NS INT64_C(1000000000)

static inline int64_t tclk_epoch_told_ns(const struct tclk_record *record)
{
    int64_t floor_ns = tclk_moment_cpu_ns(tclk_record_floor(record));
    if (tclk_record_generation(record) == 0) {
        return floor_ns;
    }
    int64_t kernels_ns = tclk_record_kernels_ns(record);
    int64_t surely_ns = floor_ns - TCLK_EPOCH_AHEAD_MOST_NS;
    return kernels_ns > surely_ns ? kernels_ns : surely_ns;
}

/* A smaller difference is rounding. */
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
