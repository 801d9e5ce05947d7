/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCURACY_H
#define ACCURACY_H

#include "include/threadclock.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#define US 1e3
#define MS 1e6
#define S 1e9

static inline double now_ns(clockid_t id)
{
    struct timespec t = {0, 0};
    clock_gettime(id, &t);
    return (double)t.tv_sec * S + (double)t.tv_nsec;
}

static inline int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

/* ---- work.c ---- */

/* A COPY takes about 2 or 10 us, as short and long system calls of real programs. READING is no work, but costs. */
enum work { READING, SPIN, COPY_SHORT, COPY_LONG, GETPPID, PREAD, WRITE, MMAP, WORKS };

/* The cost of one piece of each kind when nobody disturbs it, and of it in user mode: the same not for real, without
 * the calls into the kernel. By these the work of a window is measured out, and a stretch that was interrupted is told
 * from one that was not. */
extern struct work_cost {
    double ns, user_ns;
} work_costs[WORKS];
extern double work_ns_per_count;

void work_do(enum work kind, bool is_real, int64_t pieces);

/* Finds the costs, in some 200 ms. Returns 0 or -errno. */
int work_prepare(void);

/* ---- workload.c ---- */

/* What a window of work has cost, in truth and as it is read. PROC, TICKS and LIBRARY are the user time that they tell.
 * In windows of a thread that waits, CPU is the wall time, and USER and LIBRARY are how long it has waited. */
enum figure { CPU, WALL, USER, CPU_ERROR, PROC, TICKS, LIBRARY, WORK_START, WORK_END, SLEEPS, FIGURES };

struct window {
    double ns[FIGURES];
};

static inline void window_add(struct window *sum, const struct window *window)
{
    for (int i = 0; i < FIGURES; i++) {
        sum->ns[i] += window->ns[i];
    }
}

#define WINDOWS_MAX 8192 /* of a thread; those of 2 ms in 6.5 s are half of it */
#define THREADS_MAX 8

/* A thread that does a workload's windows one after the other, and is read between them. */
struct worker {
    const struct workload *workload;
    bool reads_proc;
    int number, turn;         /* which of several threads; how many windows it has done, warm-up included */
    unsigned short random[3]; /* the same numbers in every run */
    bool is_copying;          /* the half of a mix that it is in, */
    double left_ns;           /* of which so much is left */
    struct meter {
        uint64_t end, glanced; /* the counts when the last stretch ended, and when the thread last glanced */
        double user_ns, system_ns;
        double user_excess_ns, system_excess_ns; /* of stretches much longer than expected */
        double sleep_cpu_ns;                     /* CPU time of going to sleep and waking up: all system */
    } meter;
    struct tick {
        double length_ns, at_ns; /* 1/HZ; some tick, on CLOCK_MONOTONIC */
        int bursts;
    } tick;
    int error;
    size_t count;
    struct window *windows;
};

struct workload {
    const char *name, *unit; /* what a window is: "10ms", "request", "thread", "100ms" of waits */
    void (*do_window)(struct worker *worker);
    bool sleeps;  /* then a second is one of wall time: of CPU time it would take minutes */
    bool glances; /* is read once per ms, too, as by a program that reads often */
    int others;   /* threads that do the same, all on two CPUs */
    enum work kind;
    double ns, least_ns, half_ns; /* of a window; of its half */
    struct {                      /* a burst at one phase of the tick; all in parts of the tick's length */
        double start, user, system;
        double least_hits, most_hits; /* how often a tick must find it in user mode for this to be what it says */
    } burst;
    int rivals; /* of a thread that waits: others on its CPU, which compute, too */
    bool waits, is_idle, has_quota;
};

#define WORKLOADS 22
extern const struct workload workloads[WORKLOADS];

/* Records windows for so much wall time or CPU time, whichever is over first, and one at least. */
void worker_record(struct worker *worker, double wall_ns, double cpu_ns);

/* ---- report.c ---- */

extern bool report_is_planted; /* the readers take user time for system time, to see that it shows */

void report_head(void);

/* Prints the errors of windows of one length, and holds them to the bounds. */
void report_errors(const char *workload, const char *unit, const char *reader, enum figure told,
                   const struct window *windows, size_t count);

/* Prints each bound and the worst that was measured. Returns whether all are kept. */
bool report_bounds(void);

#endif
