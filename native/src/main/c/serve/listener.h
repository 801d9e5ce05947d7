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
    dev_t device; /* together with the inode it identifies the file that was bound, whatever has its name now */
    ino_t inode;
};

/* Returns 0; -EADDRINUSE (a process listens there, or the file there is not ours); or the error of socket(2),
 * bind(2) or listen(2), with nothing left behind. Removes the file of a process with the same pid that was killed. */
int tclk_listener_open(struct tclk_listener *listener, pid_t pid);

/* Makes a new file and socket if the file was removed, or another one has its name. Connections that were admitted go
 * on. Returns 0, or as tclk_listener_open(), with the listener as it was. */
int tclk_listener_renew(struct tclk_listener *listener, pid_t pid);

/* Removes the file only, and leaves any other file of its name alone. Async-signal-safe. */
void tclk_listener_remove(const struct tclk_listener *listener);

/* Removes the file, then closes the socket. */
void tclk_listener_close(struct tclk_listener *listener);

/* Returns a socket that does not block, for a new client; -EAGAIN if there is none, or it is not admitted; or the
 * error of accept4(2). */
int tclk_listener_admit(const struct tclk_listener *listener);

#endif
