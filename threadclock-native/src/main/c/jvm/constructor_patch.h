/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_CONSTRUCTOR_PATCH_H
#define TCLK_JVM_CONSTRUCTOR_PATCH_H

#include <stddef.h>
#include <stdint.h>

/*
 * The class file of java.lang.VirtualThread, with one instruction more in its constructor:
 *
 *     invokestatic  AgentAccount.of:(Ljava/lang/Runnable;)Ljava/lang/Runnable;     (inserted)
 *     putfield      runContinuation:Ljava/lang/Runnable;
 *
 * The stack is as deep as before. What lies behind the instruction moves by its three bytes: offsets of jumps,
 * exception handlers, stack map frames, lines and local variables are adjusted, and six constants are appended.
 *
 * Assumptions, each of which is checked: the class sets this field of its own at one place, which is in a constructor;
 * that constructor has no switch; and its Code has no attributes but those that are known here.
 */

/* The method that is called. */
#define TCLK_AGENT_ACCOUNT "io/threadclock/agent/AgentAccount"
#define TCLK_AGENT_ACCOUNT_OF "of"

/* A patched file is at most this much longer. */
#define TCLK_CONSTRUCTOR_PATCH_BYTES 256

/* Writes the patched file to `to`, which has room for `size` + TCLK_CONSTRUCTOR_PATCH_BYTES. Returns NULL; or in
 * words why it cannot, with `patched_size` untouched. Thread-safe. */
const char *tclk_constructor_patch(const uint8_t *bytes, size_t size, uint8_t *to, size_t *patched_size);

#endif
