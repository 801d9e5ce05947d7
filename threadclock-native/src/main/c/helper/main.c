/* SPDX-License-Identifier: Apache-2.0 */

/*
 * threadclock-helper: does for a command what has to be done in a JVM's own place and with the rights of its user: it
 * opens the JVM's folders, asks it to listen, connects to its sockets, reads and removes its user's files, and gives it
 * a copy of the library.
 *
 * A command starts it for one request, and is connected to it by a socket of the command's own. It answers with one
 * line, STEP NUMBER: "ok 0", or at which step it has ended, and the errno, user or other number that this is about.
 * After "ok" follows the content that was asked for, or all that the command and the JVM say to one another. It ends
 * when either side hangs up.
 *
 *     threadclock-helper SOCKET PROCESS PID UID GID GROUPS CAPABILITIES SECONDS VERB FOLDER NAME [OPTION]
 *
 * PROCESS is a folder of /proc/PID that is held; UID and those after it are what is taken: GROUPS are separated by
 * commas, CAPABILITIES are as /proc/PID/status has them; SECONDS is how long it may wait; FOLDER is a path as the JVM
 * sees it. The verbs are at the end of this file.
 *
 * Threats. The JVM, its user, and root of its container may change everything in that place at any moment, send signals
 * to this program once it has the user's rights, and answer anything. Therefore it follows no links, acts only on files
 * that it holds, compares who listens with whom it looks for, parses nothing that comes from a socket, blocks all
 * signals, cannot be traced, starts no program, and has no libc, which would read files there. If somebody stops
 * it, nobody waits for long: the command has a timeout.
 */
#include "call.h"
#include "target.h"
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <sys/un.h>
#include <time.h>

/* The modes of struct statx, whose header has no names for them with glibc. */
enum { KIND = 0170000, SOCKET = 0140000, REGULAR = 0100000, STICKY = 01000, OTHERS_MAY_WRITE = 0022 };

enum {
    LOOK_AGAIN_MS = 5,
    END_MS = 2000,
    YOUNG_S = 60,         /* one who makes a socket refuses connections for a moment */
    MOST_SWEPT = 100,     /* everybody may put more files there */
    MOST_BYTES = 1 << 22, /* of a file that is read */
    MODE = 0755           /* of a library */
};

static struct target target;
static char buffer[1 << 16];
static int command;
static int descriptors; /* /proc/self/fd of our own mount namespace */
static int timeout_s;

static _Noreturn void leave(void)
{
    for (;;) {
        tclk_call(SYS_exit_group, 0, 0, 0);
    }
}

static void answer(const char *step, unsigned long about)
{
    char line[64];
    char digits[24];
    size_t length = 0;
    size_t count = 0;
    while (step[length] != 0) {
        line[length] = step[length];
        length++;
    }
    line[length++] = ' ';
    do {
        digits[count++] = (char)('0' + about % 10);
        about /= 10;
    } while (about != 0);
    while (count > 0) {
        line[length++] = digits[--count];
    }
    line[length++] = '\n';
    write_all(command, line, length);
}

static _Noreturn void end(const char *step, unsigned long about)
{
    answer(step, about);
    leave();
}

/* The result of a call, unless it failed. */
static int done(long result, const char *step)
{
    if (result < 0) {
        end(step, (unsigned long)-result);
    }
    return (int)result;
}

static bool command_has_gone(void)
{
    struct pollfd its = {.fd = command, .events = 0};
    struct timespec none = {0};
    return tclk_call6(SYS_ppoll, (long)&its, 1, (long)&none, 0, 0, 0) > 0;
}

static bool is_same(const struct statx *one, const struct statx *other)
{
    return one->stx_ino == other->stx_ino && one->stx_dev_major == other->stx_dev_major &&
           one->stx_dev_minor == other->stx_dev_minor;
}

/* While a file is held, no other one gets its number. */
static bool has_name(int folder, const char *name, int held)
{
    struct statx its;
    struct statx named;
    return facts_of(held, &its) == 0 && facts_at(folder, name, &named) == 0 && is_same(&its, &named);
}

static void remove_held(int folder, const char *name, int held)
{
    if (has_name(folder, name, held)) {
        tclk_call(SYS_unlinkat, folder, (long)name, 0);
    }
}

