/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Children that are made in unusual ways: by fork() in a signal handler, at any point of its thread; by vfork() and
 * exec; by clone(2) that shares the memory until the child execs. A child reads its own time from 0, a program that was
 * started by exec as well, and the parent's goes on.
 */

#include "kind.h"
#include "leftovers.h"
#include "process.h"
#include "seccomp.h"
#include "sources.h"
#include "stats.h"
#include "threads.h"
#include "witness.h"

#include <sched.h>
#include <signal.h>
#include <spawn.h>
#include <string.h>
#include <sys/time.h>
#include <tap.h>

#define READS_AS_CHILD "--reads-as-child"
#define CHILD_STACK_BYTES 65536

/* CPU time that the parent has used, and a child has not. */
#define USED_NS (100 * MS)

/* This runs in any child, so it uses no stdio. */
static bool reads_from_zero(void)
{
    int64_t before_ns = kernel_cpu_ns();
    struct tclk_times first = {-1, -1, -1};
    int error = tclk_thread_read(&first);
    int64_t after_ns = kernel_cpu_ns();
    bool right = error == 0 && before_ns <= first.cpu_ns && first.cpu_ns <= after_ns && witness_is_consistent(first);
    for (int i = 0; i < 100 && right; i++) {
        struct tclk_times next;
        right = tclk_thread_read(&next) == 0 && next.cpu_ns >= first.cpu_ns && next.user_ns >= first.user_ns &&
                next.cpu_ns <= kernel_cpu_ns() + ahead_most_ns();
        first = next;
    }
    return right;
}

static bool ended_well(pid_t child)
{
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return status == 0;
}

static void parent_goes_on(const char *source, const char *who)
{
    struct witness w = witness_watch(20 * MS);
    witness_confirms(&w, source, who);
}

/* ---- fork() in a handler ---- */

#define FORKS (int)kind_rounds(60)

static volatile int forks;
static volatile int fork_failures;

static void on_alarm(int number)
{
    int saved = errno;
    pid_t child = number == SIGALRM ? fork() : -1;
    if (child == 0) {
        _exit(reads_from_zero() ? 0 : 1);
    }
    fork_failures += !ended_well(child);
    forks++;
    errno = saved;
}

/* One signal at a time, so that the handler does not interrupt itself, and the thread does something other than
 * forking. */
