/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_PROTOCOL_H
#define TCLK_SERVE_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

/*
 * The protocol between a server and its clients, over a local stream socket, in the machine's byte order.
 *
 * A client sends a request and gets a reply; then it may send the next one. The server closes the connection if a
 * client sends anything but a request, or does not read its reply within some seconds.
 *
 *     reply = struct tclk_reply_head
 *             times_count x struct tclk_reply_times     for each thread that has been read
 *             names_count x struct tclk_reply_name      for each thread that was named since `named` of the request
 *             pools_count x struct tclk_reply_pool      for each pool of measured virtual threads, the rest first
 *
 * A server of an older version sends 0 pools, and a client of an older one does not look at them.
 * A reply has only the names that are new: a client sends `named` of its last reply, or 0 for all names. A thread
 * exists as long as replies have its times. If another thread gets the tid later, it is named again.
 */
#define TCLK_SERVE_MAGIC UINT32_C(0x31564354) /* "TCV1" */
#define TCLK_REPLY_COMM 16

struct tclk_request {
    uint32_t magic;
    uint32_t nothing; /* 0 */
    uint64_t named;   /* as in the last reply; 0: the client knows no names */
};

enum tclk_reply_flag {
    TCLK_REPLY_INCOMPLETE = 1, /* there are more threads than have been read yet, or than fit */
};

/* Times in ns. */
struct tclk_reply_head {
    uint32_t magic;
    uint32_t bytes;   /* of the whole reply */
    uint32_t pid;     /* as the process itself sees it */
    uint32_t own_tid; /* of the server's own thread, as the process sees it */
    uint32_t flags;   /* enum tclk_reply_flag */
    uint32_t source;  /* enum tclk_source, in use now */
    uint32_t times_count;
    uint32_t names_count;
    uint32_t threads; /* the number of threads of the process */
    uint32_t pools_count;
    uint64_t named;
    int64_t taken_ns;       /* CLOCK_MONOTONIC */
    int64_t wall_ns;        /* CLOCK_REALTIME at the same moment */
    int64_t process_ns;     /* CLOCK_MONOTONIC of the totals, which are expensive with many threads */
    int64_t process_cpu_ns; /* of all its threads, ended ones too */
    int64_t process_user_ns;
    int64_t own_cpu_ns; /* what the server has cost the process */
    int64_t period_ns;  /* replies can follow each other at this distance for ever; 0: unknown */
};

struct tclk_reply_times {
    uint32_t tid;
    /* how long before taken_ns the thread was read; UINT32_MAX: at least that long */
    uint32_t age_us;
    int64_t cpu_ns;
    int64_t user_ns; /* system time is the rest */
};

enum tclk_reply_name_flag {
    TCLK_REPLY_CARRIER = 1, /* carries virtual threads, as the other threads of its pool do */
};

struct tclk_reply_name {
    uint32_t tid;
    uint32_t flags;  /* enum tclk_reply_name_flag */
    int64_t java_id; /* 0: not known, or not a Java thread */
    /* CLOCK_BOOTTIME, rounded down to 10 ms; together with the tid it identifies the thread */
    int64_t start_ns;
    char comm[TCLK_REPLY_COMM]; /* the kernel's name of the thread; padded with 0 */
};

#define TCLK_REPLY_POOL_NAME 64

enum tclk_reply_pool_kind {
    TCLK_REPLY_POOL_REST = 0, /* what carriers use between two mounts */
    TCLK_REPLY_POOL_UNNAMED = 1,
    TCLK_REPLY_POOL_NAMED = 2,
    TCLK_REPLY_POOL_OTHERS = 3, /* all threads whose pools came after too many */
};

/* Sums since the first measured mount, of threads that have ended, too. None of them falls, except `threads`. */
struct tclk_reply_pool {
    uint32_t number; /* the same in all replies */
    uint32_t kind;   /* enum tclk_reply_pool_kind */
    int64_t cpu_ns;
    int64_t user_ns;
    uint64_t mounts;
    uint64_t begun;                  /* threads that have been mounted */
    uint64_t threads;                /* of these, those that have not ended */
    char name[TCLK_REPLY_POOL_NAME]; /* UTF-8; padded with 0 */
};

_Static_assert(sizeof(struct tclk_reply_pool) == 112, "the same on all machines");
_Static_assert(sizeof(struct tclk_request) == 16, "the same on all machines");
_Static_assert(sizeof(struct tclk_reply_head) == 104, "the same on all machines");
_Static_assert(sizeof(struct tclk_reply_times) == 24, "the same on all machines");
_Static_assert(sizeof(struct tclk_reply_name) == 40, "the same on all machines");

/* Clients build the path from the process's own root and its pid in its own namespace. */
#define TCLK_SERVE_PATH "/tmp/.threadclock_"

#endif