static long connect_by(const char *path, int flags)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    struct timeval timeout = {.tv_sec = timeout_s};
    size_t length = length_of(path);
    if (length >= sizeof(address.sun_path)) {
        return -ENAMETOOLONG;
    }
    copy_bytes(address.sun_path, path, length);
    long fd = tclk_call(SYS_socket, AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0);
    if (fd < 0) {
        return fd;
    }
    tclk_call6(SYS_setsockopt, fd, SOL_SOCKET, SO_SNDTIMEO, (long)&timeout, sizeof(timeout), 0);
    long refused = tclk_call(SYS_connect, fd, (long)&address, sizeof(address));
    if (refused != 0) {
        tclk_call(SYS_close, fd, 0, 0);
    }
    return refused != 0 ? refused : fd;
}

/* connect(2) has no flag to follow no links, and so takes a path that leads to the held file alone. */
static long connect_to(int held, int flags)
{
    char digits[12];
    size_t at = sizeof(digits);
    digits[--at] = 0;
    for (int rest = held; rest > 0 || digits[at] == 0; rest /= 10) {
        digits[--at] = (char)('0' + rest % 10);
    }
    long refused = tclk_call(SYS_fchdir, descriptors, 0, 0);
    return refused != 0 ? refused : connect_by(digits + at, flags);
}

/* Makes the JVM listen, which it does on SIGQUIT if it finds the trigger. Another client's trigger stays. */
static void wake(int folder, const char *name, const char *trigger)
{
    struct statx its;
    long deadline = now_ms() + timeout_s * 1000L;
    long made = open_at(folder, trigger, O_CREAT | O_EXCL | O_WRONLY, 0600);
    if (made != -EEXIST) {
        done(made, "trigger");
    }
    const char *step = "ok";
    long about = send_quit(&target);
    if (about < 0) {
        step = "quit";
    }
    while (about == 0 && facts_at(folder, name, &its) != 0) {
        if (now_ms() >= deadline || command_has_gone()) {
            step = "silent";
            about = -1;
        } else {
            sleep_ms(LOOK_AGAIN_MS);
        }
    }
    if (made >= 0) {
        remove_held(folder, trigger, (int)made);
    }
    if (about < 0) {
        end(step, (unsigned long)-about);
    }
}

/* Gives on what comes from either side, until one hangs up. */
static void relay(int jvm)
{
    struct pollfd both[] = {{.fd = command, .events = POLLIN}, {.fd = jvm, .events = POLLIN}};
    for (;;) {
        if (tclk_call6(SYS_ppoll, (long)both, 2, 0, 0, 0, 0) < 0) {
            return;
        }
        for (int from = 0; from < 2; from++) {
            if (both[from].revents == 0) {
                continue;
            }
            long count = tclk_call(SYS_read, both[from].fd, (long)buffer, sizeof(buffer));
            if (count <= 0 || write_all(both[1 - from].fd, buffer, (size_t)count) != 0) {
                return;
            }
        }
    }
}

/*
 * A process that was killed could not remove its file. It seems to have ended a moment before its last thread closes
 * its sockets, or a moment after.
 */
static void see_the_end(int folder, const char *name, int held)
{
    long deadline = now_ms() + END_MS;
    while (has_name(folder, name, held) && now_ms() < deadline) {
        bool is_over = has_ended(&target);
        if (is_over && connect_to(held, SOCK_NONBLOCK) == -ECONNREFUSED) {
            remove_held(folder, name, held);
        } else if (!is_over && command_has_gone()) {
            return;
        }
        sleep_ms(LOOK_AGAIN_MS);
    }
}

/* The target itself must be listening: two JVMs may share a folder, and have the same pid in two pid namespaces. */
static void connect_both(int folder, const char *name, bool is_view)
{
    struct statx its;
    struct ucred peer = {0};
    unsigned size = sizeof(peer);
    int held = done(open_at(folder, name, O_PATH, 0), "name");
    done(facts_of(held, &its), "name");
    if ((its.stx_mode & KIND) != SOCKET) {
        end("kind", 0);
    }
    if (its.stx_uid != target.uid) {
        end("user", its.stx_uid);
    }
    int jvm = done(connect_to(held, 0), "connect");
    done(tclk_call6(SYS_getsockopt, jvm, SOL_SOCKET, SO_PEERCRED, (long)&peer, (long)&size, 0), "connect");
    if (peer.uid != target.uid) {
        end("user", peer.uid);
    }
    if (peer.pid != target.pid) {
        end("process", (unsigned long)peer.pid);
    }
    answer("ok", 0);
    relay(jvm);
    if (is_view) {
        see_the_end(folder, name, held);
    }
}

