/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_WATCHERS_H
#define TCLK_TEST_WATCHERS_H

/* Threads that watch their own readings at the same time. */

#include "threads.h"
#include "witness.h"

#define WATCHERS_MOST 8

struct watcher {
    int64_t for_ns;
    struct witness witness;
    pthread_t thread;
};

static inline void *watcher_run(void *watcher)
{
    struct watcher *w = (struct watcher *)watcher;
    w->witness = witness_watch(w->for_ns);
    return NULL;
}

/* The observations of all of them. *idle is the number of those without a reading. */
static inline struct witness watchers_watch(int threads, int64_t for_ns, int64_t *idle)
{
    struct watcher each[WATCHERS_MOST];
    struct witness sum = {0};
    for (int i = 0; i < threads; i++) {
        each[i].for_ns = for_ns;
        each[i].thread = thread_start(watcher_run, &each[i]);
    }
    *idle = 0;
    for (int i = 0; i < threads; i++) {
        pthread_join(each[i].thread, NULL);
        witness_add(&sum, &each[i].witness);
        *idle += each[i].witness.readings == 0;
    }
    return sum;
}

#endif
