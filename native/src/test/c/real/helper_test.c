/* SPDX-License-Identifier: Apache-2.0 */

/* Tests threadclock-helper as it is built, on this process in the place of a JVM. What takes another user is in
 * HelperTest. */

#include "../fake/random.h"
#include "client.h"
#include "kind.h"
#include "process.h"

#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#define ROUNDS (int)kind_rounds(300)
#define MOST_WORDS 16
#define ECHO_BYTES (1 << 20)
#define FRAME (1 << 16)

static char helper[PATH_MAX];
static char folder[] = "/tmp/tclk-helper-XXXXXX";
static char socket_path[64];
static char process[32];
static char pid[16], uid[16], gid[16];
static int listener;
static int control, view, maker; /* connected to the helper */
static uint32_t requests, copies;
static pid_t child;

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

static int connection_at(int fd)
{
    return readable(fd) ? accept(fd, NULL, NULL) : -1;
}

static void connect_all(void)
{
    control = connection_at(listener);
    view = connection_at(listener);
    maker = connection_at(listener);
    requests = copies = 0;
}

static int ended(void)
{
    int status;
    close(control);
    close(view);
    close(maker);
    return waitpid(child, &status, 0) == child && WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static bool take(int from, void *into, size_t count)
{
    for (char *at = into; count > 0;) {
        ssize_t got = readable(from) ? read(from, at, count) : -1;
        if (got <= 0) {
            return false;
        }
        at += got;
        count -= (size_t)got;
    }
    return true;
}

/* The next frame of that request, or below 0; former ones are passed over. */
static long frame(int from, uint32_t number, char *into)
{
    uint32_t head[2];
    do {
        if (!take(from, head, sizeof head) || head[1] > FRAME || !take(from, into, head[1])) {
            return -1;
        }
    } while (head[0] != number);
    return (long)head[1];
}

static char content[ECHO_BYTES];
static size_t content_bytes;

/* The line of the next reply, and its content. */
static const char *reply(int from, uint32_t number)
{
    static char line[FRAME + 1], bytes[FRAME];
    long length = frame(from, number, line);
    line[length < 0 ? 0 : length] = 0;
    content_bytes = 0;
    while (length >= 0 && (length = frame(from, number, bytes)) > 0) {
        memcpy(content + content_bytes, bytes, (size_t)length);
        content_bytes += (size_t)length;
    }
    return line;
}

static void start(void)
{
    char *words[] = {helper, socket_path, process, pid, uid, gid, "", "ffffffffff", uid, gid, NULL};
    run(words);
    connect_all();
    const char *said = reply(control, 0);
    ok(strcmp(said, "ok 0") == 0, "it is there: %s", said);
}

static void send_words(int to, const char *const *words, const char *last, size_t bytes)
{
    char request[FRAME];
    uint32_t length = 0;
    for (; *words != NULL; words++) {
        strcpy(request + 4 + length, *words);
        length += (uint32_t)strlen(*words) + 1;
    }
    memcpy(request + 4 + length, last, bytes);
    length += (uint32_t)bytes;
    memcpy(request, &length, 4);
    if (write(to, request, 4 + length) != 4 + length) {
        diag("it cannot be asked");
    }
}

#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void ask(const char *const *words, const char *last, size_t bytes)
{
    send_words(control, words, last, bytes);
    requests++;
}

static bool says(const char *expected)
{
    const char *said = reply(control, requests);
    if (strcmp(said, expected) != 0) {
        diag("%s, not %s", said, expected);
    }
    return strcmp(said, expected) == 0;
}

static bool answers(const char *verb, const char *place, const char *name, const char *option, const char *expected)
{
    ask(WORDS(verb, "5", place, name, option), "", 0);
    return says(expected);
}

static void copy(const char *name, const char *bytes)
{
    send_words(maker, WORDS("copy", "5", folder, name, bytes), "", 0);
    copies++;
}

static bool copied(const char *expected)
{
    return strcmp(reply(maker, copies), expected) == 0;
}

static void in_folder(char *path, const char *name)
{
    snprintf(path, PATH_MAX, "%s/%s", folder, name);
}

static bool reads(const char *place, const char *name, const char *expected)
{
    ask(WORDS("facts", "5", folder, "none", place, name), "", 0);
    bool is_named = says("name 2");
    return says(expected) && is_named;
}

static void what_is_there(void)
{
    char path[PATH_MAX], link[PATH_MAX];
    start();
    in_folder(path, "file");
    int file = open(path, O_CREAT | O_WRONLY, 0600);
    ok(answers("facts", folder, "file", NULL, "ok 0"), "what is there is seen");
    ok(answers("facts", folder, "none", NULL, "name 2"), "what is not there is not");
    ok(answers("facts", "/none", "file", NULL, "folder 2"), "nor is a folder");
    in_folder(link, "link");
    ok(symlink(folder, link) == 0 && answers("facts", link, "file", NULL, "folder 20"),
       "a link to a folder is not followed");
    in_folder(path, "../..");
    ok(answers("facts", path, "tmp", NULL, "folder 40"), "nobody is led upwards");
    ok(write(file, "text", 4) == 4 && reads(folder, "file", "ok 0") && content_bytes == 4 &&
           memcmp(content, "text", 4) == 0,
       "a file is read");
    close(file);
    ok(reads(folder, "link", "name 40"), "a link to a file is not followed");
    in_folder(path, "pipe");
    ok(mkfifo(path, 0600) == 0 && reads(folder, "pipe", "kind 0"), "a pipe is not waited for");
    ok(answers("ask", folder, "file", NULL, "kind 0"), "what is no socket is not connected to");
    copy("file", "9");
    ok(copied("taken 0"), "what is there is not written over");
    is_ns(ended(), 0, "it ends when the command hangs up");
}

static bool passes(int from, int to)
{
    static char sent[ECHO_BYTES], back[ECHO_BYTES];
    for (size_t i = 0; i < sizeof sent; i++) {
        sent[i] = (char)random_next();
    }
    pid_t writer = fork();
    if (writer == 0) {
        _exit(write(from, sent, sizeof sent) == sizeof sent ? 0 : 1);
    }
    bool is_all = take(to, back, sizeof back);
    waitpid(writer, NULL, 0);
    return is_all && memcmp(sent, back, sizeof back) == 0;
}

/* As one does that does not read. */
static void fill(int to)
{
    static char bytes[ECHO_BYTES];
    while (send(to, bytes, sizeof bytes, MSG_DONTWAIT) > 0) {
    }
}

static void bytes_go_both_ways(void)
{
    char path[PATH_MAX];
    in_folder(path, "echo");
    int jvm_listener = client_listen_at(path);
    start();
    ok(answers("view", folder, "echo", NULL, "ok 0"), "it connects to this process");
    int jvm = connection_at(jvm_listener);
    ok(passes(view, jvm), "what the command says comes to the JVM as it is");
    ok(passes(jvm, view), "what the JVM says comes to the command");
    ok(answers("view", folder, "echo", NULL, "connect 16"), "there is one view at a time");

    ask(WORDS("ask", "5", folder, "echo"), "a\0b", 3);
    int asked = connection_at(jvm_listener);
    char question[8];
    ok(readable(asked) && read(asked, question, sizeof question) == 3 && memcmp(question, "a\0b", 3) == 0,
       "the JVM is asked this");
    ok(write(asked, question, 3) == 3 && passes(jvm, view), "the view goes on until it has answered");
    close(asked);
    ok(says("ok 0") && content_bytes == 3 && memcmp(content, question, 3) == 0, "its answer comes as it is");

    ask(WORDS("ask", "5", folder, "echo"), "?", 1);
    asked = connection_at(jvm_listener);
    fill(asked);
    ok(passes(jvm, view), "the view goes on while nobody takes an answer");
    ok(answers("facts", folder, "file", NULL, "ok 0"), "an answer that nobody waits for is no other one's");
    close(asked);
    close(jvm);
    ok(readable(view) && read(view, question, 1) == 0, "the view ends with the JVM's");
    ok(answers("facts", folder, "file", NULL, "ok 0"), "and the helper does not");
    ok(answers("view", folder, "echo", NULL, "connect 16"), "there is no second view");
    is_ns(ended(), 0, "it ends when the command hangs up");
    close(jvm_listener);
}

static void a_copy_is_whole_or_none(void)
{
    char path[PATH_MAX];
    struct stat its;
    in_folder(path, "copy");
    start();
    copy("copy", "1000");
    ok(copied("ok 0") && write(maker, helper, 100) == 100, "a copy is begun");
    is_ns(ended(), 0, "and given up");
    ok(stat(path, &its) != 0 && errno == ENOENT, "nothing of it stays");
    mode_t before = umask(077);
    start();
    copy("copy", "100");
    ok(copied("ok 0") && write(maker, helper, 100) == 100 && copied("written 0"), "it is made");
    umask(before);
    ok(stat(path, &its) == 0 && its.st_size == 100 && (its.st_mode & 07777) == 0755, "all may run it");
    copy("copy", "100");
    ok(copied("same 0"), "it is used again");
    chmod(folder, 0777);
    copy("another", "1");
    ok(copied("open 0"), "not where others replace files");
    chmod(folder, 0700);
    is_ns(ended(), 0, "the helper has ended");
}

static size_t random_bytes(char *into, size_t most)
{
    size_t length = random_next() % (random_next() % 4 == 0 ? most : 20);
    for (size_t k = 0; k < length; k++) {
        into[k] = (char)(1 + random_next() % 255);
    }
    return length;
}

/* Words of any bytes, some of them right: it ends by itself, and leaves nothing but what it was asked for. */
static void any_words_are_survived(void)
{
    int survived = 0;
    int rounds = ROUNDS;
    for (int round = 0; round < rounds; round++) {
        static char words[MOST_WORDS][5000];
        char *all[MOST_WORDS + 3] = {helper, socket_path, process, pid, uid, gid, "", "0", uid, gid};
        int count = 9 + (int)(random_next() % 3);
        for (int i = 2; i < count; i++) {
            words[i][random_bytes(words[i], sizeof words[i] - 1)] = 0;
            all[i] = random_next() % 8 != 0 && i < 10 ? all[i] : words[i];
        }
        all[count] = NULL;
        run(all);
        if (count == 10) {
            connect_all();
        }
        int status = ended();
        survived += status == (count == 10 ? 0 : 2);
    }
    is_ns(survived, rounds, "it ends by itself, with whatever words it is started");
}

static void any_requests_are_survived(void)
{
    static const char *right[] = {"facts", "ask",  "view", "sweep", "finds", folder,
                                  "file",  "echo", "link", "/proc", "1"};
    static char request[4 + (1 << 15)];
    int survived = 0;
    int rounds = ROUNDS;
    for (int round = 0; round < rounds; round++) {
        char *words[] = {helper, socket_path, process, pid, uid, gid, "", "0", uid, gid, NULL};
        run(words);
        connect_all();
        for (int i = 0; i < 8; i++) {
            uint32_t length = 0;
            for (uint64_t left = random_next() % 7; left > 0; left--) {
                bool is_right = random_next() % 4 != 0;
                const char *word = right[random_next() % (sizeof right / sizeof *right)];
                length += (uint32_t)(is_right ? (strcpy(request + 4 + length, word), strlen(word))
                                              : random_bytes(request + 4 + length, 2000));
                request[4 + length++] = 0;
            }
            memcpy(request, &length, 4);
            send(random_next() % 4 == 0 ? maker : control, request, 4 + length - random_next() % 4 / 3, MSG_DONTWAIT);
        }
        survived += ended() == 0;
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
    if (skips(kind_is_emulated(), "threadclock-helper", "a kernel that starts programs of this architecture")) {
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
    listener = client_listen_at(socket_path);
    what_is_there();
    bytes_go_both_ways();
    a_copy_is_whole_or_none();
    any_words_are_survived();
    any_requests_are_survived();
    folder_remove(folder);
    ok(access(folder, F_OK) != 0, "the folder is removed");
    return done();
}