/* A pipe would keep the open waiting, and a device is only opened with the user's own rights. */
static void read_out(int folder, const char *name)
{
    struct statx its;
    int file = done(open_at(folder, name, O_RDONLY | O_NONBLOCK, 0), "name");
    done(facts_of(file, &its), "name");
    if ((its.stx_mode & KIND) != REGULAR) {
        end("kind", 0);
    }
    if (its.stx_uid != target.uid && its.stx_uid != 0) { /* a JVM may have begun as root */
        end("user", its.stx_uid);
    }
    answer("ok", 0);
    for (long left = MOST_BYTES; left > 0;) {
        long count = tclk_call(SYS_read, file, (long)buffer, sizeof(buffer));
        if (count <= 0 || write_all(command, buffer, (size_t)count) != 0) {
            return;
        }
        left -= count;
    }
}

/* Sockets of this user's at which nobody listens, and nobody is about to: their processes were killed. */
static void remove_if_abandoned(int folder, const char *name, long now_s)
{
    struct statx its;
    long held = open_at(folder, name, O_PATH, 0);
    bool is_old = held >= 0 && facts_of((int)held, &its) == 0 && (its.stx_mode & KIND) == SOCKET &&
                  its.stx_uid == target.uid && its.stx_mtime.tv_sec < now_s - YOUNG_S;
    if (is_old && connect_to((int)held, SOCK_NONBLOCK) == -ECONNREFUSED) {
        remove_held(folder, name, (int)held);
    }
    tclk_call(SYS_close, held, 0, 0);
}

struct __attribute__((packed)) entry { /* of getdents64(2) */
    uint64_t number;
    int64_t next;
    uint16_t size;
    uint8_t kind;
    char name[];
};

static void sweep(int folder, const char *prefix)
{
    struct timespec now = {0};
    int left = MOST_SWEPT;
    int list = done(open_at(folder, ".", O_RDONLY | O_DIRECTORY, 0), "folder");
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
                remove_if_abandoned(folder, name, now.tv_sec);
                left--;
            }
        }
    }
    answer("ok", 0);
}

/* Whether only its owner and root can replace a file in it. */
static bool keeps_files(const struct statx *folder)
{
    return (folder->stx_mode & OTHERS_MAY_WRITE) == 0 || (folder->stx_mode & STICKY) != 0;
}

static long make(int folder, const char *name)
{
    return open_at(folder, name, O_CREAT | O_EXCL | O_WRONLY, MODE);
}

/* A name that is there tells nothing of it. */
static bool has_no_number_for_us(int folder)
{
    static const char TRIAL[] = ".threadclock-trial";
    long made = make(folder, TRIAL);
    if (made >= 0) {
        remove_held(folder, TRIAL, (int)made);
        tclk_call(SYS_close, made, 0, 0);
    }
    return made == -EOVERFLOW;
}

/* Whether nobody else could have made it. */
static bool is_our_copy(int folder, const char *name, uint64_t size)
{
    struct statx its;
    return facts_at(folder, name, &its) == 0 && its.stx_mode == (REGULAR | MODE) && its.stx_nlink == 1 &&
           its.stx_size == size &&
           (its.stx_uid == (unsigned)tclk_call(SYS_geteuid, 0, 0, 0) ||
            (its.stx_uid == target.uid && has_no_number_for_us(folder)));
}

/*
 * A copy of the library, by ourselves and not the target's user, who could change it for a JVM of another user. The
 * file system of a user namespace may have no number for us; then its maker is the user that the command names.
 */
