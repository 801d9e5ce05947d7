/* SPDX-License-Identifier: Apache-2.0 */

/* The class file of io.threadclock.agent.Rebinding, as the Makefile has compiled it, and its length. */
        .hidden tclk_rebinding_class
        .hidden tclk_rebinding_class_bytes
        .global tclk_rebinding_class
        .global tclk_rebinding_class_bytes
        .section .rodata
        .balign 4
tclk_rebinding_class_bytes:
        .long .Lend - tclk_rebinding_class
tclk_rebinding_class:
        .incbin "io/threadclock/agent/Rebinding.class"
.Lend:
        .section .note.GNU-stack, "", %progbits
