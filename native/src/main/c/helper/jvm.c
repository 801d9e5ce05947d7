/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm.h"

#include "call.h"
#include "command.h"
#include "files.h"
#include "held.h"
#include "relay.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>

enum { LOOK_AGAIN_MS = 5, END_MS = 2000, LONGEST_NAME = 255 };

static struct {
    bool has_begun;
    bool has_ended;
    int folder;
    int held;
    char name[LONGEST_NAME + 1];
} view;

/* Makes the JVM listen, which it does on SIGQUIT if it finds the trigger. Another client's trigger stays. */
static void wake(const struct target *target, int most_s, int folder, const char *name, const char *trigger)
{
    struct statx its;
    long deadline = now_ms() + most_s * 1000L;
    long made = open_at(folder, trigger, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (made != -EEXIST && has_failed(made, "trigger")) {
        return;
    }
    const char *step = "ok";
    long about = send_quit(target);
    if (about < 0) {
        step = "quit";
    }
    while (about == 0 && facts_at(folder, name, &its) != 0) {
        if (now_ms() >= deadline || relay(LOOK_AGAIN_MS)) { /* the command waits no longer */
            step = "silent";
            about = -1;
        }
    }
    if (made >= 0) {
        remove_held(folder, trigger, (int)made);
        close_file(made);
    }
    answer(step, (unsigned long)-about);
}

void make_listen(const struct target *target, int most_s, int folder, const char *name, const char *trigger)
{
    struct statx its;
    if (facts_at(folder, name, &its) == -ENOENT) {
        wake(target, most_s, folder, name, trigger);
    } else {
        answer("ok", 0);
    }
}

/*
 * A process that was killed could not remove its file. It seems to have ended a moment before its last thread closes
 * its sockets, or a moment after.
 */
static void see_the_end(const struct target *target, int folder, const char *name, int held)
{
    long deadline = now_ms() + END_MS;
    while (has_name(folder, name, held) && now_ms() < deadline) {
        bool is_over = has_ended(target);
        if (is_over && connect_to(held, target->descriptors, SOCK_NONBLOCK, 0) == -ECONNREFUSED) {
            remove_held(folder, name, held);
        } else if (!is_over && command_has_gone()) {
            return;
        }
        sleep_ms(LOOK_AGAIN_MS);
    }
}

/* The target itself must be listening: two JVMs may share a folder, and have the same pid in two pid namespaces. */
static bool is_targets(const struct target *target, int jvm)
{
    struct ucred peer = {0};
    unsigned size = sizeof(peer);
    if (has_failed(tclk_call6(SYS_getsockopt, jvm, SOL_SOCKET, SO_PEERCRED, (long)&peer, (long)&size, 0), "connect")) {
        return false;
    }
    bool is_user = peer.uid == target->uid;
    if (!is_user || peer.pid != target->pid) {
        answer(is_user ? "process" : "user", is_user ? (unsigned long)peer.pid : peer.uid);
    }
    return is_user && peer.pid == target->pid;
}

/* Connected to the socket that is held; below 0 after a reply that says why not. */
static int connected(const struct target *target, int most_s, int held)
{
    if (!is_users(target, held, SOCKET, false)) {
        return -1;
    }
    long jvm = connect_to(held, target->descriptors, 0, most_s);
    if (has_failed(jvm, "connect")) {
        return -1;
    }
    if (!is_targets(target, (int)jvm)) {
        close_file(jvm);
        return -1;
    }
    return (int)jvm;
}

void ask(const struct target *target, int most_s, int folder, const char *name)
{
    size_t bytes;
    const char *said = rest(&bytes);
    long held = open_at(folder, name, O_PATH, 0);
    if (has_failed(held, "name")) {
        return;
    }
    int jvm = connected(target, most_s, (int)held);
    close_file(held);
    if (jvm < 0) {
        return;
    }
    if (has_failed(write_all(jvm, said, bytes), "connect")) {
        close_file(jvm);
        return;
    }
    begin("ok", 0);
    relay_answer(jvm);
}

void begin_view(const struct target *target, int most_s, int of_command, int folder, const char *name)
{
    if (has_failed(view.has_begun || view.has_ended ? -EBUSY : 0, "connect")) {
        return;
    }
    long held = open_at(folder, name, O_PATH, 0);
    if (has_failed(held, "name")) {
        return;
    }
    int jvm = connected(target, most_s, (int)held);
    if (jvm < 0) {
        close_file(held);
        return;
    }
    view.has_begun = true;
    view.folder = (int)tclk_call(SYS_dup, folder, 0, 0);
    view.held = (int)held;
    copy_bytes(view.name, name, length_of(name) + 1);
    answer("ok", 0);
    relay_view(of_command, jvm);
}

bool is_viewing(void)
{
    return view.has_begun;
}

void end_view(const struct target *target, int of_command)
{
    see_the_end(target, view.folder, view.name, view.held);
    close_file(of_command);
    view.has_begun = false;
    view.has_ended = true;
}
