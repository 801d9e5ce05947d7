/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_SECCOMP_H
#define TCLK_TEST_SECCOMP_H

/* Refuses system calls from now on, as a container's seccomp filter does. This is for the whole life of all threads
 * and of what they start; use it in child processes (process.h). */

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <tap.h>
#include <unistd.h>

#ifndef SECCOMP_RET_KILL_PROCESS
#define SECCOMP_RET_KILL_PROCESS 0x80000000u /* Linux 4.14 */
#endif

#define SECCOMP_MISSING "seccomp filters in this kernel, or the right to set one"

static inline bool seccomp_install(struct sock_filter *filter, unsigned short length)
{
    struct sock_fprog program = {.len = length, .filter = filter};
    return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, SECCOMP_FILTER_FLAG_TSYNC, &program) == 0;
}

#define SECCOMP_LOAD(field) BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define SECCOMP_REFUSE(error) BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (unsigned)(error))
#define SECCOMP_ALLOW BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)

/* Gives system call `number` this action. */
static inline bool seccomp_act_on(long number, unsigned action)
{
    struct sock_filter filter[] = {
        SECCOMP_LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, action),
        SECCOMP_ALLOW,
    };
    return seccomp_install(filter, COUNT(filter));
}

/* Makes system call `number` answer `error`. */
static inline bool seccomp_refuse(long number, int error)
{
    return seccomp_act_on(number, SECCOMP_RET_ERRNO | (unsigned)error);
}

/* Kills a process that makes system call `number`. */
static inline bool seccomp_kill(long number)
{
    return seccomp_act_on(number, SECCOMP_RET_KILL_PROCESS);
}

/* Kills for all that readings ask the kernel, but for CLOCK_THREAD_CPUTIME_ID, and for processes of its own; libc can
 * still read, start threads and end. */
static inline bool seccomp_kill_readings(void)
{
    static const int killed[] = {
#ifdef __GLIBC__ /* in musl, a child of fork() asks for its tid */
        SYS_gettid,
#endif
        SYS_getrusage, SYS_openat, SYS_getpid,          SYS_uname,
        SYS_nanosleep, SYS_tgkill, SYS_perf_event_open, SYS_prctl, /* by which the filter is set: last */
    };
    struct sock_filter filter[] = {
        SECCOMP_LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, SYS_clock_gettime, 0, 3),
        SECCOMP_LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 3, 1, 0), /* CLOCK_THREAD_CPUTIME_ID */
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_KILL_PROCESS),
        SECCOMP_ALLOW,
    };
    bool all = seccomp_install(filter, COUNT(filter));
    for (size_t i = 0; i < COUNT(killed) && all; i++) {
        all = seccomp_kill(killed[i]);
    }
    return all;
}

/* As seccomp_refuse(), but only with this argument (its lower half; both architectures are little-endian). */
static inline bool seccomp_refuse_with(long number, unsigned index, unsigned argument, int error)
{
    struct sock_filter filter[] = {
        SECCOMP_LOAD(nr),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (unsigned)number, 0, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS,
                 (unsigned)offsetof(struct seccomp_data, args) + index * (unsigned)sizeof(uint64_t)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, argument, 0, 1),
        SECCOMP_REFUSE(error),
        SECCOMP_ALLOW,
    };
    return seccomp_install(filter, COUNT(filter));
}

/* madvise(MADV_WIPEONFORK), as on a kernel that does not know it. */
static inline bool seccomp_refuse_wiping(void)
{
    return seccomp_refuse_with(SYS_madvise, 2, 18, EINVAL);
}

#endif
