/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_ATTACHMENT_H
#define TCLK_JVM_ATTACHMENT_H

#include "jvm/options.h"

#include <jni.h>
#include <stdbool.h>

/*
 * Makes the ThreadMXBean of a running JVM fast, and restores it. It uses JNI alone: a JVMTI environment, even for a
 * moment, would make the virtual threads of JDK 21 and newer slower for good. It changes all natives or none.
 *
 * An operator asks for it from outside (jvm/attach.c), or the program itself does by its Java library. The program may
 * undo what it asked for, until an operator asks, too. It may never undo what an operator, or -agentpath, asked for.
 * Each failure is a tclk_message().
 *
 * Only one copy of the library in this JVM does this at a time: no other copy binds natives, or becomes active, between
 * the check whether one is active and the end of the binding.
 */
#define TCLK_UNCHANGED "The JVM is as it was."

#define TCLK_PER_ERRNO 1000

/* Results of Agent_OnAttach, which are shown to those who attach: docs/agent.md#attaching-and-detaching. */
enum tclk_outcome {
    TCLK_DONE = 0,
    TCLK_ATTACHED_ALREADY = 1, /* only the program gets this result */
    TCLK_UNKNOWN_OPTION = 100,
    TCLK_OTHER_COPY = 101,
    TCLK_SOURCE_REFUSED = 102,
    TCLK_NOT_HOTSPOT = 103,
    TCLK_REBINDING_REFUSED = 104,
    TCLK_NOT_ATTACHED = 105,
    TCLK_FAILED = 106,
    TCLK_VIEW_REFUSED = 107, /* + TCLK_PER_ERRNO times the errno that is the reason */
    TCLK_VIRTUAL_REFUSED = 108,
    TCLK_NO_MEMORY = 109,
    TCLK_JDK_AWAY = 110,
};

enum tclk_user { TCLK_USER_AGENT, TCLK_USER_PROGRAM };

/* Waits for the monitor of all copies, which is held for as long as it takes to choose a copy and to act by it; a
 * thread that holds it may enter again. The functions below enter themselves. Returns TCLK_DONE; otherwise nothing
 * is held. */
enum tclk_outcome tclk_attachment_enter(JNIEnv *env);
void tclk_attachment_leave(JNIEnv *env);

/* For an operator. If already attached, applies the new options. */
enum tclk_outcome tclk_attach(JNIEnv *env, const struct tclk_agent_options *options);
enum tclk_outcome tclk_detach(JNIEnv *env);

/* For the program. The clock keeps its settings. */
enum tclk_outcome tclk_attach_for_program(JNIEnv *env);
enum tclk_outcome tclk_detach_for_program(JNIEnv *env);

/* Whether it is attached because the program has asked for it. */
bool tclk_attached_for_program(JNIEnv *env);

#endif
