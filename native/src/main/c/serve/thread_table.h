/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_THREAD_TABLE_H
#define TCLK_SERVE_THREAD_TABLE_H

#include "serve/protocol.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The threads of this process and their names. The kernel lists threads in /proc/self/task, which takes about 1 us a
 * thread. Therefore they are listed only if their number has changed, one of them has ended, or some seconds have
 * passed, and not too often. Only one thread may use a table. All its memory is mapped.
 */
#define TCLK_THREAD_TABLE_MAX (1u << 16)

struct tclk_thread_row {
    pid_t tid;
    uint32_t round;  /* the last listing that had the thread */
    int64_t raw_ns;  /* the scheduler's sum; if it has not changed, the thread has not run */
    int64_t cpu_ns;  /* the last reading */
    int64_t user_ns; /* the last reading */
    int64_t read_ns; /* when it was read; 0: not yet */
    int64_t ran_ns;  /* when it was last seen to have run */
    /* the time at which its name is read again; INT64_MAX: in its turn; 0: it is new */
    int64_t name_due_ns;
    uint64_t named; /* the number under which its name was reported last; 0: it has none yet */
    int64_t start_ns;
    int64_t java_id;
    bool carries; /* virtual threads */
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
    uint32_t links;     /* links of /proc/self/task at the last listing: the number of threads + 2 */
    bool has_ended;     /* a listed thread has ended */
    bool is_cut;        /* there are more threads than fit */
    int64_t due_ns;     /* threads are listed at this time in any case */
    int64_t rest_ns;    /* threads are not listed before this time */
    uint64_t named;     /* the number of the last name */
    int32_t unsettled;  /* the number of threads whose names are to be read once more */
    uint32_t name_hand; /* the thread whose name is read again next */
};

/* Opens /proc. Returns 0; -ENOENT: it does not show this thread (it is not mounted, or belongs to another pid
 * namespace); or the error of open(2) or mmap(2), with nothing left behind. */
int tclk_thread_table_open(struct tclk_thread_table *table);

void tclk_thread_table_close(struct tclk_thread_table *table);

/* Lists the threads again, if that is due. True if it did: new threads have no name yet. */
bool tclk_thread_table_update(struct tclk_thread_table *table, int64_t now_ns);

/* The thread with that tid, or NULL. */
struct tclk_thread_row *tclk_thread_table_find(const struct tclk_thread_table *table, pid_t tid);

/* Reads a thread's name from the kernel, if that is due, and reports it if it is new. True if it was read. */
bool tclk_thread_table_name(struct tclk_thread_table *table, struct tclk_thread_row *thread, int64_t now_ns);

/* Call this if another thread has got the tid, so that its name is read at once. */
void tclk_thread_table_doubt(struct tclk_thread_table *table, struct tclk_thread_row *thread);

/* Reads the name of one thread again, each in its turn, because programs rename their threads. */
void tclk_thread_table_name_again(struct tclk_thread_table *table, int64_t now_ns);

/* Says that the Java thread with this id had the tid at `alive_at_ns` (CLOCK_BOOTTIME). */
void tclk_thread_table_tell_java_id(struct tclk_thread_table *table, pid_t tid, int64_t java_id, int64_t alive_at_ns);

/* Says that a thread of the table carries virtual threads. */
void tclk_thread_table_tell_carrier(struct tclk_thread_table *table, struct tclk_thread_row *thread);

/* The number of threads of the process, by the kernel's own count. */
uint32_t tclk_thread_table_threads(const struct tclk_thread_table *table);

#endif
