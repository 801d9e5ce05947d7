/* SPDX-License-Identifier: Apache-2.0 */

/* Tests threadclock-helper as it is built, on this process in the place of a JVM. What takes another user is in
 * HelperTest. */

#include "../fake/random.h"
#include "kind.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <tap.h>
#include <unistd.h>

#define ROUNDS (int)kind_rounds(300)
#define MOST_WORDS 16
#define ECHO_BYTES (1 << 20)

static char helper[PATH_MAX];
static char folder[] = "/tmp/tclk-helper-XXXXXX";
static char socket_path[64];
static char process[32];
static char pid[16], uid[16], gid[16];
static int listener;
static int command; /* connected to the helper */
static pid_t child;

static struct sockaddr_un address_of(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    return address;
}

static int listen_at(const char *path)
{
    struct sockaddr_un address = address_of(path);
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    bool listens = bind(fd, (struct sockaddr *)&address, sizeof address) == 0 && listen(fd, 8) == 0;
    return listens ? fd : -1;
}

static bool readable(int fd)
{
    struct pollfd its = {.fd = fd, .events = POLLIN};
    return poll(&its, 1, -1) > 0;
}

/* With an emulator, where this program runs by one. */
static void run(char **words)
{
    char *emulator = getenv("PLATFORM_QEMU");
    char *emulated[MOST_WORDS + 2] = {emulator, helper};
    memcpy(emulated + 2, words + 1, MOST_WORDS * sizeof *words);
    child = fork();
    if (child == 0) {
        execv(emulator != NULL ? emulator : helper, emulator != NULL ? emulated : words);
        _exit(127);
    }
}

static void start(const char *verb, const char *place, const char *name, const char *option)
{
    char *words[MOST_WORDS + 1] = {helper,        socket_path,  process,       pid,           uid,
                                   gid,           "",           "ffffffffff",  (char[]){"5"}, (char *)verb,
                                   (char *)place, (char *)name, (char *)option};
    run(words);
    command = readable(listener) ? accept(listener, NULL, NULL) : -1;
}

