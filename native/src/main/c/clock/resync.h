/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_RESYNC_H
#define TCLK_CLOCK_RESYNC_H

#include "clock/record.h"

/*
 * The slow half of a read: asks the kernel, and sets a new anchor if the thread has a detector, in the order of
 * README.md beside this file. A signal handler that reads the clock before the stores that `writing` guards publishes
 * an anchor of its own; the generation shows this, and the resync keeps the handler's line, but disarms its anchor. A
 * resync that loses its marker three times leaves the thread unarmed.
 */

/* Async-signal-safe, takes no lock. Returns 0, or the -errno of clock_gettime(2). */
int tclk_resync(struct tclk_record *record, struct tclk_point *point);

#endif
