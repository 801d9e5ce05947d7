/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_FILTER_H
#define TCLK_KERNEL_FILTER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Seccomp filters that kill. A filter may end the process, or the thread, for a system call that it does not know, and no
 * process can ask its own filter beforehand. Ordinary filters know what ordinary programs call; perf_event_open and
 * rseq are not of that kind: systemd's @system-service kills for the former, and did for the latter before 2019.
 *
 * Without a filter (prctl(PR_GET_SECCOMP)) such a call is made. With one, a child process makes it first, by a bare
 * clone(2) that copies the memory, sends no SIGCHLD and leaves no core file; if the child survives, the call is made. Once
 * for each call in a process. Copying a large process takes long (25 to 50 ms for 1 GB were seen, and as many page faults
 * afterwards): above TCLK_FILTER_CHILD_MAX_KB, and where /proc does not tell the size, it is only done for what was asked
 * for by name.
 */
#define TCLK_FILTER_CHILD_MAX_KB 524288

/* What is found. Errors are in place of an errno, and larger than any. */
enum {
    TCLK_FILTER_UNASKED = 0,
    TCLK_FILTER_SURVIVED = 1,
    TCLK_FILTER_KILLS = 4096, /* the child was killed */
    TCLK_FILTER_UNTRIED =
        4097, /* there was no child: the process is too large, or clone(2) was refused */
};

/* A system call that filters may kill for. */
struct tclk_guarded {
    void (*call)(void); /* makes it; in the child, which ends then */
    uint32_t finding;
};

/* True if the calling thread has a seccomp filter. About 0.1 us. */
bool tclk_filter_is_there(void);

/* Returns 0: the calling thread may make the call; or -TCLK_FILTER_KILLS, -TCLK_FILTER_UNTRIED. Async-signal-safe. */
int tclk_filter_permit(struct tclk_guarded *guarded);

/* While insisting, a process of any size is copied. For whoever has the right to prove (clock/proof.h). */
void tclk_filter_insist(bool insist);
bool tclk_filter_insists(void);

#endif
