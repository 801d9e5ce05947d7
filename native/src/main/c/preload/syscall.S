/* SPDX-License-Identifier: Apache-2.0 */

/* syscall() has as many arguments as its caller has passed, the last of which is on the stack, and may return twice. Goes
 * on in libc's own with all of them in their places, but for the numbers of which tclk_preload_syscall() takes note; these
 * have five arguments at most. */

#include <sys/syscall.h>

    .text
    .globl syscall
    .type syscall, %function
    .hidden tclk_preload_syscall
    .hidden tclk_libc_syscall

#if defined(__x86_64__)

    .p2align 4
syscall:
    .cfi_startproc
    endbr64
    cmpq $SYS_seccomp, %rdi
    je 1f
    cmpq $SYS_prctl, %rdi
    je 1f
    jmpq *tclk_libc_syscall(%rip)
1:  jmp tclk_preload_syscall
    .cfi_endproc

#elif defined(__aarch64__)

    .p2align 4
syscall:
    .cfi_startproc
    hint #34 /* bti c */
    cmp x0, #SYS_seccomp
    b.eq 1f
    cmp x0, #SYS_prctl
    b.eq 1f
    adrp x16, tclk_libc_syscall
    ldr x16, [x16, #:lo12:tclk_libc_syscall]
    br x16
1:  b tclk_preload_syscall
    .cfi_endproc

#endif

    .size syscall, . - syscall
    .section .note.GNU-stack, "", %progbits
