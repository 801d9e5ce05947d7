/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_CLIENTS_H
#define TCLK_SERVE_CLIENTS_H

#include "serve/client.h"
#include "serve/listener.h"
#include "serve/poller.h"

#include <stdbool.h>
#include <sys/types.h>

/* The clients of the server, the listener that admits them, and the poller whose snapshots they get. After it is
 * open, one thread alone may use it. */
#define TCLK_CLIENTS_MAX 8

struct tclk_clients {
    struct tclk_listener listener;
    struct tclk_client seats[TCLK_CLIENTS_MAX];
    struct tclk_poller poller;
    int64_t shut_ns; /* no client is admitted until then */
};

/* Returns 0, or as tclk_poller_open() or tclk_listener_open(), with nothing left behind. */
int tclk_clients_open(struct tclk_clients *clients, pid_t pid, tclk_java_ids java_ids);

void tclk_clients_close(struct tclk_clients *clients);

/* For a child of fork(), which has no use for its copies of the descriptors. */
void tclk_clients_close_inherited(const struct tclk_clients *clients);

bool tclk_clients_has_any(const struct tclk_clients *clients);

/* Waits until a client needs something, `bell` can be read, or CLOCK_MONOTONIC reaches `until_ns`, and serves the
 * clients. True: a client was admitted. */
bool tclk_clients_serve(struct tclk_clients *clients, int bell, int64_t until_ns);

#endif