static void copy(int folder, const char *name, const char *bytes)
{
    struct statx its;
    uint64_t left = number(&bytes, 10);
    done(facts_of(folder, &its), "folder");
    if (!keeps_files(&its)) {
        end("open", 0);
    }
    long made = make(folder, name);
    if (made == -EEXIST) {
        end(is_our_copy(folder, name, left) ? "same" : "taken", 0);
    }
    if (made == -EOVERFLOW) {
        done(take_rights(&target), "rights");
        made = make(folder, name);
    }
    int file = done(made, "name");
    answer("ok", 0);
    long refused = tclk_call(SYS_fchmod, file, MODE, 0); /* the mask of new files has taken some away */
    while (refused == 0 && left > 0) {
        long count = tclk_call(SYS_read, command, (long)buffer, (long)(left < sizeof(buffer) ? left : sizeof(buffer)));
        refused = count > 0 ? write_all(file, buffer, (size_t)count) : count < 0 ? count : -EPIPE;
        left -= (uint64_t)(count > 0 ? count : 0);
    }
    if (refused != 0) {
        remove_held(folder, name, file);
        end("write", (unsigned long)-refused);
    }
    answer("written", 0);
}

static void read_target(char **arguments)
{
    const char *words[5];
    for (int i = 0; i < 5; i++) {
        words[i] = arguments[i + 1];
    }
    target.folder = done(open_ours(arguments[0], O_RDONLY | O_DIRECTORY), "gone");
    target.root = done(tclk_call(SYS_openat, target.folder, (long)"root", O_PATH | O_DIRECTORY | O_CLOEXEC), "hidden");
    target.pid = (int)number(&words[0], 10);
    target.uid = (unsigned)number(&words[1], 10);
    target.gid = (unsigned)number(&words[2], 10);
    for (const char *rest = words[3]; *rest != 0 && target.group_count < MOST_GROUPS; rest += *rest == ',') {
        target.groups[target.group_count++] = (unsigned)number(&rest, 10);
    }
    target.capabilities = number(&words[4], 16);
}

static bool is(const char *verb, const char *name)
{
    return begins_with(verb, name) && length_of(verb) == length_of(name);
}

static _Noreturn __attribute__((used)) void serve(long *stack)
{
    char **arguments = (char **)(stack + 1);
    uint64_t all = ~(uint64_t)0;
    if (*stack < 12) {
        tclk_call(SYS_exit_group, 2, 0, 0);
    }
    long hidden = hide();
    tclk_call6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, 0, sizeof(all), 0, 0);
    long connected = connect_by(arguments[1], 0);
    if (connected < 0) {
        tclk_call(SYS_exit_group, 1, 0, 0);
    }
    command = (int)connected;
    done(hidden, "rights");
    tclk_call(SYS_setsid, 0, 0, 0); /* no terminal */
    for (int fd = 0; fd < 3; fd++) {
        tclk_call(SYS_close, fd, 0, 0);
    }
    const char *seconds = arguments[8];
    const char *verb = arguments[9];
    const char *name = arguments[11];
    char *option = arguments[12];
    struct statx its;
    timeout_s = (int)number(&seconds, 10);
    descriptors = done(open_ours("/proc/self/fd", O_PATH | O_DIRECTORY), "proc");
    read_target(arguments + 2);
    enter(&target);
    if (!is(verb, "copy")) {
        done(take_rights(&target), "rights");
    }
    int folder = done(walk(&target, arguments[10]), "folder");
    tclk_call(SYS_close, target.root, 0, 0);
    if (is(verb, "copy")) {
        copy(folder, name, option);
    } else if (is(verb, "ask")) {
        if (option != NULL && facts_at(folder, name, &its) == -ENOENT) {
            wake(folder, name, option);
        }
        connect_both(folder, name, false);
    } else if (is(verb, "view")) {
        connect_both(folder, name, true);
    } else if (is(verb, "read")) {
        read_out(folder, name);
    } else if (is(verb, "sweep")) {
        sweep(folder, name);
    } else {
        done(facts_at(folder, name, &its), "name");
        answer("ok", 0);
    }
    leave();
}

#if defined(__x86_64__)
__asm__(".globl _start\n_start: xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call serve\n");
#elif defined(__aarch64__)
__asm__(".globl _start\n_start: mov x29, #0\n mov x30, #0\n mov x0, sp\n bl serve\n");
#endif
