/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCURACY_CALIBRATION_H
#define ACCURACY_CALIBRATION_H

#include "work.h"

#include <stdint.h>

/*
 * The cost of one piece of each kind of work on this machine when nobody disturbs it: of many short runs, one of the
 * quickest. By these the work of a window is measured out, a stretch that was interrupted is told from one that was
 * not, and the truth is checked in a second way.
 */

/* System calls of two lengths, by how much they copy. */
enum calibration_copy { CALIBRATION_COPY_SHORT, CALIBRATION_COPY_LONG, CALIBRATION_COPIES };

struct calibration {
    double ns_per_count;
    double spin_ns; /* one iteration */
    struct {
        int64_t bytes;
        double ns;
    } copies[CALIBRATION_COPIES];
    struct {
        double ns;           /* one call */
        double user_ns;      /* of it, with the call replaced by one that returns at once */
        double bracketed_ns; /* of it, outside a look at the counter before the call and one after */
    } calls[WORK_CALLS];
};

extern struct calibration calibration;

/* Takes some 200 ms, once, in the process that starts the others: their threads begin with a clean slate. In a
 * second thread: of a process with only one, the kernel looks up files at a lower price. Returns 0
 * or -errno. */
int calibration_run(void);

#endif
