/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_VIRTUAL_THREAD_NAMES_H
#define TCLK_JVM_VIRTUAL_THREAD_NAMES_H

#include <jni.h>

/*
 * The way from the Runnable that runs a virtual thread to that thread, and the pools of threads' names.
 *
 * The JDK's Runnable is `this::runContinuation`, in an object of a class that the JVM spins for it. It has one field,
 * the thread, which the JDK names arg$1 (8 to 28). A Runnable without that field has an unknown thread.
 */

/* Returns the lookup that may access every field: a local reference, or NULL. It must not get to Java code. */
jobject tclk_java_trusted_lookup(JNIEnv *env, jclass lookup_type);

/* Returns a method handle that gets the thread from such a Runnable. A local reference; NULL: the class has no such
 * field. No exception is left pending. */
jobject tclk_java_thread_getter(JNIEnv *env, jclass runnable);

/* As tclk_pool_named(). */
jint tclk_java_pool_named(JNIEnv *env, jstring name);

#endif
