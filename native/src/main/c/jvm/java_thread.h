/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_JAVA_THREAD_H
#define TCLK_JVM_JAVA_THREAD_H

#include <jni.h>
#include <stdbool.h>

/*
 * The private members of java.lang.Thread, as they are on JDK 8 to 26:
 *     private long tid;                                the Java thread id
 *     private volatile long eetop;                     the VM's JavaThread; 0 before start and after end
 *     private static native Thread[] getThreads();     the living platform threads
 * The VM sets `eetop` once its thread has a tid. It sets it to 0 before a join() of the thread returns, and also when
 * an attached thread detaches. Therefore a thread whose `eetop` is not 0 has lived all the time since it was first seen
 * alive.
 *
 * No function here leaves an exception pending.
 */

/* Looks these members up. Use the rest of this header only if this has returned true. Calling it once is enough;
 * thread-safe. False: this JDK has other members. */
bool tclk_java_thread_setup(JNIEnv *env);

/* Whether tclk_java_thread_setup() has returned true. */
bool tclk_java_thread_is_set_up(void);

/* Returns the calling thread; in a virtual thread, that one. A local reference, or NULL. */
jobject tclk_java_thread_current(JNIEnv *env);

/* Returns the calling thread; in a virtual thread, its carrier. A local reference, or NULL. */
jobject tclk_java_thread_carrier(JNIEnv *env);

/* Returns all living platform threads. A local reference, or NULL. */
jobjectArray tclk_java_thread_all(JNIEnv *env);

jlong tclk_java_thread_id(JNIEnv *env, jobject thread);

/* Returns the address of the thread's JavaThread, or 0 if the thread does not live, or is virtual. With
 * -XX:-VMContinuations, a virtual thread has a JavaThread of its own. */
jlong tclk_java_thread_address(JNIEnv *env, jobject thread);

bool tclk_java_thread_is_virtual(JNIEnv *env, jobject thread);

/* Clears a pending exception. True if there was one. */
bool tclk_java_exception_cleared(JNIEnv *env);

#endif
