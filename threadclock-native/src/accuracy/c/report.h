/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCURACY_REPORT_H
#define ACCURACY_REPORT_H

#include "series.h"
#include "workload.h"

/* The rows of one run of a workload, of all its threads together, by the readers that took part. The format is
 * described in accuracy.c. */
struct report {
    const struct workload *workload;
    unsigned readers;
    bool has_truth; /* print the rows on the truth, too */
    bool has_seconds;
    const struct series *series;
    size_t series_count;
};

/* Returns 0 or -ENOMEM. */
int report_print(const struct report *report);

/* The beginning of the rows of one reader. */
struct report_row {
    const char *workload;
    const char *over;
    const char *reader;
};

/* Reports windows that READER_SAMPLED has read, whatever the split. Returns 0 or -ENOMEM. */
int report_user_errors(const struct report_row *row, const struct series *series);

/* How much more CPU time the same work has taken in each round, %. */
void report_more(const struct report_row *row, double *more, size_t rounds);

/* Reports how far run-queue delay was off in each window, in % of its wall time, and which part of that time the thread
 * has waited in truth, in %. */
void report_waits(const struct report_row *row, double *errors, size_t count, double waited);

#endif
