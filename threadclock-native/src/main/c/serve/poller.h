/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_POLLER_H
#define TCLK_SERVE_POLLER_H

#include "serve/budget.h"
#include "serve/thread_table.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/*
 * What the threads of this process have cost, looked at again and again within the budget.
 *
 * Those that have run in the last second are read at each look; the others in turn, as far as the budget
 * goes: of 5,000 threads that sleep each is read about once in two seconds. How old a reading is, is told
 * with it. Beyond the budget there are a quarter of a percent of a core for finding and naming new threads,
 * and the first look: it reads all threads and their names (about 12 us each).
 */
#define TCLK_POLLER_HOT_NS INT64_C(1000000000)

/* Tells each thread of which the Java thread id is known, by tclk_thread_table_tell_java_id(). */
typedef void (*tclk_java_ids)(struct tclk_thread_table *table);

struct tclk_process_totals {
    int64_t at_ns; /* CLOCK_MONOTONIC; 0: not yet */
    int64_t cpu_ns;
    int64_t user_ns;
    int64_t due_ns;
};

struct tclk_poller {
    struct tclk_thread_table table;
    struct tclk_budget budget;
    struct tclk_process_totals process;
    tclk_java_ids java_ids;
    int64_t taken_ns;   /* CLOCK_MONOTONIC of the last look; 0: none yet */
    int64_t paid_ns;    /* CPU time of this thread that is accounted for */
    int64_t cost_ns;    /* of the last look, with what it took to tell it */
    int64_t reading_ns; /* the part of it that reading threads took, which goes as far as it may */
    int64_t fixed_ns;   /* the other part, of the look before */
    int64_t ids_due_ns; /* when Java ids are asked for again */
    uint32_t hot_hand;  /* whose turn it is */
    uint32_t cold_hand;
    bool is_first;  /* the last look was */
    bool is_behind; /* some thread has not been read at all yet */
};

/* In the thread that is to look. Returns 0 or as tclk_thread_table_open(). */
int tclk_poller_open(struct tclk_poller *poller, tclk_java_ids java_ids);

void tclk_poller_close(struct tclk_poller *poller);

void tclk_poller_poll(struct tclk_poller *poller);

/* Takes what this thread has cost since from the budget. */
void tclk_poller_pay(struct tclk_poller *poller);

/* Before that the next look is too early: what it costs to tell of threads could not be paid for, nor half
 * as much for reading them. */
int64_t tclk_poller_next_ns(const struct tclk_poller *poller);

/* CPU time of the calling thread; a clock of the machine; CLOCK_MONOTONIC. */
int64_t tclk_poller_own_cpu_ns(void);
int64_t tclk_poller_clock_ns(clockid_t clock);
int64_t tclk_poller_now_ns(void);

#endif
