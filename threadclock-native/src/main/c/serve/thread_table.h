/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_THREAD_TABLE_H
#define TCLK_SERVE_THREAD_TABLE_H

#include "serve/protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * Who the threads of this process are. The kernel lists them in /proc/self/task, which takes about 1 us a
 * thread, so it is asked when their number has changed, one of them has ended, or some seconds are over,
 * and not too often.
 *
 * One thread's alone. All memory is mapped.
 */
#define TCLK_THREAD_TABLE_MAX (1u << 16)

struct tclk_thread_row {
    pid_t tid;
    uint32_t round;      /* in which it was listed last */
    int64_t raw_ns;      /* the scheduler's sum: unchanged, and the thread has not run */
    int64_t cpu_ns;      /* as it was read */
    int64_t user_ns;     /* likewise */
    int64_t read_ns;     /* when; 0: not yet */
    int64_t ran_ns;      /* when it was last seen to have run */
    int64_t name_due_ns; /* to be named again then; INT64_MAX: in its turn; 0: it is new */
    uint64_t named;      /* the number under which its name was told last; 0: it has none yet */
    int64_t start_ns;
    int64_t java_id;
    char comm[TCLK_REPLY_COMM];
};

struct tclk_thread_table {
    int tasks; /* /proc/self/task */
    uint32_t count;
    uint32_t room;
    struct tclk_thread_row *threads; /* in the kernel's order: by age */
    uint32_t *places;                /* tid -> index + 1, open addressing, 2 * room of them */
    char *entries;                   /* what the kernel lists */
    uint32_t round;
    uint32_t links;          /* of /proc/self/task when it was listed: their number + 2 */
    bool has_ended;          /* one of those that are listed has */
    bool is_cut;             /* there are more than fit */
    int64_t due_ns;          /* when it is to be listed in any case */
    int64_t rest_ns;         /* before which it is not listed again */
    uint64_t named;          /* the number of the last name */
    int64_t carrier_java_id; /* see protocol.h */
    int32_t unsettled;       /* how many are to be named once more */
    uint32_t name_hand;      /* whose turn it is to be named again */
};

/* Opens /proc. Returns 0; -ENOENT: it does not show this thread (not mounted, or of another pid
 * namespace); or what open(2) and mmap(2) answered, with nothing left behind. */
int tclk_thread_table_open(struct tclk_thread_table *table);

void tclk_thread_table_close(struct tclk_thread_table *table);

/* Lists the threads again, if that is due. True if it was done: new ones have no name yet. */
bool tclk_thread_table_update(struct tclk_thread_table *table, int64_t now_ns);

/* The thread of that tid, or NULL. */
struct tclk_thread_row *tclk_thread_table_find(const struct tclk_thread_table *table, pid_t tid);

/* Asks the kernel for a thread's name, if that is due, and tells it if it is new. True if it was asked. */
bool tclk_thread_table_name(struct tclk_thread_table *table, struct tclk_thread_row *thread,
                            int64_t now_ns);

/* Another thread has got this one's tid: it is due to be named at once. */
void tclk_thread_table_doubt(struct tclk_thread_table *table, struct tclk_thread_row *thread);

/* Of one thread, in turn, though it is not due: programs rename their threads. */
void tclk_thread_table_name_again(struct tclk_thread_table *table, int64_t now_ns);

/* A Java thread of that id had the tid at `alive_at_ns` (CLOCK_BOOTTIME). */
void tclk_thread_table_tell_java_id(struct tclk_thread_table *table, pid_t tid, int64_t java_id,
                                    int64_t alive_at_ns);

/* How many threads the process has, by the kernel's own count. */
uint32_t tclk_thread_table_threads(const struct tclk_thread_table *table);

#endif
