/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_KERNEL_CALL_H
#define TCLK_KERNEL_CALL_H

/*
 * A system call without libc. musl's syscall() keeps 288 bytes of the stack on aarch64, where a reading may use 1 KiB
 * in all. libc's own functions are cancellation points, or try the vDSO first (which has no CPU clocks), or use larger
 * structs than the kernel's; and all of them set errno.
 *
 * Returns the kernel's result, or -errno. Async-signal-safe.
 */
static inline long tclk_call6(long number, long first, long second, long third, long fourth, long fifth, long sixth)
{
#if defined(__x86_64__)
    long result = number;
    register long r10 __asm__("r10") = fourth;
    register long r8 __asm__("r8") = fifth;
    register long r9 __asm__("r9") = sixth;
    __asm__ volatile("syscall"
                     : "+a"(result)
                     : "D"(first), "S"(second), "d"(third), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    return result;
#elif defined(__aarch64__)
    register long x8 __asm__("x8") = number;
    register long x0 __asm__("x0") = first;
    register long x1 __asm__("x1") = second;
    register long x2 __asm__("x2") = third;
    register long x3 __asm__("x3") = fourth;
    register long x4 __asm__("x4") = fifth;
    register long x5 __asm__("x5") = sixth;
    __asm__ volatile("svc #0" : "+r"(x0) : "r"(x8), "r"(x1), "r"(x2), "r"(x3), "r"(x4), "r"(x5) : "memory");
    return x0;
#endif
}

static inline long tclk_call(long number, long first, long second, long third)
{
    return tclk_call6(number, first, second, third, 0, 0, 0);
}

#endif
