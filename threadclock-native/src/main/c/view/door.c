/* SPDX-License-Identifier: Apache-2.0 */
#include "view/door.h"

#include "view/protocol.h"

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

static const struct sockaddr *address_of(const struct tclk_door *door)
{
    return (const struct sockaddr *)&door->address;
}

/* A full queue answers EAGAIN: somebody listens. */
static bool is_abandoned(const struct tclk_door *door)
{
    int client = make_socket();
    if (client < 0) {
        return false;
    }
    bool refused =
        connect(client, address_of(door), sizeof door->address) != 0 && errno == ECONNREFUSED;
    close(client);
    return refused;
}

static bool is_our_socket(const char *path)
{
    struct stat file;
    return lstat(path, &file) == 0 && S_ISSOCK(file.st_mode) && file.st_uid == geteuid();
}

static int bind_to(const struct tclk_door *door, int listener)
{
    return bind(listener, address_of(door), sizeof door->address) == 0 ? 0 : -errno;
}

static int bind_anew(const struct tclk_door *door, int listener)
{
    int error = bind_to(door, listener);
    if (error == -EADDRINUSE && is_our_socket(door->address.sun_path) && is_abandoned(door)) {
        unlink(door->address.sun_path);
        error = bind_to(door, listener);
    }
    return error;
}

/* The mode before the file is there, so that it never is another one; again, for a umask that takes even
 * the user's own rights. */
static int listen_at(const struct tclk_door *door, int listener)
{
    const mode_t owners = S_IRUSR | S_IWUSR;
    if (fchmod(listener, owners) != 0) {
        return -errno;
    }
    int error = bind_anew(door, listener);
    if (error != 0) {
        return error;
    }
    if (chmod(door->address.sun_path, owners) != 0 || listen(listener, BACKLOG) != 0) {
        error = -errno;
        unlink(door->address.sun_path);
    }
    return error;
}

int tclk_door_open(struct tclk_door *door, pid_t pid)
{
    struct tclk_door made = {.listener = -1, .address = {.sun_family = AF_UNIX}};
    int listener = make_socket();
    if (listener < 0) {
        return listener;
    }
    (void)snprintf(made.address.sun_path, sizeof made.address.sun_path, TCLK_VIEW_PATH "%d",
                   (int)pid);
    int error = listen_at(&made, listener);
    if (error != 0) {
        close(listener);
        return error;
    }
    made.listener = listener;
    *door = made;
    return 0;
}

/* ---- closing ---- */

void tclk_door_remove(const struct tclk_door *door)
{
    unlink(door->address.sun_path);
}

/* The number is forgotten first: a child of fork() closes those that are known, and no other's. */
void tclk_door_close(struct tclk_door *door)
{
    int listener = door->listener;
    tclk_door_remove(door);
    door->listener = -1;
    __atomic_thread_fence(__ATOMIC_SEQ_CST);
    close(listener);
}

/* ---- coming in ---- */

static bool may_come_in(int client)
{
    struct ucred peer;
    socklen_t size = sizeof peer;
    return getsockopt(client, SOL_SOCKET, SO_PEERCRED, &peer, &size) == 0 && size == sizeof peer &&
           (peer.uid == geteuid() || peer.uid == 0);
}

int tclk_door_admit(const struct tclk_door *door)
{
    int client = accept4(door->listener, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
    if (client < 0) {
        return -errno;
    }
    if (!may_come_in(client)) {
        close(client);
        return -EAGAIN;
    }
    return client;
}
