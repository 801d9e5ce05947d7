/* SPDX-License-Identifier: Apache-2.0 */
#include "files.h"

#include "call.h"
#include "command.h"
#include "held.h"
#include <errno.h>
#include <fcntl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <time.h>

enum {
    YOUNG_S = 60,        /* one who makes a socket refuses connections for a moment */
    MOST_SWEPT = 100,    /* everybody may put more files there */
    MOST_BYTES = 1 << 22 /* of a file that is read */
};

static char buffer[1 << 16];

bool is_users(const struct target *target, int held, unsigned kind, bool or_roots)
{
    struct statx its;
    if (has_failed(facts_of(held, &its), "name")) {
        return false;
    }
    bool is_kind = (its.stx_mode & KIND) == kind;
    bool is_owned = its.stx_uid == target->uid || (or_roots && its.stx_uid == 0);
    if (!is_kind || !is_owned) {
        answer(is_kind ? "user" : "kind", is_kind ? its.stx_uid : 0);
    }
    return is_kind && is_owned;
}

static void send_content(int file)
{
    begin("ok", 0);
    for (long left = MOST_BYTES; left > 0;) {
        long count = tclk_call(SYS_read, file, (long)buffer, sizeof(buffer));
        if (count <= 0) {
            break;
        }
        send_frame(buffer, (size_t)count);
        left -= count;
    }
    send_frame("", 0);
}

/* A pipe would keep the open waiting, and a device is only opened with the user's own rights. */
static void read_out(const struct target *target, const char *path, const char *name)
{
    long folder = walk(target, path);
    if (has_failed(folder, "folder")) {
        return;
    }
    long file = open_at((int)folder, name, O_RDONLY | O_NONBLOCK, 0);
    if (!has_failed(file, "name") && is_users(target, (int)file, REGULAR, true)) { /* a JVM may have begun as root */
        send_content((int)file);
    }
    close_file(file);
    close_file(folder);
}

static void tell(const struct target *target, const char *path, const char *name)
{
    struct statx its;
    long folder = walk(target, path);
    if (has_failed(folder, "folder")) {
        return;
    }
    if (!has_failed(facts_at((int)folder, name, &its), "name")) {
        answer("ok", 0);
    }
    close_file(folder);
}

void tell_facts(const struct target *target)
{
    const char *path = word();
    tell(target, path, word());
    while (has_words()) {
        path = word();
        read_out(target, path, word());
    }
}

/* As stat(2) has it. */
static uint64_t device_of(const struct statx *its)
{
    uint64_t major = its->stx_dev_major;
    uint64_t minor = its->stx_dev_minor;
    return (minor & 0xff) | (major & 0xfff) << 8 | (minor & ~0xffULL) << 12 | (major & ~0xfffULL) << 32;
}

void find(int folder, const char *name, const char *device, const char *inode)
{
    struct statx its;
    long file = open_at(folder, name, O_RDONLY | O_NONBLOCK, 0);
    if (has_failed(file, "name")) {
        return;
    }
    bool is_it = facts_of((int)file, &its) == 0 && (its.stx_mode & KIND) == REGULAR &&
                 device_of(&its) == number(&device, 10) && its.stx_ino == number(&inode, 10);
    answer(is_it ? "ok" : "kind", 0);
    close_file(file);
}

/* Sockets of this user's at which nobody listens, and nobody is about to: their processes were killed. */
static void remove_if_abandoned(const struct target *target, int folder, const char *name, long now_s)
{
    struct statx its;
    long held = open_at(folder, name, O_PATH, 0);
    bool is_old = held >= 0 && facts_of((int)held, &its) == 0 && (its.stx_mode & KIND) == SOCKET &&
                  its.stx_uid == target->uid && its.stx_mtime.tv_sec < now_s - YOUNG_S;
    if (is_old) {
        long connection = connect_to((int)held, target->descriptors, SOCK_NONBLOCK, 0);
        if (connection == -ECONNREFUSED) {
            remove_held(folder, name, (int)held);
        }
        close_file(connection);
    }
    close_file(held);
}

struct __attribute__((packed)) entry { /* of getdents64(2) */
    uint64_t number;
    int64_t next;
    uint16_t size;
    uint8_t kind;
    char name[];
};

void sweep(const struct target *target, int folder, const char *prefix)
{
    struct timespec now = {0};
    int left = MOST_SWEPT;
    long list = open_at(folder, ".", O_RDONLY | O_DIRECTORY, 0);
    if (has_failed(list, "folder")) {
        return;
    }
    tclk_call(SYS_clock_gettime, CLOCK_REALTIME, (long)&now, 0);
    for (;;) {
        long count = tclk_call(SYS_getdents64, list, (long)buffer, sizeof(buffer));
        if (count <= 0) {
            break;
        }
        for (long at = 0; at < count && left > 0; at += ((struct entry *)(buffer + at))->size) {
            const char *name = ((struct entry *)(buffer + at))->name;
            const char *pid = name + length_of(prefix);
            if (begins_with(name, prefix) && number(&pid, 10) != 0 && *pid == 0) {
                remove_if_abandoned(target, folder, name, now.tv_sec);
                left--;
            }
        }
    }
    close_file(list);
    answer("ok", 0);
}
