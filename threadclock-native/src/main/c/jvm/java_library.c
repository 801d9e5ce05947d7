/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The natives of io.threadclock.NativeClock. Times are ns, or a negative errno: Java makes the exceptions.
 */

#include "clock/source.h"
#include "include/threadclock.h"

#include <jni.h>
#include <stdint.h>

/* The text is some ten lines long. */
#define EXPLANATION_MAX_BYTES 4096

_Static_assert(sizeof(struct tclk_times) == 3 * sizeof(jlong), "Java reads three longs");

/* The JVM finds them by their names: no header declares them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

JNIEXPORT jlong JNICALL Java_io_threadclock_NativeClock_cpuTimeNs(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return tclk_thread_cpu_ns();
}

JNIEXPORT jlong JNICALL Java_io_threadclock_NativeClock_userTimeNs(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return tclk_thread_user_ns();
}

JNIEXPORT jlong JNICALL Java_io_threadclock_NativeClock_systemTimeNs(JNIEnv *env, jclass type)
{
    struct tclk_times times;
    (void)env;
    (void)type;
    int error = tclk_thread_read(&times);
    return error == 0 ? times.system_ns : error;
}

/* Into memory outside the heap, by its address: a copy into an array costs as much again. */
JNIEXPORT jint JNICALL Java_io_threadclock_NativeClock_read(JNIEnv *env, jclass type, jlong address)
{
    (void)env;
    (void)type;
    return tclk_thread_read((struct tclk_times *)(intptr_t)address);
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeClock_copy(JNIEnv *env, jclass type,
                                                            jlongArray times_ns)
{
    struct tclk_times times;
    (void)type;
    int error = tclk_thread_read(&times);
    if (error == 0) {
        const jlong all[] = {times.cpu_ns, times.user_ns, times.system_ns};
        (*env)->SetLongArrayRegion(env, times_ns, 0, 3, all);
    }
    return error;
}

JNIEXPORT jlong JNICALL Java_io_threadclock_NativeClock_address(JNIEnv *env, jclass type,
                                                                jobject buffer)
{
    (void)type;
    return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeClock_source(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return (jint)tclk_clock_source();
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeClock_split(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return (jint)tclk_settings.split;
}

JNIEXPORT jstring JNICALL Java_io_threadclock_NativeClock_explanation(JNIEnv *env, jclass type)
{
    char text[EXPLANATION_MAX_BYTES];
    (void)type;
    tclk_clock_explain(text, sizeof text);
    return (*env)->NewStringUTF(env, text);
}
