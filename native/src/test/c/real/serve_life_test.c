/* SPDX-License-Identifier: Apache-2.0 */

/* Tests when the server ends, and that nothing is left of it: no thread, descriptor or file. */

#include "client.h"
#include "leftovers.h"
#include "process.h"
#include "threads.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <tap.h>

#define SHORT_NS (50 * MS)

static struct client_reply reply;

static bool has_file(void)
{
    struct stat status;
    return lstat(client_path(), &status) == 0;
}

static void left_nothing(struct leftovers before, const char *when)
{
    ok(client_awaits_end(), "%s: the server ends", when);
    ok(!has_file(), "%s: its file is removed", when);
    leftovers_none(before, when);
}

static void ends_with_its_last_client(void)
{
    struct leftovers before = leftovers_now();
    int first = client_begin();
    tclk_server_start(client_no_java_ids);
    int second = client_connect(client_path());
    ok(client_look(first, &reply, 0) && client_look(second, &reply, 0), "two clients are served");
    close(first);
    ok(client_look(second, &reply, 0), "one client is served after the other has left");
    close(second);
    left_nothing(before, "when its last client goes");
}

static void ends_when_nobody_comes(void)
{
    struct leftovers before = leftovers_now();
    int64_t began_ns = wall_ns();
    tclk_server_awaits_ns = SHORT_NS;
    tclk_server_start(client_no_java_ids);
    left_nothing(before, "when nobody comes");
    ok(wall_ns() - began_ns >= SHORT_NS, "the server waits for its first client for the whole time");
}

static void waits_for_one_more_client(void)
{
    tclk_server_awaits_ns = 300 * S;
    int first = client_begin();
    ok(client_look(first, &reply, 0) && tclk_server_start(client_no_java_ids) == 0,
       "it is started once more while it is there");
    close(first);
    int second = client_connect(client_path());
    ok(second >= 0 && client_look(second, &reply, 0), "the end of the server waits for the next client");
    tclk_server_awaits_ns = SHORT_NS;
    tclk_server_start(client_no_java_ids);
    close(second);
    ok(client_awaits_end(), "the wait for the next client ends");
    tclk_server_awaits_ns = 300 * S;
}

static void ends_when_it_is_told_to(void)
{
    struct leftovers before = leftovers_now();
    int client = client_begin();
    client_look(client, &reply, 0);
    ok(tclk_server_stop(), "it is told to end");
    ok(!tclk_server_runs(), "the server has ended when tclk_server_stop() returns");
    ok(client_is_dropped(client), "its clients see that");
    close(client);
    left_nothing(before, "when it is told to");
    ok(!tclk_server_stop(), "a server that does not run cannot be stopped");
}

static void starts_again_and_again(void)
{
    struct leftovers before = leftovers_now();
    int served = 0;
    for (int i = 0; i < 50; i++) {
        int client = client_begin();
        served += client_look(client, &reply, 0);
        if (i % 2 == 0) {
            tclk_server_stop();
        }
        close(client);
        client_awaits_end();
    }
    is_ns(served, 50, "it can be started again whenever it has ended");
    left_nothing(before, "again and again");
}

/* ---- who may connect ---- */

static void its_file_is_the_users_own(void)
{
    struct stat status = {0};
    mode_t mask = umask(0);
    int client = client_begin();
    umask(mask);
    lstat(client_path(), &status);
    ok(S_ISSOCK(status.st_mode) && (status.st_mode & 07777) == 0600,
       "its file is for its user alone, whatever the umask");
    client_leave(client);
}

static void stranger(void)
{
    char path[64];
    snprintf(path, sizeof path, "%s%d", TCLK_SERVE_PATH, (int)getppid());
    if (setgid(65534) != 0 || setuid(65534) != 0) {
        exit(2);
    }
    int client = client_connect(path);
    ok(client == -EACCES || (client >= 0 && client_is_dropped(client)), "another user is not let in");
}

static void others_are_not_let_in(void)
{
    if (getuid() != 0) {
        skip("another user is not let in", "root, to become another user");
        return;
    }
    int client = client_begin();
    in_child(stranger);
    chmod(client_path(), 0666);
    in_child(stranger);
    ok(client_look(client, &reply, 0), "and those who are there do not notice");
    client_leave(client);
}

/* ---- other files in its place ---- */

static int listener;

static void dead_socket(void)
{
    close(client_listen_at(client_path()));
}

static void somebody_who_listens(void)
{
    listener = client_listen_at(client_path());
}

