/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCURACY_WORKLOAD_H
#define ACCURACY_WORKLOAD_H

#include "work.h"
#include "worker.h"

#include <stdbool.h>
#include <stddef.h>

/* How its threads come and go. */
enum workload_threads {
    WORKLOAD_ONE_THREAD,
    WORKLOAD_EIGHT_THREADS, /* on two CPUs */
    WORKLOAD_SHORT_THREADS  /* each does one window */
};

/* A burst at one phase of the tick; all in parts of the tick's length. */
struct workload_burst {
    double start; /* after a tick */
    double user;
    double system;     /* after it */
    double least_hits; /* which part of the bursts a tick must find in user mode for this to be what it says */
    double most_hits;
};

struct workload {
    const char *name;
    void (*window)(struct worker *worker); /* the work of one */
    const char *unit;                      /* what such a window is: "10ms", "request", "thread" */
    enum workload_threads threads;
    bool sleeps;    /* then a second is one of wall time: of CPU time it would take minutes */
    bool by_period; /* each period of `sampled` is tried on it (periods.h) */
    bool glances;   /* is read once per ms, too, as by a program that reads often */
    enum work_call call;
    double half_ns;
    struct workload_burst burst;
};

extern const struct workload workloads[];
extern const size_t workload_count;

/* NULL if there is none of this name. */
const struct workload *workload_of_name(const char *name);

#endif
