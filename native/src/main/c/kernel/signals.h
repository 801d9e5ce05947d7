/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_SIGNALS_H
#define TCLK_KERNEL_SIGNALS_H

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#define TCLK_SIGNALS_ALL UINT64_MAX

static inline uint64_t tclk_signals_one(int number)
{
    return UINT64_C(1) << (number - 1);
}

/* All signals except those that a faulting instruction causes, because the kernel ends a process that blocks one of
 * them. */
#define TCLK_SIGNALS_ASYNCHRONOUS                                                                                      \
    (TCLK_SIGNALS_ALL & ~(tclk_signals_one(SIGILL) | tclk_signals_one(SIGTRAP) | tclk_signals_one(SIGBUS) |            \
                          tclk_signals_one(SIGFPE) | tclk_signals_one(SIGSEGV) | tclk_signals_one(SIGSYS)))

/* Sets the calling thread's mask, one bit for each signal, including those that libc keeps for itself. *from, if not
 * NULL, receives the previous mask. Returns 0, or -1. */
static inline long tclk_signals_block(uint64_t mask, uint64_t *from)
{
    return syscall(SYS_rt_sigprocmask, SIG_SETMASK, &mask, from, sizeof mask);
}

/* The mask that the calling thread had before its signals were held. */
struct tclk_signals {
    bool are_held; /* false: the mask could not be set */
    uint64_t mask;
};

/* Blocks the calling thread's signals, except those that an instruction causes, until they are released. Calls may
 * nest. Async-signal-safe; one system call. */
static inline struct tclk_signals tclk_signals_hold(void)
{
    struct tclk_signals signals;
    signals.are_held = tclk_signals_block(TCLK_SIGNALS_ASYNCHRONOUS, &signals.mask) == 0;
    return signals;
}

static inline void tclk_signals_release(struct tclk_signals signals)
{
    if (signals.are_held) {
        tclk_signals_block(signals.mask, NULL);
    }
}

#endif
