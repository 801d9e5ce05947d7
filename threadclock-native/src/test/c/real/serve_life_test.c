/* SPDX-License-Identifier: Apache-2.0 */

/* Tests when the server ends, and that nothing is left of it: no thread, descriptor or file. */

#include "client.h"
#include "leftovers.h"
#include "process.h"
#include "threads.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <sys/syscall.h>
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
    close(client);
    client_awaits_end();
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
    close(client);
    client_awaits_end();
}

/* ---- other files in its place ---- */

static int socket_at(const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    int made = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    snprintf(address.sun_path, sizeof address.sun_path, "%s", path);
    if (bind(made, (struct sockaddr *)&address, sizeof address) != 0 || listen(made, 1) != 0) {
        abort();
    }
    return made;
}

static void takes_the_place_of_one_that_was_killed(void)
{
    close(socket_at(client_path()));
    ok(has_file(), "a process of this pid has left its file");
    int client = client_begin();
    ok(client_look(client, &reply, 0), "the next one takes its place");
    close(client);
    client_awaits_end();
}

static void leaves_others_alone(void)
{
    struct leftovers before = leftovers_now();
    int other = socket_at(client_path());
    is_ns(tclk_server_start(client_no_java_ids), -EADDRINUSE, "where somebody listens it does not start");
    ok(has_file(), "and leaves that one's file");
    close(other);
    unlink(client_path());
    int file = open(client_path(), O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    close(file);
    is_ns(tclk_server_start(client_no_java_ids), -EADDRINUSE, "the server does not start where there is another file");
    ok(has_file(), "the server leaves another file alone");
    unlink(client_path());
    leftovers_none(before, "where it does not start");
}

/* ---- a cleaner of temporary files ---- */

static void make_another_file(void)
{
    unlink(client_path());
    close(open(client_path(), O_CREAT | O_EXCL | O_CLOEXEC, 0600));
}

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
    make_another_file();
    is_ns(tclk_server_start(client_no_java_ids), -EADDRINUSE, "the server says that another file has its name");
    ok(client_look(client, &reply, 0), "the client that was there goes on without a file");
    close(client);
    ok(client_awaits_end() && has_file(), "the server that ends leaves another file alone");
    unlink(client_path());
    leftovers_none(before, "beside another file");
}

/* Everybody may write to /tmp, and guess the name of the file. */
static void follows_no_link(void)
{
    char target[80];
    snprintf(target, sizeof target, "%s_elsewhere", client_path());
    if (symlink(target, client_path()) != 0) {
        abort();
    }
    is_ns(tclk_server_start(client_no_java_ids), -EADDRINUSE, "the server does not start where there is a link");
    ok(access(target, F_OK) != 0, "the server does not follow a link");
    unlink(client_path());
}

static void leaves_what_another_user_has_left(void)
{
    if (getuid() != 0) {
        skip("another user's socket is left alone", "root, to make another user's socket");
        return;
    }
    close(socket_at(client_path()));
    if (lchown(client_path(), 65534, 65534) != 0) {
        abort();
    }
    is_ns(tclk_server_start(client_no_java_ids), -EADDRINUSE,
          "the server does not start where another user has left a socket");
    ok(has_file(), "the server leaves another user's socket alone");
    unlink(client_path());
}

/* ---- the process's end, and its children ---- */

static void exit_while_it_is_looked_at(void)
{
    int client = client_begin();
    if (!client_look(client, &reply, 0)) {
        _exit(3);
    }
    exit(0);
}

static void goes_with_the_process(void)
{
    char path[64];
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        exit_while_it_is_looked_at();
    }
    waitpid(child, &status, 0);
    snprintf(path, sizeof path, "%s%d", TCLK_SERVE_PATH, (int)child);
    ok(status == 0, "a process that is looked at can exit");
    ok(access(path, F_OK) != 0, "and the file goes with it");
}

static void exit_beside_another_file(void)
{
    client_begin();
    make_another_file();
    exit(0);
}

static void leaves_another_file_with_the_process(void)
{
    char path[64];
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        exit_beside_another_file();
    }
    waitpid(child, NULL, 0);
    snprintf(path, sizeof path, "%s%d", TCLK_SERVE_PATH, (int)child);
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
    close(own);
    client_awaits_end();
}

static void survives_a_fork(void)
{
    int client = client_begin();
    client_look(client, &reply, 0);
    in_child(child_has_no_part);
    ok(has_file() && client_look(client, &reply, 0), "the parent's goes on");
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        exit(0);
    }
    waitpid(child, NULL, 0);
    ok(has_file(), "and a child that exits leaves its file alone");
    child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        exit(0);
    }
    waitpid(child, NULL, 0);
    ok(has_file(), "a child that libc does not know leaves the file alone");
    close(client);
    client_awaits_end();
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
    close(client);
    client_awaits_end();
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
    follows_no_link();
    leaves_what_another_user_has_left();
    goes_with_the_process();
    leaves_another_file_with_the_process();
    survives_a_fork();
    is_no_thread_for_signals();
    free(reply.bytes);
    return done();
}
