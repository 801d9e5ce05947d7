/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCURACY_METER_H
#define ACCURACY_METER_H

#include <stdint.h>

/*
 * The truth about one window of work: how much of its CPU time was user time.
 *
 * The work is a chain of stretches, each of user time or of system calls alone, and each begins at the
 * count at which the one before ended. So user time is the sum of the user stretches' lengths, and
 * system time the rest; a system call counts from just before the call to just after it, which lends it
 * a few ns of user time. Interrupts belong to what they interrupt.
 *
 * Counts go on while the thread is switched out, CPU time does not. What the counts have in excess of
 * the kernel's CPU clock over the window is time away; it lies in those stretches that took much
 * longer than calibrated, and is taken from them in proportion to how much longer.
 *
 * A stretch of many short system calls cannot be divided in this way: there the user part of a call is
 * its calibrated cost with the call into the kernel replaced. The way into the kernel and back counts as
 * system time.
 */
struct meter {
    uint64_t last;           /* the count at which the last stretch ended */
    double user_ns;          /* by the counter */
    double system_ns;        /* likewise */
    double user_excess_ns;   /* of stretches much longer than calibrated */
    double system_excess_ns; /* likewise */
    double calibrated_user_ns;
    double calibrated_system_ns;
    int64_t sleep_cpu_ns; /* CPU time of going to sleep and waking up: all system */
    int64_t pause_start_ns;
};

struct truth {
    double user_ns;
    double check_ns; /* user time by calibrated costs alone */
    double away_ns;  /* what the counts had in excess of CPU time */
    double extra_ns; /* what CPU time had in excess of calibrated costs */
};

void meter_start(struct meter *meter);

/* The stretch since the last one was user time; calibrated, it takes so long. */
void meter_user(struct meter *meter, double calibrated_ns);

/* The stretch since the last one was system calls. */
void meter_system(struct meter *meter, double calibrated_ns);

/* The stretch since the last one was system calls of which so much was user time; by the second way of
 * calibrating, so much. */
void meter_calls(struct meter *meter, double calibrated_ns, double user_ns, double check_user_ns);

/* Around a sleep. */
void meter_pause(struct meter *meter);
void meter_resume(struct meter *meter);

/* cpu_ns: what the kernel says of the window's CPU time. */
struct truth meter_truth(const struct meter *meter, int64_t cpu_ns);

#endif
