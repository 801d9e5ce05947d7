/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_WATCHERS_H
#define TCLK_TEST_WATCHERS_H

/* Threads that watch their own readings at the same time. */

#include "leftovers.h"
#include "threads.h"
#include "witness.h"

#define WATCHERS_MOST 8

static int64_t watchers_ns;

static inline void *watcher_run(void *witness)
{
    *(struct witness *)witness = witness_watch(watchers_ns);
    return NULL;
}

/* The observations of so many threads that watch in this way. *idle is the number of those without a reading. */
static inline struct witness watchers_sum(int threads, void *(*watch)(void *), int64_t *idle)
{
    struct witness each[WATCHERS_MOST] = {{0}};
    struct witness sum = {0};
    in_threads(threads, watch, each, sizeof each[0]);
    *idle = 0;
    for (int i = 0; i < threads; i++) {
        witness_add(&sum, &each[i]);
        *idle += each[i].readings == 0;
    }
    return sum;
}

/* So many threads that watch in this way keep the laws of readings, and leave nothing behind. */
static inline struct witness watchers_hold(int threads, void *(*watch)(void *), const char *source, const char *who)
{
    int64_t idle;
    times_now();
    struct leftovers before = leftovers_now();
    struct witness sum = watchers_sum(threads, watch, &idle);
    witness_confirms(&sum, source, who);
    leftovers_none(before, who);
    return sum;
}

static inline struct witness watchers_watch(int threads, int64_t for_ns, int64_t *idle)
{
    watchers_ns = for_ns;
    return watchers_sum(threads, watcher_run, idle);
}

#endif
