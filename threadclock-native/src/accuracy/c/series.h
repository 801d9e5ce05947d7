/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCURACY_SERIES_H
#define ACCURACY_SERIES_H

#include "meter.h"
#include "reader.h"

#include <stdbool.h>
#include <stddef.h>

/* One window of work: what it truly cost, and what the readers make of it. */
struct window {
    int64_t cpu_ns;
    int64_t wall_ns;
    double user_ns;
    double check_ns;
    double away_ns;
    double extra_ns;
    int64_t cpu_error_ns;
    int64_t read_ns[READERS]; /* user time */
};

/* The windows of one thread, each of which begins where the one before ended. */
struct series {
    struct window *windows;
    size_t count;
};

#define SERIES_MAX 16384

/* The windows are in memory that child processes share. Returns 0 or a negative errno. */
int series_start(struct series *series);

/* A window between two readings; beyond SERIES_MAX it is dropped. */
void series_add(struct series *series, const struct reading *from, const struct reading *to, struct truth truth);

/* Joins windows until they have `length_ns` of CPU time (or wall time); what is left at the end is dropped.
 * `joined` holds series->count windows at most. Returns how many there are. */
size_t series_join(const struct series *series, int64_t length_ns, bool is_wall, struct window *joined);

/* Exchanges user and system time in the truth, or in all readings: on purpose, to see that it shows. */
void series_plant(struct series *series, bool in_truth, bool in_readings);

#endif
