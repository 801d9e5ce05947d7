/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel/probe.h"

#include "kernel/signals.h"

#include <sched.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

void tclk_probe_sleep(int64_t ns)
{
    struct timespec duration = {.tv_sec = 0, .tv_nsec = (long)ns};
    /* libc's nanosleep() is a cancellation point: kernel/file.h */
    syscall(SYS_nanosleep, &duration, NULL);
}

/* Calls clone(2) and, in the child, exit(2). The child runs on its parent's stack and must leave it unchanged, which
 * C code would not do. Returns the child's pid in the parent, which the kernel resumes when the child has ended. */
static long run_empty_child(void)
{
    long flags = CLONE_VM | CLONE_VFORK;
#if defined(__x86_64__)
    long result = SYS_clone;
    register long r10 __asm__("r10") = 0;
    register long r8 __asm__("r8") = 0;
    __asm__ volatile("syscall\n\t"
                     "test %%rax, %%rax\n\t"
                     "jnz 1f\n\t"
                     "mov %[exit], %%eax\n\t"
                     "xor %%edi, %%edi\n\t"
                     "syscall\n"
                     "1:"
                     : "+a"(result)
                     : "D"(flags), "S"(0L), "d"(0L), "r"(r10), "r"(r8), [exit] "i"(SYS_exit)
                     : "rcx", "r11", "cc", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = SYS_clone;
    register long x0 __asm__("x0") = flags;
    register long x1 __asm__("x1") = 0;
    register long x2 __asm__("x2") = 0;
    register long x3 __asm__("x3") = 0;
    register long x4 __asm__("x4") = 0;
    __asm__ volatile("svc #0\n\t"
                     "cbnz x0, 1f\n\t"
                     "mov x8, %[exit]\n\t"
                     "svc #0\n"
                     "1:"
                     : "+r"(x0), "+r"(x8)
                     : "r"(x1), "r"(x2), "r"(x3), "r"(x4), [exit] "i"(SYS_exit)
                     : "cc", "memory");
    return x0;
#endif
}

/* A signal to the whole process group would reach the child, too. */
bool tclk_probe_await_child(void)
{
    uint64_t mask;
    if (tclk_signals_block(TCLK_SIGNALS_ALL, &mask) != 0) {
        return false;
    }
    long child = run_empty_child();
    if (child > 0) {
        syscall(SYS_wait4, child, NULL, __WALL, NULL);
    }
    tclk_signals_block(mask, NULL);
    return child > 0;
}

void tclk_probe_call(void)
{
    syscall(SYS_gettid);
}

bool tclk_probe_counter_is_enabled(void)
{
    int mode = PR_TSC_ENABLE;
    return prctl(PR_GET_TSC, &mode) != 0 || mode == PR_TSC_ENABLE;
}
