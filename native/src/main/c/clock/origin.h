/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_ORIGIN_H
#define TCLK_CLOCK_ORIGIN_H

#include "clock/line.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * A process that is restored from a checkpoint (CRIU, CRaC) has its memory, tids and pid as they were, but its threads
 * are new to the kernel: their CPU clocks, ticks and switches start at 0 again. A thread's curve goes on from the point
 * where it was, its origin. From then on, the kernel's times are added to the origin.
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
 * A reader loads the origin, and the last times that were told, before it asks the kernel (tclk_curve_past()).
 * Therefore a restore in between is noticed, and a new origin is never added to an old time. The origin is exchanged
 * for the one that was loaded; therefore it moves once, however many readers notice the restore
 * (tclk_curve_resume()).
 */

/* The point at which the kernel's clocks of the thread were 0 whose record has this index; 0, 0 if the thread was
 * never restored. */
struct tclk_point tclk_origin_at(uint32_t index);

/* Exchanges the origin if it is still the one that was loaded. True: there is a new one. False: there is no memory, or
 * nothing has been told since, and the thread's times stand still. */
bool tclk_origin_move(uint32_t index, struct tclk_point from, struct tclk_point to);

/* Call this when the record is taken for another thread. */
void tclk_origin_forget(uint32_t index);

enum tclk_restored { TCLK_RESTORED_NOT, TCLK_RESTORED, TCLK_RESTORED_UNKNOWN };

/* Whether this process has been restored since `seen_ns`, of CLOCK_BOOTTIME. Reads /proc/self/task/PID/stat; unknown
 * if that cannot be read. */
enum tclk_restored tclk_origin_restored_since(int64_t seen_ns);

/* Whether the kernel's figures of a thread show that they have started again. Switches are modulo 2^32. */
bool tclk_origin_shown_by_cpu(int64_t from_ns, int64_t to_ns);
bool tclk_origin_shown_by_switches(uint32_t from, uint32_t to);

#endif
