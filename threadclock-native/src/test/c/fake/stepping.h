/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_STEPPING_H
#define TCLK_TEST_STEPPING_H

/* The CPU single-steps through the library's code, and at a chosen instruction something else comes in between. */

#define STEPPING_MISSING                                                                           \
    "the x86 trap flag, and instructions that are the library's own (no sanitizer)"

#if defined(__x86_64__) && !defined(TCLK_SANITIZED)

#define STEPPING_IS_HERE

#include "machine.h"

#include <signal.h>
#include <stdbool.h>
#include <stddef.h>
#include <ucontext.h>

#define TRAP_FLAG 0x100

static long step;                  /* instructions so far */
static long steps_until_intrusion; /* the number at which it comes */
static void (*step_intrusion)(void);

static inline void start_stepping(void)
{
    __asm__ volatile("pushfq\n\torq %0, (%%rsp)\n\tpopfq" : : "i"(TRAP_FLAG) : "memory", "cc");
}

static inline void stop_stepping(void)
{
    __asm__ volatile("pushfq\n\tandq %0, (%%rsp)\n\tpopfq" : : "i"(~TRAP_FLAG) : "memory", "cc");
}

/* If signals are blocked, the handler's signal comes when they no longer are. */
static inline bool blocks_signals(const ucontext_t *interrupted)
{
    return sigismember(&interrupted->uc_sigmask, SIGUSR1) == 1;
}

/* The kernel clears the trap flag for the handler, and sets it again when the handler returns. The machine's own
 * code is not stepped through. */
static inline void on_step(int signal, siginfo_t *info, void *context)
{
    ucontext_t *interrupted = context;
    (void)signal;
    (void)info;
    if (machine.inside > 0) {
        interrupted->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
        machine.when_outside = start_stepping;
        return;
    }
    if (step++ >= steps_until_intrusion && !blocks_signals(interrupted)) {
        step_intrusion();
        interrupted->uc_mcontext.gregs[REG_EFL] &= ~TRAP_FLAG;
    }
}

static inline void stepping_begin(void (*intrusion)(void))
{
    struct sigaction action = {.sa_sigaction = on_step, .sa_flags = SA_SIGINFO};
    step_intrusion = intrusion;
    sigaction(SIGTRAP, &action, NULL);
}

#endif

#endif
