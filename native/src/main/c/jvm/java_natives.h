/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_JAVA_NATIVES_H
#define TCLK_JVM_JAVA_NATIVES_H

#include <jni.h>

/* The natives of the Java library and of `doctor`: the JVM finds them by their names. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/* Throws an IllegalStateException. */
void tclk_java_refuse(JNIEnv *env, const char *message);

/* The boot loader's class of carriers' clocks has the same natives. */
JNIEXPORT jlong JNICALL Java_io_threadclock_NativeClock_cpuTimeNs(JNIEnv *env, jclass type);
JNIEXPORT jlong JNICALL Java_io_threadclock_NativeClock_userTimeNs(JNIEnv *env, jclass type);
JNIEXPORT jlong JNICALL Java_io_threadclock_NativeClock_systemTimeNs(JNIEnv *env, jclass type);
JNIEXPORT jint JNICALL Java_io_threadclock_NativeClock_copy(JNIEnv *env, jclass type, jlongArray times_ns);

#endif
