/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_CONSTRUCTOR_PATCH_H
#define TCLK_JVM_CONSTRUCTOR_PATCH_H

#include <stddef.h>
#include <stdint.h>

/*
 * The class file of java.lang.VirtualThread, with one instruction of its constructor in the place of another one:
 *
 *     putfield      runContinuation:Ljava/lang/Runnable;
 *     invokestatic  VirtualClocks.set:(Ljava/lang/Thread;Ljava/lang/Runnable;)V
 *
 * Both are three bytes long, and take the thread and the Runnable from the stack. The method sets the field, so that
 * nothing else of the code changes. Six constants are appended.
 *
 * Assumptions, each of which is checked: the class sets this field of its own at one place, which is in a constructor,
 * behind the call of the constructor of the class above.
 */

/* The method that is called. */
#define TCLK_VIRTUAL_CLOCKS "io/threadclock/boot/VirtualClocks"
#define TCLK_VIRTUAL_CLOCKS_SET "set"

/* A patched file is at most this much longer. */
#define TCLK_CONSTRUCTOR_PATCH_BYTES 256

/* Writes the patched file to `to`, which has room for `size` + TCLK_CONSTRUCTOR_PATCH_BYTES. Returns NULL; or in
 * words why it cannot, with `patched_size` untouched. Thread-safe. */
const char *tclk_constructor_patch(const uint8_t *bytes, size_t size, uint8_t *to, size_t *patched_size);

#endif
