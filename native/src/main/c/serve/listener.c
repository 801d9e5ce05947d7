/* SPDX-License-Identifier: Apache-2.0 */
#include "serve/listener.h"

#include "serve/protocol.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define BACKLOG 8

static int make_socket(void)
{
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    return made < 0 ? -errno : made;
}

/* ---- opening ---- */

static const struct sockaddr *address_of(const struct tclk_listener *listener)
{
    return (const struct sockaddr *)&listener->address;
}

/* A full queue answers EAGAIN, which means that a process listens. */
static bool is_abandoned(const struct tclk_listener *listener)
{
    int client = make_socket();
    if (client < 0) {
        return false;
    }
    bool refused = connect(client, address_of(listener), sizeof listener->address) != 0 && errno == ECONNREFUSED;
    close(client);
    return refused;
}

/* Returns 0; -EADDRINUSE if the file there is no socket of this user; or the error of lstat(2). */
static int remember(struct tclk_listener *listener)
{
    struct stat file;
    if (lstat(listener->address.sun_path, &file) != 0) {
        return -errno;
    }
    listener->device = file.st_dev;
    listener->inode = file.st_ino;
    return S_ISSOCK(file.st_mode) && file.st_uid == geteuid() ? 0 : -EADDRINUSE;
}

static int bind_to(struct tclk_listener *listener, int opened)
{
    return bind(opened, address_of(listener), sizeof listener->address) == 0 ? remember(listener) : -errno;
}

static int bind_anew(struct tclk_listener *listener, int opened)
{
    int error = bind_to(listener, opened);
    if (error == -EADDRINUSE && remember(listener) == 0 && is_abandoned(listener)) {
        tclk_listener_remove(listener);
        error = bind_to(listener, opened);
    }
    return error;
}

/* Sets the mode before the file exists, so that it never has another one; and again afterwards, for a umask that
 * takes even the user's own rights. */
static int listen_at(struct tclk_listener *listener, int opened)
{
    const mode_t owners = S_IRUSR | S_IWUSR;
    if (fchmod(opened, owners) != 0) {
        return -errno;
    }
    int error = bind_anew(listener, opened);
    if (error != 0) {
        return error;
    }
    if (chmod(listener->address.sun_path, owners) != 0 || listen(opened, BACKLOG) != 0) {
        error = -errno;
        tclk_listener_remove(listener);
    }
    return error;
}

int tclk_listener_open(struct tclk_listener *listener, pid_t pid)
{
    struct tclk_listener made = {.socket = -1, .address = {.sun_family = AF_UNIX}};
    int opened = make_socket();
    if (opened < 0) {
        return opened;
    }
    (void)snprintf(made.address.sun_path, sizeof made.address.sun_path, TCLK_SERVE_PATH "%d", (int)pid);
    int error = listen_at(&made, opened);
    if (error != 0) {
        close(opened);
        return error;
    }
    made.socket = opened;
    *listener = made;
    return 0;
}

/* ---- its file ---- */

/* Assumption: a socket holds the inode of its file, as in Linux, so that no other file gets that number while it is
 * open. A file system may give it again after that, and an abandoned file is therefore compared at once. */
static bool has_file(const struct tclk_listener *listener)
{
    struct stat file;
    return lstat(listener->address.sun_path, &file) == 0 && file.st_dev == listener->device &&
           file.st_ino == listener->inode;
}

/* Looks right before, because unlink(2) takes a name. Assumption: nobody puts another file there in between. Where /tmp
 * has its sticky bit, only this user and root could. */
void tclk_listener_remove(const struct tclk_listener *listener)
{
    if (has_file(listener)) {
        unlink(listener->address.sun_path);
    }
}

int tclk_listener_renew(struct tclk_listener *listener, pid_t pid)
{
    struct tclk_listener made;
    if (has_file(listener)) {
        return 0;
    }
    int error = tclk_listener_open(&made, pid);
    if (error == 0) {
        tclk_listener_close(listener);
        *listener = made;
    }
    return error;
}

/* Forgets the number first, so that a child of fork() closes this descriptor only while it is this socket's. */
void tclk_listener_close(struct tclk_listener *listener)
{
    int opened = listener->socket;
    tclk_listener_remove(listener);
    listener->socket = -1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    close(opened);
}

/* ---- coming in ---- */

static bool may_come_in(int client)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && size == sizeof peer &&
           (peer.uid == geteuid() || peer.uid == 0);
}

int tclk_listener_admit(const struct tclk_listener *listener)
{
    int client = accept4(listener->socket, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (client < 0) {
        return -errno;
    }
    if (!may_come_in(client)) {
        close(client);
        return -EAGAIN;
    }
    return client;
}