static void another_file(void)
{
    unlink(client_path());
    close(open(client_path(), O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

/* Everybody may write to /tmp, and guess the name of the file. */
static const char *link_target(void)
{
    static char target[80];
    snprintf(target, sizeof target, "%s_elsewhere", client_path());
    return target;
}

static void link_elsewhere(void)
{
    if (symlink(link_target(), client_path()) != 0) {
        abort();
    }
}

static void socket_of_another_user(void)
{
    dead_socket();
    if (lchown(client_path(), 65534, 65534) != 0) {
        abort();
    }
}

static const struct {
    void (*put)(void);
    const char *what;
    bool needs_root;
} in_its_place[] = {
    {somebody_who_listens, "somebody listens", false},
    {another_file, "there is another file", false},
    {link_elsewhere, "there is a link", false},
    {socket_of_another_user, "another user has left a socket", true},
};

static void leaves_others_alone(void)
{
    struct leftovers before = leftovers_now();
    for (size_t i = 0; i < sizeof in_its_place / sizeof in_its_place[0]; i++) {
        if (in_its_place[i].needs_root && getuid() != 0) {
            skip("another user's socket is left alone", "root, to make another user's socket");
            continue;
        }
        in_its_place[i].put();
        is_ns(tclk_server_start(client_no_java_ids), -EADDRINUSE, "where %s the server does not start",
              in_its_place[i].what);
        ok(has_file() && access(link_target(), F_OK) != 0, "where %s it leaves all as it is", in_its_place[i].what);
        unlink(client_path());
    }
    close(listener);
    leftovers_none(before, "where it does not start");
}

static void takes_the_place_of_one_that_was_killed(void)
{
    dead_socket();
    ok(has_file(), "a process of this pid has left its file");
    int client = client_begin();
    ok(client_look(client, &reply, 0), "the next one takes its place");
    client_leave(client);
}

/* ---- a cleaner of temporary files ---- */

static void makes_its_file_again(void)
{
    struct leftovers before = leftovers_now();
    int first = client_begin();
    client_look(first, &reply, 0);
    unlink(client_path());
    int second = client_begin();
    ok(client_look(second, &reply, 0), "the server that is asked again makes its file again");
    ok(client_look(first, &reply, 0), "the client that was there goes on");
    close(first);
    close(second);
    left_nothing(before, "after its file was removed");
}

static void leaves_what_has_its_name(void)
{
    struct leftovers before = leftovers_now();
    int client = client_begin();
    another_file();
    is_ns(tclk_server_start(client_no_java_ids), -EADDRINUSE, "the server says that another file has its name");
    ok(client_look(client, &reply, 0), "the client that was there goes on without a file");
    close(client);
    ok(client_awaits_end() && has_file(), "the server that ends leaves another file alone");
    unlink(client_path());
    leftovers_none(before, "beside another file");
}

/* ---- the process's end, and its children ---- */

/* Runs a server in a child that exits. Returns its status; the path is that of its file. */
static int status_of_exit(void (*before_exit)(void), char *path)
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        int client = client_begin();
        if (!client_look(client, &reply, 0)) {
            _exit(3);
        }
        before_exit();
        exit(0);
    }
    waitpid(child, &status, 0);
    sprintf(path, "%s%d", TCLK_SERVE_PATH, (int)child);
    return status;
}

static void do_nothing(void)
{
}

static void goes_with_the_process(void)
{
    char path[64];
    is_ns(status_of_exit(do_nothing, path), 0, "a process that is looked at can exit");
    ok(access(path, F_OK) != 0, "and the file goes with it");
    status_of_exit(another_file, path);
    ok(unlink(path) == 0, "the process that exits leaves another file alone");
}

static void child_has_no_part(void)
{
    int sockets = 0;
    struct stat status;
    for (int fd = 3; fd < 64; fd++) {
        sockets += fstat(fd, &status) == 0 && S_ISSOCK(status.st_mode);
    }
    ok(!tclk_server_runs(), "a child of fork has no server");
    is_ns(sockets, 1, "and of the sockets it has the client's alone");
    int own = client_begin();
    ok(client_look(own, &reply, 0) && reply.head.pid == (uint32_t)getpid(), "but can have one of its own");
    client_leave(own);
}

static void survives_a_fork(void)
{
    int client = client_begin();
    client_look(client, &reply, 0);
    in_child(child_has_no_part);
    ok(has_file() && client_look(client, &reply, 0), "the parent's goes on");
    for (int i = 0; i < 2; i++) {
        fflush(stdout);
        pid_t child = i == 0 ? fork() : process_clone();
        if (child == 0) {
            exit(0);
        }
        waitpid(child, NULL, 0);
        ok(has_file(), "a child that %s leaves the file alone", i == 0 ? "exits" : "libc does not know");
    }
    client_leave(client);
}

/* ---- signals ---- */

static void is_no_thread_for_signals(void)
{
    char path[64];
    char line[256];
    uint64_t blocked = 0;
    int client = client_begin();
    client_look(client, &reply, 0);
    snprintf(path, sizeof path, "/proc/self/task/%u/status", reply.head.own_tid);
    FILE *file = fopen(path, "re");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "SigBlk:", 7) == 0) {
            blocked = strtoull(line + 7, NULL, 16);
        }
    }
    fclose(file);
    for (int i = 0; i < 4; i++) {
        static const int asynchronous[] = {SIGTERM, SIGQUIT, SIGPROF, SIGUSR1};
        ok((blocked >> (asynchronous[i] - 1) & 1) != 0, "it blocks signal %d", asynchronous[i]);
    }
    ok((blocked >> (SIGSEGV - 1) & 1) == 0, "it does not block the signals of its own faults");
    client_leave(client);
}

int main(void)
{
    struct tclk_times times;
    tclk_thread_read(&times);
    close(client_begin()); /* sets up what the first client takes for good */
    client_awaits_end();
    ends_with_its_last_client();
    ends_when_nobody_comes();
    waits_for_one_more_client();
    ends_when_it_is_told_to();
    starts_again_and_again();
    its_file_is_the_users_own();
    others_are_not_let_in();
    takes_the_place_of_one_that_was_killed();
    leaves_others_alone();
    makes_its_file_again();
    leaves_what_has_its_name();
    goes_with_the_process();
    survives_a_fork();
    is_no_thread_for_signals();
    free(reply.bytes);
    return done();
}
