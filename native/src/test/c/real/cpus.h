/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_CPUS_H
#define TCLK_TEST_CPUS_H

/* The CPUs on which threads run, and other threads that run there. */

#include "threads.h"

#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <time.h>

#define CPUS_MISSING "two CPUs that this process may use"

/* The first CPUs that this process may use. Returns how many of `max` there are. */
static inline int cpus_allowed(int *cpus, int max)
{
    cpu_set_t set;
    int n = 0;
    sched_getaffinity(0, sizeof set, &set);
    for (unsigned cpu = 0; cpu < CPU_SETSIZE && n < max; cpu++) {
        if (CPU_ISSET(cpu, &set)) {
            cpus[n++] = (int)cpu;
        }
    }
    return n;
}

/* Moves a thread; 0 is the caller. */
static inline bool cpu_pin(pid_t tid, int cpu)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((unsigned)cpu, &set);
    return sched_setaffinity(tid, sizeof set, &set) == 0;
}

/* Lets the caller run on CPU a or b. */
static inline void cpu_pin_to_both(int a, int b)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET((unsigned)a, &set);
    CPU_SET((unsigned)b, &set);
    sched_setaffinity(0, sizeof set, &set);
}

/* A thread that does nothing but compute, on one CPU, and takes no signal. */
struct spinner {
    pthread_t thread;
    int64_t turns;
    int cpu;
    bool ends;
};

/* Grows while it runs: what another thread on its CPU sees without a call. */
static inline int64_t spinner_turns(const struct spinner *spinner)
{
    return __atomic_load_n(&spinner->turns, __ATOMIC_RELAXED);
}

static inline void *spinner_body(void *argument)
{
    struct spinner *spinner = argument;
    cpu_pin(0, spinner->cpu);
    while (!__atomic_load_n(&spinner->ends, __ATOMIC_RELAXED)) {
        __atomic_store_n(&spinner->turns, spinner->turns + 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

static inline void spinner_start(struct spinner *spinner, int cpu)
{
    sigset_t all;
    sigset_t before;
    *spinner = (struct spinner){.cpu = cpu};
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    if (pthread_create(&spinner->thread, NULL, spinner_body, spinner) != 0) {
        exit(2);
    }
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static inline void spinner_stop(struct spinner *spinner)
{
    __atomic_store_n(&spinner->ends, true, __ATOMIC_RELAXED);
    pthread_join(spinner->thread, NULL);
}

/* A thread that moves another one from CPU to CPU and back. */
struct mover {
    struct repeater repeater;
    pid_t tid;
    const int *cpus; /* two */
    int moves;
    struct timespec rest;
};

static inline void mover_step(void *argument)
{
    struct mover *mover = argument;
    cpu_pin(mover->tid, mover->cpus[mover->moves++ % 2]);
    nanosleep(&mover->rest, NULL);
}

static inline void mover_start(struct mover *mover, pid_t tid, const int *cpus, long rest_ns)
{
    *mover = (struct mover){.tid = tid, .cpus = cpus, .rest = {.tv_nsec = rest_ns}};
    repeater_start(&mover->repeater, mover_step, mover);
}

static inline void mover_stop(struct mover *mover)
{
    repeater_stop(&mover->repeater);
}

#endif
