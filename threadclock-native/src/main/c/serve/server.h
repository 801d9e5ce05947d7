/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_SERVER_H
#define TCLK_SERVE_SERVER_H

#include "serve/poller.h"

#include <stdbool.h>

/*
 * Lets programs outside look at all threads of this process: one thread of ours, which listens at a socket
 * (serve/listener.h) and answers (serve/protocol.h). It calls nothing but the kernel and the clock, takes no lock
 * and no signal but those of its own faults, and what it costs has a bound (serve/budget.h).
 *
 * It ends, and leaves no thread, descriptor, file or memory behind, when its last client goes, when nobody
 * comes within 30 s, and when it is told to; its file goes when the process ends, unless that is killed:
 * then the file is left to the clients. A child of fork() has no part in it.
 */

/* How long it waits for a first client: 30 s, but in tests. */
extern int64_t tclk_server_awaits_ns;

/* Starts it, or has it wait for one more client for as long. One caller at a time. Returns 0 when clients
 * can connect; -EBUSY: the last one is still ending; or what tclk_listener_open(), /proc or pthread_create(3)
 * answered, with nothing left behind. */
int tclk_server_start(tclk_java_ids java_ids);

/* Ends it, and waits for that for 2 s at most. One caller at a time, and not beside tclk_server_start().
 * False: there was none. */
bool tclk_server_stop(void);

/* Whether it is there. */
bool tclk_server_runs(void);

#endif