static void set_alarm(int us)
{
    struct itimerval timer = {{0, 0}, {0, us}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void forks_in_handler(const char *source)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct tclk_times last = times_now();
    int64_t backwards = 0;
    struct leftovers before = leftovers_now();
    forks = fork_failures = 0;
    sigaction(SIGALRM, &action, NULL);
    for (int done = -1; done < FORKS;) {
        if (done != forks) {
            done = forks;
            set_alarm(300 + done % 7 * 50);
        }
        struct tclk_times now = times_now();
        backwards += now.cpu_ns < last.cpu_ns || now.user_ns < last.user_ns;
        last = now;
    }
    set_alarm(0);
    is_ns(fork_failures, 0, "%s: each of %d children that a handler forks reads from 0", source, FORKS);
    is_ns(backwards, 0, "%s: … and the thread that it interrupts sees no step back", source);
    parent_goes_on(source, "a thread whose handler forks");
    leftovers_none(before, "forked in a handler");
}

/* ---- exec ---- */

static char program[] = "/proc/self/exe";
static char *child_arguments[] = {program, READS_AS_CHILD, NULL, NULL};

static int exec_child(void *unused)
{
    (void)unused;
    execv(program, child_arguments);
    _exit(3);
}

static pid_t by_vfork(void)
{
    pid_t child = vfork();
    if (child == 0) {
        exec_child(NULL);
    }
    return child;
}

static pid_t by_shared_clone(void)
{
    static char stack[CHILD_STACK_BYTES] __attribute__((aligned(16)));
    return clone(exec_child, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
}

/* Uses clone(2), as libc does it. */
static pid_t by_spawn(void)
{
    pid_t child = -1;
    extern char **environ;
    return posix_spawn(&child, program, NULL, NULL, child_arguments, environ) == 0 ? child : -1;
}

static const struct {
    pid_t (*spawn)(void);
    const char *who;
} ways[] = {{by_vfork, "vfork() and exec"},
            {by_shared_clone, "clone(CLONE_VM | CLONE_VFORK) and exec"},
            {by_spawn, "posix_spawn()"}};

static void execs(const char *source)
{
    char number[8];
    snprintf(number, sizeof number, "%d", (int)tclk_clock_source());
    child_arguments[2] = number;
    struct leftovers before = leftovers_now();
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        int wrong = 0;
        struct tclk_times start = times_now();
        for (int n = 0; n < 5; n++) {
            wrong += !ended_well(ways[i].spawn());
        }
        struct tclk_times now = times_now();
        is_ns(wrong, 0, "%s, %s: the program that it starts reads from 0", source, ways[i].who);
        ok(now.cpu_ns >= start.cpu_ns && now.user_ns >= start.user_ns, "%s, %s: the parent's times go on", source,
           ways[i].who);
        parent_goes_on(source, ways[i].who);
    }
    leftovers_none(before, "children by exec");
}

static int be_child(const char *source)
{
    struct tclk_config config = {.source = (enum tclk_source)atoi(source)};
    return tclk_clock_configure(&config) == 0 && reads_from_zero() ? 0 : 1;
}

/* A child that reads before exec does so in its parent's memory, including the words of its parent's thread. */
static void *parent_reads_first_after_child(void *right)
{
    pid_t child = vfork();
    if (child == 0) {
        struct tclk_times times;
        _exit(tclk_thread_read(&times) == 0 ? 0 : 1);
    }
    bool read = ended_well(child);
    spin_cpu_ns(MS);
    int64_t before_ns = kernel_cpu_ns();
    struct tclk_times own = times_now();
    struct tclk_times observed = {-1, -1, -1};
    tclk_tid_read(tclk_tid_own(), &observed);
    *(bool *)right = read && own.cpu_ns >= before_ns && observed.cpu_ns >= own.cpu_ns &&
                     observed.user_ns >= own.user_ns && (kind_is_gate() || kernel_cpu_ns() >= observed.cpu_ns - MS);
    return NULL;
}

static void reads_in_parents_memory(const char *source)
{
    struct leftovers before = leftovers_now();
    int wrong = 0;
    for (int i = 0; i < 20; i++) {
        bool right = false;
        in_thread(parent_reads_first_after_child, &right);
        wrong += !right;
    }
    is_ns(wrong, 0, "%s: a thread whose vfork() child has read first reads its own times", source);
    leftovers_none(before, "a vfork() child that has read");
}

static int64_t threads_now(void)
{
    return (int64_t)stats_now().threads;
}

/* Where memory is not wiped a child's first reading finds that its thread is not the record's. */
static void leaves_parents_records(void)
{
    if (!seccomp_refuse_wiping()) {
        skip("a vfork() child that reads leaves its parent's records alone", SECCOMP_MISSING);
        return;
    }
    spin_cpu_ns(USED_NS);
    times_now();
    int64_t threads = threads_now();
    pid_t child = vfork();
    if (child == 0) {
        struct tclk_times times;
        _exit(tclk_thread_read(&times) == 0 ? 0 : 1);
    }
    ok(ended_well(child), "memory is not wiped: a vfork() child reads");
    is_ns(threads_now(), threads, "… and leaves its parent's records alone");
    parent_goes_on("memory is not wiped", "its parent");
}

/* ---- an area, or a page, that is in use ---- */

/* The child of a thread that has just armed its detector must not take the marker for its own. */
static void *fork_from_thread(void *failures)
{
    for (int i = 0; i < FORKS; i++) {
        times_now();
        pid_t child = fork();
        if (child == 0) {
            _exit(reads_from_zero() ? 0 : 1);
        }
        *(int *)failures += !ended_well(child);
    }
    return NULL;
}

static void forks_armed(const char *source)
{
    int failures = 0;
    spin_cpu_ns(USED_NS);
    in_thread(fork_from_thread, &failures);
    is_ns(failures, 0, "%s: %d children of a thread that has just read", source, FORKS);
}

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], READS_AS_CHILD) == 0) {
        return be_child(arguments[2]);
    }
    in_child(leaves_parents_records); /* before anything is mapped */
    spin_cpu_ns(USED_NS);
    with_each_source(forks_in_handler);
    with_each_source(execs);
    with_each_source(reads_in_parents_memory);
    with_each_source(forks_armed);
    return done();
}
