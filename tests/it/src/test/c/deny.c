/* SPDX-License-Identifier: Apache-2.0 */

/*
 * deny CALL[,CALL] PROGRAM [ARGUMENT…]: runs PROGRAM, to which the kernel answers EACCES on each of the system calls
 * named, of those below, as a container's filter would. Status 125: this kernel has no such filters.
 */

#include <errno.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#ifndef __NR_rseq
#error "this kernel's headers do not know rseq: Linux 4.18 or newer is needed"
#endif

#define NO_FILTER 125
#define NO_PROGRAM 126

#define MADV_WIPEONFORK 18u

/* The system call's number is looked at, and the third argument of madvise: a JVM has no second architecture. */
static int deny(unsigned call)
{
    struct sock_filter code[] = {
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, call, call == __NR_madvise ? 0 : 2, 3),
        BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, args[2])),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, MADV_WIPEONFORK, 0, 1),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | EACCES),
        BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof code / sizeof code[0], .filter = code};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
}

static const struct {
    const char *name;
    unsigned number;
} calls[] = {
    {"madvise", __NR_madvise},
    {"perf_event_open", __NR_perf_event_open},
    {"process_vm_readv", __NR_process_vm_readv},
    {"rseq", __NR_rseq},
    {"socket", __NR_socket},
};

static int deny_all(const char *names)
{
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        if (strstr(names, calls[i].name) != NULL && deny(calls[i].number) != 0) {
            return -1;
        }
    }
    return 0;
}

int main(int argc, char **argv)
{
    if (argc < 3 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) != 0 || deny_all(argv[1]) != 0) {
        perror("deny");
        return NO_FILTER;
    }
    execvp(argv[2], argv + 2);
    perror(argv[2]);
    return NO_PROGRAM;
}
