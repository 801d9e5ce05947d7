/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCURACY_PERIODS_H
#define ACCURACY_PERIODS_H

#include "options.h"
#include "workload.h"

#include <stdbool.h>

/*
 * Measures the cost and the error of a period of `sampled`: in one process the same work is done with one split after
 * the other, round by round, and each is held against the split `kernel` of its own round. Prints the rows whose `over`
 * is "period".
 */

/* Runs a workload that is compared in this way. Returns false if that could not be done. */
bool periods_run(const struct workload *workload, const struct options *options);

#endif
