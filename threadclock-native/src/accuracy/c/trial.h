/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCURACY_TRIAL_H
#define ACCURACY_TRIAL_H

#include "options.h"
#include "worker.h"
#include "workload.h"

/* One workload, read by some readers of which one at most is the library's. */
struct trial {
    const struct workload *workload;
    unsigned readers;
    bool has_truth; /* it prints the rows on the truth */
    const struct options *options;
};

/* Does it in a process of its own, which prints the rows and ends before this returns or when this
 * process ends. Returns false if that could not be done. */
bool trial_run(const struct trial *trial);

/* As trial_run(), with any body, which returns 0 or -errno; the name is for the message if it fails. */
bool trial_run_in_child(const char *name, int (*body)(const void *), const void *argument);

/* Runs the body in a thread of its own. Returns -errno, or what has become of the worker. */
int trial_run_thread(void *(*body)(void *), void *argument, const struct worker *worker);

/* Leaves the calling thread, and those that it starts, this many of its CPUs, on which they take turns. */
void trial_stay_on_cpus(int count);

#endif
