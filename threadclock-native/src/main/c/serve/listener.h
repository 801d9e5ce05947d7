/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_LISTENER_H
#define TCLK_SERVE_LISTENER_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/un.h>

/*
 * The socket to which clients connect: a file in /tmp that only the process's user may open. The kernel confirms that
 * each client is that user, or root. Descriptors are closed on exec.
 */
struct tclk_listener {
    int socket; /* -1: not open */
    struct sockaddr_un address;
};

/* Returns 0; -EADDRINUSE (a process listens there, or the file there is not ours); or the error of socket(2),
 * bind(2) or listen(2), with nothing left behind. Removes the file of a process with the same pid that was killed. */
int tclk_listener_open(struct tclk_listener *listener, pid_t pid);

/* Removes the file only. Async-signal-safe. */
void tclk_listener_remove(const struct tclk_listener *listener);

/* Removes the file, then closes the socket. */
void tclk_listener_close(struct tclk_listener *listener);

/* Returns a socket that does not block, for a new client; -EAGAIN if there is none, or it is not admitted; or the
 * error of accept4(2). */
int tclk_listener_admit(const struct tclk_listener *listener);

#endif
