/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_VIRTUAL_THREADS_H
#define TCLK_JVM_VIRTUAL_THREADS_H

#include <jni.h>
#include <stdbool.h>

/*
 * The agent's option `virtual`: each virtual thread that is made from now on is measured, in a program that knows
 * nothing of it. The constructor of java.lang.VirtualThread is changed by one instruction (jvm/constructor_patch.h),
 * so that it stores a clock of ours (jvm/virtual_clocks.h) instead of the Runnable that it would store.
 *
 * Assumptions:
 *
 *   1. Constructors run in any thread, virtual ones too. Therefore nothing is initialized or locked in the
 *      call: all classes are prepared before the constructor is changed, and the call makes no clock if that fails.
 *   2. The class is retransformed, not initialized: a program may still choose its scheduler's properties in main().
 *      But all classes that call its methods are loaded before. One that the JVM takes from an archive of classes (CDS,
 *      AOT cache) is linked to the methods that were there when the archive was written; a retransformation links it to
 *      the new ones if it is loaded by then. Loaded later, it calls the old ones, whose natives are bound no more, and
 *      the thread ends without having run (JDK 25, 26 and 28). On JDK 21, 25, 26 and 28 the callers not loaded at
 *      VMInit are the members of its nest, and java.lang.ThreadBuilders.
 *   3. No virtual thread is needed before VMInit. One that an earlier agent has made by then is not measured.
 *   4. Other agents change the same class. The hook stays enabled for as long as the option is on, because each
 *      retransformation begins at the original class file and goes through all agents' hooks. It finds its place in
 * what the hooks before it have made of the class, or leaves that as it is and says so.
 *   5. If a thread cannot be run before one with a clock has run, the class is restored.
 *   6. The JVM retransforms at a safepoint. Threads that are in the old constructor go on in it and get no clock.
 *
 * A JVMTI environment is needed, which makes the virtual threads of the JVM slower for good, unless it has one already
 * or was started with -XX:-DoJVMTIVirtualThreadTransitions, with which virtual threads can hang on JDK 24 and 25.
 *
 * The callers hold the monitor of all copies (jvm/rebinding.h), or are the only thread that runs Java code.
 */

/* True: they are measured from now on. Otherwise it is a tclk_message() which ends with `consequence`, and the JVM is
 * as it was. */
bool tclk_virtual_threads_measure(JNIEnv *env, const char *consequence);

/* Restores the constructor. Threads that have a clock keep it. The status pages no longer
 * tell of an earlier refusal. */
void tclk_virtual_threads_leave(JNIEnv *env);

bool tclk_virtual_threads_are_measured(void);

/* Whether they are or were measured, so that this copy has an environment. */
bool tclk_virtual_threads_use_jvmti(void);

#endif
