/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_ATTACHMENT_H
#define TCLK_JVM_ATTACHMENT_H

#include "jvm/options.h"

#include <jni.h>
#include <stdbool.h>

/*
 * ThreadMXBean of a JVM that is running already, made fast and as it was again, through JNI alone:
 * obtaining a JVMTI environment, even for a moment, would make the virtual threads of JDK 21 and newer
 * slower for good. All or nothing.
 *
 * An operator asks for it from outside (jvm/attach.c), or the program itself does by its Java library.
 * What the program asked for is its own until an operator asks too; what an operator, or -agentpath,
 * asked for is never the program's to take away. Each failure is a tclk_message().
 *
 * One at a time, of all copies of the library in this JVM: no other copy binds, or takes the JVM for itself, between
 * the look whether one has it and the end of the binding.
 */
#define TCLK_UNCHANGED "The JVM is as it was."

/* What Agent_OnAttach returns, and those who attach are shown: docs/agent.md#attaching-and-detaching. */
enum tclk_outcome {
    TCLK_DONE = 0,
    TCLK_ATTACHED_ALREADY = 1, /* to the program alone */
    TCLK_UNKNOWN_OPTION = 100,
    TCLK_OTHER_COPY = 101,
    TCLK_SOURCE_REFUSED = 102,
    TCLK_NOT_HOTSPOT = 103,
    TCLK_REBINDING_REFUSED = 104,
    TCLK_NOT_ATTACHED = 105,
    TCLK_FAILED = 106,
    TCLK_VIEW_REFUSED = 107,
};

enum tclk_user { TCLK_USER_AGENT, TCLK_USER_PROGRAM };

/* Waits until it is this thread's turn, for as long as it takes to choose a copy and to act by it; a thread whose turn
 * it is may enter again. The functions below do so themselves. TCLK_DONE; else nothing is held. */
enum tclk_outcome tclk_attachment_enter(JNIEnv *env);
void tclk_attachment_leave(JNIEnv *env);

/* For an operator; if it is so already, takes the options. */
enum tclk_outcome tclk_attach(JNIEnv *env, const struct tclk_agent_options *options);
enum tclk_outcome tclk_detach(JNIEnv *env);

/* What ManagementFactory gives, a local reference; or NULL. libmanagement.so and sun.management.ThreadImpl are
 * loaded by then. */
jobject tclk_thread_mx_bean(JNIEnv *env);

/* For the program. The clock's settings stay. */
enum tclk_outcome tclk_attach_for_program(JNIEnv *env);
enum tclk_outcome tclk_detach_for_program(JNIEnv *env);

/* Whether it is so now because the program has asked for it. */
bool tclk_attached_for_program(JNIEnv *env);

#endif
