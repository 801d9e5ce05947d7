/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_SERVER_H
#define TCLK_SERVE_SERVER_H

#include "serve/poller.h"

#include <stdbool.h>

/*
 * Shows all threads of this process to other programs: one thread of ours listens at a socket (serve/listener.h) and
 * answers (serve/protocol.h). It calls only the kernel and the clock, takes no lock, blocks all signals except those of
 * its own faults, and its cost is bounded (serve/budget.h).
 *
 * The server ends, and leaves no thread, descriptor, file or memory behind, when its last client goes, when no client
 * comes within 30 s, and when it is told to. Its file is removed when the process ends; if the process is killed, the
 * clients remove it. A child of fork() does not have the server.
 */

/* How long the server waits for its first client: 30 s, except in tests. */
extern int64_t tclk_server_awaits_ns;

/* Starts the server. One that runs makes its file anew if that was removed, or is not its own any more, and waits as
 * long again for one more client; its other clients do not notice. Only one thread may call this at a time. Returns 0
 * when clients can connect, or when a server that runs has got no CPU for 2 s; -EBUSY: the last server is still ending;
 * or the error of tclk_listener_open(), /proc or pthread_create(3), with nothing left behind. */
int tclk_server_start(tclk_java_ids java_ids);

/* Ends the server, and waits for its end for 2 s at most. Only one thread may call this at a time, and not while
 * another one is in tclk_server_start(). False: there was none. */
bool tclk_server_stop(void);

/* Whether the server runs. */
bool tclk_server_runs(void);

#endif
