/* SPDX-License-Identifier: Apache-2.0 */

/*
 * threadclock-helper: does for a command what has to be done in a JVM's own place and with the rights of its user: it
 * opens the JVM's folders, asks it to listen, connects to its sockets, reads and removes its user's files, and gives it
 * a copy of the library.
 *
 * A command starts it once for a JVM, and it connects three times to a socket of the command's own: for requests, for a
 * view, and for copies (maker.h), which another process of it makes. It first replies to request 0, which is that it be
 * there with the rights of the JVM's user (command.h). It ends when the command hangs up, or the JVM has ended.
 *
 *     threadclock-helper SOCKET PROCESS PID UID GID GROUPS CAPABILITIES MAKER_UID MAKER_GID
 *
 * PROCESS is a folder of /proc/PID that is held; UID and those after it are what is taken: GROUPS are separated by
 * commas, CAPABILITIES are as /proc/PID/status has them. Each request begins with its verb and the seconds that it may
 * take. FOLDER is a path as the JVM sees it.
 *
 *     facts FOLDER NAME [FOLDER NAME]...  whether there is the first file, and the content of each further one
 *     finds FOLDER NAME DEVICE INODE      whether it can be read, and is the file with these numbers
 *     listen FOLDER SOCKET TRIGGER        makes the JVM listen, unless it does
 *     ask FOLDER SOCKET                   what follows is said to the JVM, and its answer is the content
 *     view FOLDER SOCKET                  connects the view to the JVM, until either hangs up
 *     sweep FOLDER PREFIX                 removes the sockets of this user's at which nobody listens
 *
 * Threats. The JVM, its user, and root of its container may change everything in that place at any moment, send signals
 * to this program once it has the user's rights, and answer anything. Therefore it follows no links, acts only on files
 * that it holds, compares who listens with whom it looks for, parses nothing that comes from a JVM's socket, blocks all
 * signals, cannot be traced, starts no program, and has no libc, which would read files there. If somebody stops
 * it, nobody waits for long: the command has a timeout. What makes copies with the command's rights has its own
 * connection, which the part with the user's rights has not.
 */
#include "call.h"
#include "command.h"
#include "files.h"
#include "held.h"
#include "jvm.h"
#include "maker.h"
#include "relay.h"
#include "target.h"
#include <fcntl.h>
#include <signal.h>
#include <sys/syscall.h>

enum { IDLE_MS = 1000 };

static struct target target;
static int of_view; /* the command's connection */

/* What stands in the way at the start ends it. */
static int done(long result, const char *step)
{
    if (has_failed(result, step)) {
        leave();
    }
    return (int)result;
}

static void serve_in(int folder, const char *verb, int most_s)
{
    const char *name = word();
    if (is(verb, "ask")) {
        ask(&target, most_s, folder, name);
    } else if (is(verb, "view")) {
        begin_view(&target, most_s, of_view, folder, name);
    } else if (is(verb, "listen")) {
        make_listen(&target, most_s, folder, name, word());
    } else if (is(verb, "sweep")) {
        sweep(&target, folder, name);
    } else {
        const char *device = word();
        find(folder, name, device, word());
    }
}

static void serve_request(void)
{
    if (!has_words()) {
        return;
    }
    const char *verb = word();
    const char *seconds = word();
    int most_s = (int)number(&seconds, 10);
    if (is(verb, "facts")) {
        tell_facts(&target);
        return;
    }
    long folder = walk(&target, word());
    if (!has_failed(folder, "folder")) {
        serve_in((int)folder, verb, most_s);
        close_file(folder);
    }
}

static _Noreturn void serve_requests(void)
{
    for (;;) {
        bool is_asked = relay(is_viewing() ? -1 : IDLE_MS);
        if (is_viewing() && !is_viewed()) {
            end_view(&target, of_view);
        }
        if (is_asked) {
            drop_answer();
            if (!receive()) {
                break;
            }
            serve_request();
        } else if (!is_viewing() && has_ended(&target)) {
            leave();
        }
    }
    if (is_viewing()) {
        end_view(&target, of_view);
    }
    tclk_call6(SYS_wait4, -1, 0, 0, 0, 0, 0); /* for the maker, which the command has hung up on, too */
    leave();
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

/* The ids that it takes where it must are those that the command names. */
static _Noreturn void become_maker(int connection, const char *uid, const char *gid)
{
    close_file(of_view);
    close_file(command);
    command = connection;
    target.uid = (unsigned)number(&uid, 10);
    target.gid = (unsigned)number(&gid, 10);
    target.group_count = 0;
    target.capabilities = 0;
    make_copies(&target);
}

/* Without one, the command hears that nothing makes copies. */
static void start_maker(int connection, char **ids)
{
    unsigned long ignored[4] = {(unsigned long)SIG_IGN}; /* nobody has to wait for it */
    tclk_call6(SYS_rt_sigaction, SIGCHLD, (long)ignored, 0, sizeof(uint64_t), 0, 0);
    if (tclk_call6(SYS_clone, SIGCHLD, 0, 0, 0, 0, 0) == 0) {
        become_maker(connection, ids[0], ids[1]);
    }
    close_file(connection);
}

static int connect_to_command(const char *path)
{
    long connected = connect_by(path, 0, 0);
    if (connected < 0) {
        tclk_call(SYS_exit_group, 1, 0, 0);
    }
    return (int)connected;
}

static _Noreturn __attribute__((used)) void serve(long *stack)
{
    char **arguments = (char **)(stack + 1);
    uint64_t all = ~(uint64_t)0;
    if (*stack != 10) {
        tclk_call(SYS_exit_group, 2, 0, 0);
    }
    long hidden = hide();
    tclk_call6(SYS_rt_sigprocmask, SIG_SETMASK, (long)&all, 0, sizeof(all), 0, 0);
    command = connect_to_command(arguments[1]);
    of_view = connect_to_command(arguments[1]);
    int of_maker = connect_to_command(arguments[1]);
    done(hidden, "rights");
    tclk_call(SYS_setsid, 0, 0, 0); /* no terminal */
    for (int fd = 0; fd < 3; fd++) {
        close_file(fd);
    }
    read_target(arguments + 2);
    start_maker(of_maker, arguments + 8);
    target.descriptors = done(open_ours("/proc/self/fd", O_PATH | O_DIRECTORY), "proc");
    enter(&target);
    done(take_rights(&target), "rights");
    answer("ok", 0);
    serve_requests();
}

#if defined(__x86_64__)
__asm__(".globl _start\n_start: xor %ebp, %ebp\n mov %rsp, %rdi\n and $-16, %rsp\n call serve\n");
#elif defined(__aarch64__)
__asm__(".globl _start\n_start: mov x29, #0\n mov x30, #0\n mov x0, sp\n bl serve\n");
#endif
