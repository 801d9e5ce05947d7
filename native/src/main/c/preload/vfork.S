/* SPDX-License-Identifier: Apache-2.0 */

/* vfork() returns twice on one stack, so that nothing may stay there: notes it, and goes on in libc's own. */

    .text
    .globl vfork
    .type vfork, %function
    .hidden tclk_vfork_begins
    .hidden tclk_libc_vfork

#if defined(__x86_64__)

    .p2align 4
vfork:
    .cfi_startproc
    endbr64
    subq $8, %rsp
    .cfi_adjust_cfa_offset 8
    call tclk_vfork_begins
    addq $8, %rsp
    .cfi_adjust_cfa_offset -8
    jmpq *tclk_libc_vfork(%rip)
    .cfi_endproc

#elif defined(__aarch64__)

    .p2align 4
vfork:
    .cfi_startproc
    hint #34 /* bti c */
    stp x29, x30, [sp, #-16]!
    .cfi_adjust_cfa_offset 16
    .cfi_rel_offset x29, 0
    .cfi_rel_offset x30, 8
    bl tclk_vfork_begins
    ldp x29, x30, [sp], #16
    .cfi_restore x29
    .cfi_restore x30
    .cfi_adjust_cfa_offset -16
    adrp x16, tclk_libc_vfork
    ldr x16, [x16, #:lo12:tclk_libc_vfork]
    br x16
    .cfi_endproc

#endif

    .size vfork, . - vfork
    .section .note.GNU-stack, "", %progbits
