/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_JAVA_THREAD_H
#define TCLK_JVM_JAVA_THREAD_H

#include <jni.h>
#include <stdbool.h>

/*
 * java.lang.Thread, as its own private parts have been on JDK 8 to 26:
 *     private long tid;                                the Java thread id
 *     private volatile long eetop;                     the VM's JavaThread; 0 before start and after end
 *     private static native Thread[] getThreads();     the platform threads that live
 * The VM sets `eetop` once its thread has a tid, and sets it to 0 before anybody who joins the thread
 * gets on, when an attached thread detaches as well. So a thread whose `eetop` is not 0 has lived all
 * the time since it was seen to.
 *
 * No function here leaves an exception pending.
 */

/* Looks these up; the rest of this header is to be used only if it has returned true. Once is enough;
 * thread-safe. False: this JDK has other parts. */
bool tclk_java_thread_setup(JNIEnv *env);

/* Whether that has been done. */
bool tclk_java_thread_is_set_up(void);

/* The calling thread (in a virtual thread: that). A local reference, or NULL. */
jobject tclk_java_thread_current(JNIEnv *env);

/* The calling thread; in a virtual thread that which carries it. A local reference, or NULL. */
jobject tclk_java_thread_carrier(JNIEnv *env);

/* All platform threads that live. A local reference, or NULL. */
jobjectArray tclk_java_thread_all(JNIEnv *env);

jlong tclk_java_thread_id(JNIEnv *env, jobject thread);

/* Where the VM keeps what it knows of the thread, or 0: the thread does not live, or is virtual. */
jlong tclk_java_thread_address(JNIEnv *env, jobject thread);

/* True if an exception was pending; none is any more. */
bool tclk_java_exception_cleared(JNIEnv *env);

#endif
