/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCURACY_WORKER_H
#define ACCURACY_WORKER_H

#include "meter.h"
#include "series.h"
#include "tick.h"
#include "work.h"

#include <stdbool.h>
#include <stdint.h>

struct workload;

/* A thread that does a workload's windows one after the other, and is read between them. */
struct worker {
    const struct workload *workload;
    unsigned readers;
    int64_t warm_up_ns; /* of CPU time */
    int64_t record_ns;  /* of wall time */
    int number;         /* which of several threads */
    uint64_t turn;      /* how many windows there have been, warm-up included */
    uint64_t random;    /* state; the same numbers in every run */
    uint64_t glanced;   /* the count when it last did */
    double left_ns;     /* of the half of a mix that it is in */
    bool is_in_system;  /* that half is the system half */
    struct meter meter;
    struct tick tick;
    struct series series;
    int error;
};

/* Does windows without recording them: for warm_up_ns, or twice as much wall time if others have the CPU. */
void worker_warm_up(struct worker *worker);

/* Records windows for record_ns, and one at least. */
void worker_record(struct worker *worker);

/* One window more at the end of the series; so many more. */
void worker_record_one(struct worker *worker);
void worker_record_windows(struct worker *worker, int count);

/* One window without recording it. */
void worker_do_one(struct worker *worker);

/* ---- what windows are made of ---- */

void worker_compute(struct worker *worker, double ns);
void worker_copy(struct worker *worker, double ns);
void worker_call(struct worker *worker, enum work_call call, double ns);
void worker_sleep(struct worker *worker, int64_t ns);

/* Units of `unit_ns`, each with `share` of user time and then the rest, until `ns` are over. */
void worker_mix(struct worker *worker, double ns, double unit_ns, double share);

/* Evenly spread over [low, high). */
double worker_random(struct worker *worker, double low, double high);

#endif
