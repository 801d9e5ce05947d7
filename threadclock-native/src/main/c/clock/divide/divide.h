/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_DIVIDE_DIVIDE_H
#define TCLK_CLOCK_DIVIDE_DIVIDE_H

#include "clock/curve.h"
#include "clock/divide/look.h"
#include "clock/proof.h"
#include "clock/record.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * How a thread's CPU time is divided into user and system time: the one door to clock/divide/.
 *
 * A resync begins with tclk_divide_begin(), looks (tclk_divide_look()), makes the look a line (tclk_divide_line()) for
 * a while (tclk_divide_window_ns()), and notes it (tclk_divide_note()). Others ask for the thread's share
 * (tclk_divide_share()). At the thread's end, tclk_divide_end() leaves nothing behind.
 *
 *   divide.c -> kernel_share.c -> bout.c -> sampler.c, steer.c, tally.c
 *
 * All of it is for the calling thread and its record, and async-signal-safe, if nothing else is said.
 */

/* Begins or ends the thread's samples, as the settings want. Does nothing while a resync that this one
 * has interrupted replaces the anchor. */
void tclk_divide_begin(struct tclk_record *record);

/* Looks at what is due: the kernel's split, the samples. Call this after the CPU clock was read, because
 * that brings the kernel's sums up to date. `origin` was loaded before that. */
void tclk_divide_look(const struct tclk_record *record, int64_t cpu_ns, struct tclk_point origin,
                      struct tclk_look *look);

/* Looks at the samples alone, for a new line of the same anchor. */
void tclk_divide_look_again(const struct tclk_record *record, int64_t cpu_ns, struct tclk_look *look);

/* The line by which user time goes on. `last` is the last point that is fixed, `rate` the slope until now. */
struct tclk_line tclk_divide_line(const struct tclk_look *look, struct tclk_point last, int64_t cpu_ns, uint32_t rate);

/* The time from the anchor until the line ends, which is `passed_ns` old. It is shorter than the window if samples may
 * show a change. */
int64_t tclk_divide_window_ns(const struct tclk_look *look, int64_t passed_ns, int64_t window_ns);

/* Notes that this look has become a line that starts at `start`. */
void tclk_divide_note(struct tclk_record *record, int64_t cpu_ns, const struct tclk_look *look,
                      const struct tclk_point *start);

/* Whether a line may be followed without a look until one is due; and whether it is. */
bool tclk_divide_follows_line(const struct tclk_record *record);
bool tclk_divide_is_due(const struct tclk_record *record, int64_t cpu_ns);

/* The thread's share by its samples, if it has any. Any thread may call this. */
bool tclk_divide_share(const struct tclk_record *record, uint32_t *share);

/* The aim to which the curve is steered if there is no anchor to be set. Returns 0 or -errno. */
int tclk_divide_aim(const struct tclk_record *record, struct tclk_aim *aim);

/* Ends the thread's samples when it ends; another thread may call this if it has ended without. Nothing stays armed. */
void tclk_divide_end(struct tclk_record *record);

/* Call this in a child of fork(), before a second thread exists. */
void tclk_divide_after_fork(void);

/* The page of the thread's samples as a detector; NULL if it is none. */
struct tclk_perf_page *tclk_divide_page(const struct tclk_record *record);

/* Whether threads of this process can have bouts; TCLK_NOT_TRIED if none was old enough. */
struct tclk_verdict tclk_divide_verdict(void);

/* The number of threads that were refused samples after the process had been accepted, and why the last one was. */
uint32_t tclk_divide_refused(struct tclk_verdict *last);

#endif
