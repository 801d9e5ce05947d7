/* SPDX-License-Identifier: Apache-2.0 */
#ifndef ACCURACY_TICK_H
#define ACCURACY_TICK_H

#include <stdbool.h>
#include <stdint.h>

/* When the clock tick comes, and how often bursts of work have met it. */
struct tick {
    int64_t length_ns; /* 1/HZ */
    int64_t at_ns;     /* some tick, on CLOCK_MONOTONIC */
    int64_t bursts;
    int64_t hits;      /* bursts in which a tick has found the thread in user mode */
    int64_t ticked_ns; /* user ticks so far */
};

/* Binds the thread to the CPU that it is on, asks for sharp wake-ups, and waits for two ticks. */
void tick_find(struct tick *tick);

/* Sleeps until a moment that is `offset_ns` after a tick. A thread that is woken too late sleeps until the next one. */
void tick_sleep_until(const struct tick *tick, int64_t offset_ns);

/* Around a burst: has a tick found it? */
void tick_watch(struct tick *tick);
void tick_count(struct tick *tick);

#endif
