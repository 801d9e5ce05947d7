/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_POLLER_H
#define TCLK_SERVE_POLLER_H

#include "serve/budget.h"
#include "serve/thread_table.h"
#include "serve/virtual_pools.h"

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <time.h>

/*
 * Polls the times of the threads of this process, within the budget.
 *
 * A thread that has run in the last second is read at each poll; the others are read in turn, as far as the budget
 * allows: each of 5,000 sleeping threads is read about once in two seconds. Each reading is reported with its age. Two
 * costs are not part of the budget: a quarter of a percent of a core for finding and naming new threads, and the first
 * poll, which reads all threads and their names (about 12 us each).
 */
#define TCLK_POLLER_HOT_NS INT64_C(1000000000)

/* Calls tclk_thread_table_tell_java_id() for each thread whose Java thread id is known. */
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
    struct tclk_virtual_pools pools;
    tclk_java_ids java_ids;
    int64_t taken_ns; /* CLOCK_MONOTONIC of the last poll; 0: none yet */
    int64_t paid_ns;  /* CPU time of the polling thread up to which the budget has paid */
    int64_t cost_ns;  /* of the last poll, with the cost of sending it */
    /* the part of cost_ns that reading threads took, which depends on the budget */
    int64_t reading_ns;
    int64_t fixed_ns;     /* the rest of cost_ns, in the poll before */
    int64_t names_due_ns; /* the time at which a name is read again */
    int64_t ids_due_ns;   /* the time at which Java ids are asked for again */
    uint32_t hot_hand;    /* the thread to be read next */
    uint32_t cold_hand;
    bool is_first;  /* the last poll was the first */
    bool is_behind; /* some thread has not been read at all yet */
};

/* Call this in the thread that will poll. Returns 0 or as tclk_thread_table_open(). */
int tclk_poller_open(struct tclk_poller *poller, tclk_java_ids java_ids);

void tclk_poller_close(struct tclk_poller *poller);

void tclk_poller_poll(struct tclk_poller *poller);

/* Subtracts the CPU time that this thread has used since the last call from the budget. */
void tclk_poller_pay(struct tclk_poller *poller);

/* The next poll should not be earlier than this. Before it, the budget cannot pay the fixed cost of a poll and half
 * as much for reading threads. */
int64_t tclk_poller_next_ns(const struct tclk_poller *poller);

/* The time between two polls for which the budget pays for ever, if all cost what the last one did. What reading may
 * take then is what tclk_poller_next_ns() waits for, and what a poll spends before it looks at the budget. */
int64_t tclk_poller_period_ns(const struct tclk_poller *poller);

/* CPU time of the calling thread; any clock of the kernel; CLOCK_MONOTONIC. */
int64_t tclk_poller_own_cpu_ns(void);
int64_t tclk_poller_clock_ns(clockid_t clock);
int64_t tclk_poller_now_ns(void);

#endif
