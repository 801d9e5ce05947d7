/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_PROCESS_H
#define TCLK_TEST_PROCESS_H

/* Runs tests in child processes, for things that a process keeps for good: filters, limits, proofs of the library. */

#include <ftw.h>
#include <grp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <tap.h>
#include <unistd.h>

struct tap_results {
    int number;
    int failed;
};

static inline void process_results(int to)
{
    struct tap_results results = {tap_number, tap_failed};
    fflush(stdout);
    _exit(write(to, &results, sizeof results) == sizeof results ? 0 : 1);
}

/* Takes over the child's results, or adds one failure if it left none. */
static inline void process_await(pid_t child, int from)
{
    struct tap_results results;
    int status = 0;
    ssize_t got = read(from, &results, sizeof results);
    waitpid(child, &status, 0);
    if (got == sizeof results) {
        tap_number = results.number;
        tap_failed = results.failed;
    }
    if (got != sizeof results || status != 0) {
        ok(false, "the child process ends by itself");
        diag("it ended with status 0x%x", (unsigned)status);
    }
}

/* Runs a test in a child that `spawn` creates (fork, or a function like it); its results count. Meanwhile the parent
 * may do something to it. */
static inline void in_child_while(pid_t (*spawn)(void), void (*test)(void), void (*meanwhile)(pid_t child))
{
    int ends[2];
    fflush(stdout);
    if (pipe(ends) != 0) {
        exit(2);
    }
    pid_t child = spawn();
    if (child == 0) {
        close(ends[0]);
        test();
        process_results(ends[1]);
    }
    close(ends[1]);
    if (meanwhile != NULL) {
        meanwhile(child);
    }
    process_await(child, ends[0]);
    close(ends[0]);
}

static inline void in_child_of(pid_t (*spawn)(void), void (*test)(void))
{
    in_child_while(spawn, test, NULL);
}

/* Runs a function in a child, and returns the status with which that ends: 0, unless the function ends it otherwise. */
static inline int process_status_of(void (*body)(void))
{
    int status = -1;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        body();
        _exit(0);
    }
    waitpid(child, &status, 0);
    return status;
}

/* As fork(), but libc does not know of the child. */
static inline pid_t process_clone(void)
{
    return (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
}

static inline void in_child(void (*test)(void))
{
    in_child_of(fork, test);
}

/* ---- limits, from which root is exempt ---- */

/* A user id that nobody else has, nor another run of the tests, so that other processes do not count. */
#define PROCESS_ORDINARY_UID (60000 + (uid_t)getpid() % 4096)
#define PROCESS_ORDINARY_MISSING "the right to become another user, where this one is root"

/* Keeps its own /proc files readable, because a process that has changed its user is not dumpable at first. */
static inline bool process_be_ordinary(void)
{
    if (geteuid() != 0) {
        return true;
    }
    uid_t uid = PROCESS_ORDINARY_UID;
    return setgroups(0, NULL) == 0 && setgid(uid) == 0 && setuid(uid) == 0 && prctl(PR_SET_DUMPABLE, 1, 0, 0, 0) == 0;
}

static inline bool process_limit(int what, rlim_t to)
{
    struct rlimit both = {to, to};
    return syscall(SYS_prlimit64, 0, what, &both, NULL) == 0; /* glibc gives `what` a type of its own */
}

/* ---- files ---- */

/* The number behind these words, which begin a line of a file; INT64_MIN: there is none. */
static inline int64_t file_number(const char *path, const char *words)
{
    char line[256];
    int64_t number = INT64_MIN;
    FILE *file = fopen(path, "re");
    while (file != NULL && number == INT64_MIN && fgets(line, sizeof line, file) != NULL) {
        number = strncmp(line, words, strlen(words)) == 0 ? strtoll(line + strlen(words), NULL, 10) : number;
    }
    if (file != NULL) {
        fclose(file);
    }
    return number;
}

/* Writes a file of the test's own, with the folders that it is in. */
static inline void file_write(const char *path, const char *text)
{
    char at[256];
    snprintf(at, sizeof at, "%s", path);
    for (char *slash = at + 1; (slash = strchr(slash, '/')) != NULL; *slash++ = '/') {
        *slash = '\0';
        mkdir(at, 0700);
    }
    FILE *file = fopen(path, "we");
    if (file == NULL || fputs(text, file) < 0 || fclose(file) != 0) {
        ok(false, "%s can be written", path);
    }
}

static inline int folder_remove_entry(const char *path, const struct stat *status, int type, struct FTW *at)
{
    (void)status;
    (void)type;
    (void)at;
    return remove(path);
}

/* Without a shell: a booted kernel has none. */
static inline void folder_remove(const char *path)
{
    if (nftw(path, folder_remove_entry, 8, FTW_DEPTH | FTW_PHYS) != 0) {
        diag("%s is left over", path);
    }
}

/* ---- memory that is wiped ---- */

#define WIPING_MISSING "a fork that wipes what madvise(MADV_WIPEONFORK) names (Linux 4.14; no emulator's)"

/* qemu's user mode accepts that advice and does not always obey it. */
static inline bool process_is_wiped_on_fork(void)
{
    enum { BYTES = 1 << 20, ADVICE = 18 };
    int status = 1;
    char *memory = mmap(NULL, BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || madvise(memory, BYTES, ADVICE) != 0) {
        return false;
    }
    memory[0] = memory[BYTES - 1] = 1;
    fflush(stdout);
    pid_t child = (pid_t)syscall(SYS_clone, SIGCHLD, 0, 0, 0, 0);
    if (child == 0) {
        _exit(memory[0] == 0 && memory[BYTES - 1] == 0 ? 0 : 1);
    }
    waitpid(child, &status, 0);
    munmap(memory, BYTES);
    return status == 0;
}

#endif
