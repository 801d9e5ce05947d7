/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_SERVE_LISTENER_H
#define TCLK_SERVE_LISTENER_H

#include <stdbool.h>
#include <sys/types.h>
#include <sys/un.h>

/*
 * The socket by which clients come in: a file in /tmp that the process's user alone may open, and where
 * the kernel says of each who comes that it is that user, or root. Descriptors are closed on exec.
 */
struct tclk_listener {
    int socket; /* -1: there is none */
    struct sockaddr_un address;
};

/* Returns 0; -EADDRINUSE: somebody listens there, or the file there is not ours; or what socket(2),
 * bind(2) or listen(2) answered, with nothing left behind. What a process of the same pid has left there
 * when it was killed is removed. */
int tclk_listener_open(struct tclk_listener *listener, pid_t pid);

/* The file alone. Async-signal-safe. */
void tclk_listener_remove(const struct tclk_listener *listener);

/* Removes the file, then closes the socket. */
void tclk_listener_close(struct tclk_listener *listener);

/* Who has come: a socket that does not block; -EAGAIN: nobody, or one that is not let in; or what
 * accept4(2) answered. */
int tclk_listener_admit(const struct tclk_listener *listener);

#endif
