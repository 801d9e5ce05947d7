/* SPDX-License-Identifier: Apache-2.0 */

/* Prints how threadclock.h breaks what it promises, as a program sees it that is linked with an installed library. */

#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <threadclock.h>
#include <unistd.h>

#define READINGS 100000

static struct tclk_times read_clock(void)
{
    struct tclk_times now = {-1, -1, -1};
    int error = tclk_thread_read(&now);
    if (error != 0) {
        printf("reading fails: %d\n", error);
        exit(1);
    }
    return now;
}

static void check_sequence(const char *who)
{
    struct tclk_times last = read_clock();
    for (int i = 0; i < READINGS; i++) {
        struct tclk_times now = read_clock();
        if (now.cpu_ns < last.cpu_ns || now.user_ns < last.user_ns) {
            printf("%s: a reading goes back\n", who);
        }
        if (now.user_ns + now.system_ns != now.cpu_ns) {
            printf("%s: user + system is not CPU time\n", who);
        }
        last = now;
    }
}

static void check_child(void)
{
    struct tclk_times parent;
    do {
        parent = read_clock();
    } while (parent.cpu_ns < 20000000);
    pid_t child = fork();
    if (child == 0) {
        if (read_clock().cpu_ns >= parent.cpu_ns) {
            printf("a child begins with its parent's time\n");
        }
        check_sequence("a child");
        (void)fflush(stdout);
        _exit(0);
    }
    waitpid(child, NULL, 0);
}

int main(void)
{
    check_sequence("a thread");
    check_child();
    check_sequence("a parent");
    printf("%s, %s\n", tclk_version(), tclk_source_name(tclk_clock_source()));
    return 0;
}
