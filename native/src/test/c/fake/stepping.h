/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_STEPPING_H
#define TCLK_TEST_STEPPING_H

/* The CPU single-steps through the library's code, and at a chosen instruction something else comes in between. */

#define STEPPING_MISSING "the x86 trap flag, and instructions that are the library's own (no sanitizer)"

#include <tap.h>

#if defined(__x86_64__) && !defined(TCLK_SANITIZED)

#define STEPPING_IS_HERE

#include "machine.h"

#include "kernel/call.h"

#include <errno.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <ucontext.h>
#include <unistd.h>

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

static inline bool is_stepping(void)
{
    unsigned long flags;
    __asm__ volatile("pushfq\n\tpopq %0" : "=r"(flags) : : "memory");
    return (flags & TRAP_FLAG) != 0;
}

static inline bool masks_handler(const uint64_t *mask)
{
    return mask != NULL && (*mask & UINT64_C(1) << (SIGUSR1 - 1)) != 0;
}

/* Set while the thread's signals are blocked. Its instructions are not stepped through then, because none of the
 * handler's can come between them: a first reading has some 10,000 of these. */
static __thread bool steps_when_unblocked;

/* In place of libc's, by which the library sets its mask. */
long syscall(long number, ...)
{
    va_list rest;
    va_start(rest, number);
    long a = va_arg(rest, long), b = va_arg(rest, long), c = va_arg(rest, long), d = va_arg(rest, long);
    va_end(rest);
    bool blocks = number == SYS_rt_sigprocmask && masks_handler((const uint64_t *)b);
    if (blocks && is_stepping()) {
        stop_stepping();
        /* The handler may just have come, and comes once. */
        steps_when_unblocked = step <= steps_until_intrusion;
    }
    long result = tclk_call6(number, a, b, c, d, 0, 0);
    if (number == SYS_rt_sigprocmask && b != 0 && !blocks && steps_when_unblocked) {
        steps_when_unblocked = false;
        start_stepping();
    }
    if (result < 0) {
        errno = (int)-result;
        return -1;
    }
    return result;
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

static inline void begin_steps(void)
{
    step = 0;
    start_stepping();
}

static inline void end_steps(void)
{
    stop_stepping();
    machine.when_outside = NULL;
}

/* Whether the call was over before the instruction was reached. */
static inline bool was_over(void)
{
    return step <= steps_until_intrusion;
}

/* All instructions before are stepped through each time, so the cost is quadratic: where there are a thousand, only
 * each `stride`th is tried, and others at the next turn. A brief run of the suite tries fewer. */
static inline long strides(long stride)
{
    return getenv("TCLK_BRIEF") == NULL ? stride : stride == 1 ? 12 : 24 * stride;
}

/* Tries an intrusion at each of them, until the call was over before it. Returns how many were tried. */
static inline long at_each_instruction(long stride, void (*attempt)(void))
{
    static long turn;
    long tried = 0;
    steps_until_intrusion = turn++ % strides(stride);
    for (attempt(); !was_over(); attempt()) {
        tried++;
        /* Where signals are blocked, the handler comes at the first instruction after that: it has been tried there. */
        long next = steps_until_intrusion + strides(stride);
        steps_until_intrusion = step > next ? step : next;
    }
    return tried;
}

#else

int main(void)
{
    skip("a signal after every instruction", STEPPING_MISSING);
    return done();
}

#endif

#endif