static int ended(void)
{
    int status;
    close(command);
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static const char *line(void)
{
    static char text[128];
    size_t length = 0;
    while (length < sizeof text - 1 && readable(command) && read(command, text + length, 1) == 1 &&
           text[length] != '\n') {
        length++;
    }
    text[length] = 0;
    return text;
}

static bool answers(const char *verb, const char *place, const char *name, const char *option, const char *expected)
{
    start(verb, place, name, option);
    const char *said = line();
    bool is_it = strcmp(said, expected) == 0;
    if (!is_it) {
        diag("%s %s %s: %s, not %s", verb, place, name, said, expected);
    }
    return (ended() == 0) & is_it;
}

static void in_folder(char *path, const char *name)
{
    snprintf(path, PATH_MAX, "%s/%s", folder, name);
}

static void what_is_there(void)
{
    char path[PATH_MAX], link[PATH_MAX];
    in_folder(path, "file");
    close(open(path, O_CREAT | O_WRONLY, 0600));
    ok(answers("look", folder, "file", NULL, "ok 0"), "what is there is seen");
    ok(answers("look", folder, "none", NULL, "name 2"), "what is not there is not");
    ok(answers("look", "/none", "file", NULL, "folder 2"), "nor is a folder");
    in_folder(link, "link");
    ok(symlink(folder, link) == 0 && answers("look", link, "file", NULL, "folder 20"),
       "a link to a folder is not followed");
    in_folder(path, "../..");
    ok(answers("look", path, "tmp", NULL, "folder 40"), "nobody is led upwards");
    ok(answers("read", folder, "link", NULL, "name 40"), "a link to a file is not followed");
    in_folder(path, "pipe");
    ok(mkfifo(path, 0600) == 0 && answers("read", folder, "pipe", NULL, "kind 0"), "a pipe is not waited for");
    ok(answers("ask", folder, "file", NULL, "kind 0"), "what is no socket is not connected to");
    ok(answers("copy", folder, "file", "9", "taken 0"), "what is there is not written over");
}

static void bytes_go_both_ways(void)
{
    static char sent[ECHO_BYTES], back[ECHO_BYTES];
    char path[PATH_MAX];
    in_folder(path, "echo");
    int jvm_listener = listen_at(path);
    start("ask", folder, "echo", NULL);
    int jvm = readable(jvm_listener) ? accept(jvm_listener, NULL, NULL) : -1;
    ok(strcmp(line(), "ok 0") == 0, "it connects to this process");
    for (size_t i = 0; i < sizeof sent; i++) {
        sent[i] = (char)random_next();
    }
    pid_t writer = fork();
    if (writer == 0) {
        _exit(write(command, sent, sizeof sent) == sizeof sent ? 0 : 1);
    }
    size_t got = 0;
    while (got < sizeof back) {
        ssize_t count = read(jvm, back + got, sizeof back - got);
        if (count <= 0) {
            break;
        }
        got += (size_t)count;
    }
    waitpid(writer, NULL, 0);
    ok(got == sizeof sent && memcmp(sent, back, got) == 0, "what the command says comes to the JVM as it is");
    ok(write(jvm, sent, 1000) == 1000, "the JVM answers");
    close(jvm);
    for (got = 0; got < sizeof back;) {
        ssize_t count = read(command, back + got, sizeof back - got);
        if (count <= 0) {
            break;
        }
        got += (size_t)count;
    }
    ok(got == 1000 && memcmp(sent, back, got) == 0, "its answer comes to the command, and its end");
    is_ns(ended(), 0, "the helper has ended with it");
    close(jvm_listener);
}

static void a_copy_is_whole_or_none(void)
{
    char path[PATH_MAX];
    struct stat its;
    in_folder(path, "copy");
    start("copy", folder, "copy", "1000");
    ok(strcmp(line(), "ok 0") == 0 && write(command, helper, 100) == 100, "a copy is begun");
    is_ns(ended(), 0, "and given up");
    ok(stat(path, &its) != 0 && errno == ENOENT, "nothing of it stays");
    mode_t before = umask(077);
    start("copy", folder, "copy", "100");
    ok(strcmp(line(), "ok 0") == 0 && write(command, helper, 100) == 100 && strcmp(line(), "written 0") == 0,
       "it is made");
    umask(before);
    is_ns(ended(), 0, "the helper has ended");
    ok(stat(path, &its) == 0 && its.st_size == 100 && (its.st_mode & 07777) == 0755, "all may run it");
    ok(answers("copy", folder, "copy", "100", "same 0"), "it is used again");
    ok(chmod(folder, 0777) == 0 && answers("copy", folder, "another", "1", "open 0"), "not where others replace files");
    chmod(folder, 0700);
}

/* Words of any bytes, some of them right: it ends by itself, says one line at most, and leaves nothing but what it was
 * asked for. */
static void any_words_are_survived(void)
{
    static const char *right[] = {"look", "read", "ask", "view", "sweep", folder, "file", "echo", "link", "/proc"};
    int survived = 0;
    int rounds = ROUNDS;
    for (int round = 0; round < rounds; round++) {
        static char words[MOST_WORDS][5000];
        char *all[MOST_WORDS + 3] = {helper, socket_path, process, pid, uid, gid, "", "0", "1"};
        int count = 9 + (int)(random_next() % 5);
        for (int i = 2; i < count; i++) {
            size_t length = random_next() % (random_next() % 4 == 0 ? sizeof words[i] : 20);
            for (size_t k = 0; k < length; k++) {
                words[i][k] = (char)(1 + random_next() % 255);
            }
            words[i][length] = 0;
            bool is_right = i >= 9 ? random_next() % 4 != 0 : random_next() % 8 != 0;
            all[i] = !is_right ? words[i]
                     : i < 9   ? all[i]
                               : (char *)right[random_next() % (sizeof right / sizeof *right)];
        }
        all[count] = NULL;
        run(all);
        if (count >= 12) {
            command = readable(listener) ? accept(listener, NULL, NULL) : -1;
        }
        int status = ended();
        survived += status == (count >= 12 ? 0 : 2);
    }
    is_ns(survived, rounds, "it ends by itself, whatever it is asked");
}

int main(void)
{
    ssize_t length = readlink("/proc/self/exe", helper, sizeof helper - 1);
    for (int up = 0; up < 4 && length > 0; up++) {
        char *end = strrchr(helper, '/');
        *(end != NULL ? end : helper) = 0;
    }
    strcat(helper, "/threadclock-helper");
    if (access(helper, X_OK) != 0) {
        skip("threadclock-helper", helper);
        return done();
    }
    signal(SIGPIPE, SIG_IGN);
    signal(SIGQUIT, SIG_IGN); /* by which the JVM that this one plays is asked to listen */
    snprintf(process, sizeof process, "/proc/%d", getpid());
    snprintf(pid, sizeof pid, "%d", getpid());
    snprintf(uid, sizeof uid, "%u", geteuid());
    snprintf(gid, sizeof gid, "%u", getegid());
    ok(mkdtemp(folder) != NULL, "a folder is made");
    snprintf(socket_path, sizeof socket_path, "%s/command", folder);
    listener = listen_at(socket_path);
    what_is_there();
    bytes_go_both_ways();
    a_copy_is_whole_or_none();
    any_words_are_survived();
    char command_line[PATH_MAX];
    snprintf(command_line, sizeof command_line, "rm -rf '%s'", folder);
    ok(system(command_line) == 0, "the folder is removed");
    return done();
}
