/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_PROTOCOL_H
#define TCLK_SERVE_PROTOCOL_H

#include <stddef.h>
#include <stdint.h>

/*
 * What a server and its clients say, over a stream socket of one machine, in its byte order.
 *
 * A client sends a request and gets a reply; then it may send the next one. Anything but a request ends
 * the connection, and so does a client that does not take its reply within some seconds.
 *
 *     reply = struct tclk_reply_head
 *             times_count x struct tclk_reply_times     of each thread that has been read
 *             names_count x struct tclk_reply_name      of each that was named since the client knows
 *
 * Who threads are is told when it is new: a client sends `named` of its last reply, or 0 for all. A
 * thread is there as long as its times are. A tid may be another thread's later: that one is named anew.
 */
#define TCLK_SERVE_MAGIC UINT32_C(0x31564354) /* "TCV1" */
#define TCLK_REPLY_COMM 16

struct tclk_request {
    uint32_t magic;
    uint32_t nothing; /* 0 */
    uint64_t named;   /* as in the last reply; 0: nothing is known */
};

enum tclk_reply_flag {
    TCLK_REPLY_INCOMPLETE =
        1, /* there are more threads than have been looked at yet, or than fit */
};

/* Times in ns. */
struct tclk_reply_head {
    uint32_t magic;
    uint32_t bytes;   /* of the whole reply */
    uint32_t pid;     /* as the process itself sees it */
    uint32_t own_tid; /* of the server's own thread, likewise */
    uint32_t flags;   /* enum tclk_reply_flag */
    uint32_t source;  /* enum tclk_source, in use now */
    uint32_t times_count;
    uint32_t names_count;
    uint32_t threads; /* how many the process has */
    uint32_t nothing;
    uint64_t named;
    int64_t taken_ns;       /* CLOCK_MONOTONIC */
    int64_t wall_ns;        /* CLOCK_REALTIME at the same moment */
    int64_t process_ns;     /* CLOCK_MONOTONIC of the totals, which are dear with many threads */
    int64_t process_cpu_ns; /* of all its threads, ended ones too */
    int64_t process_user_ns;
    int64_t own_cpu_ns;      /* what the server has cost the process */
    int64_t carrier_java_id; /* of one that carries virtual threads, as its pool does; 0: unknown */
};

struct tclk_reply_times {
    uint32_t tid;
    uint32_t age_us; /* how long before taken_ns it was read; UINT32_MAX: so long or longer */
    int64_t cpu_ns;
    int64_t user_ns; /* system time is the rest */
};

struct tclk_reply_name {
    uint32_t tid;
    uint32_t nothing;
    int64_t java_id;  /* 0: not known, or no thread of Java */
    int64_t start_ns; /* CLOCK_BOOTTIME, rounded down to 10 ms; with the tid, one thread's alone */
    char comm[TCLK_REPLY_COMM]; /* as the kernel has it; padded with 0 */
};

_Static_assert(sizeof(struct tclk_request) == 16, "the same on all machines");
_Static_assert(sizeof(struct tclk_reply_head) == 104, "the same on all machines");
_Static_assert(sizeof(struct tclk_reply_times) == 24, "the same on all machines");
_Static_assert(sizeof(struct tclk_reply_name) == 40, "the same on all machines");

/* Clients put it together from the process's own root and its pid in its own namespace. */
#define TCLK_SERVE_PATH "/tmp/.threadclock_"

#endif
