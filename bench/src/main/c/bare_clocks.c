/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Clocks without threadclock, with which the benchmarks, the soak and the accuracy of virtual threads compare: the
 * natives of io.threadclock.bench.BareClocks. A library of its own, which nothing else loads.
 */

#include "clock/counter.h"

#include <jni.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

/* The JVM finds them by their names: no header declares them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

JNIEXPORT jlong JNICALL Java_io_threadclock_bench_BareClocks_counter(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return (jlong)tclk_counter_read();
}

static jlong clock_ns(clockid_t id)
{
    struct timespec t = {0};
    clock_gettime(id, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

JNIEXPORT jlong JNICALL Java_io_threadclock_bench_BareClocks_clockNs(JNIEnv *env, jclass type, jint clock_id)
{
    (void)env;
    (void)type;
    return clock_ns(clock_id);
}

/* There are two readings of wall time, around that of CPU time, which was interrupted if they are further apart. */
#define LOOK_NS 4000
#define LOOKS_MOST 4

/* For `threadclock soak`: the calling thread's CPU time, wall time before and after, and switches. */
JNIEXPORT void JNICALL Java_io_threadclock_bench_BareClocks_look(JNIEnv *env, jclass type, jlongArray out)
{
    struct rusage usage = {0};
    jlong seen[4];
    (void)type;
    for (int i = 0; i < LOOKS_MOST && (i == 0 || seen[2] - seen[1] > LOOK_NS); i++) {
        seen[1] = clock_ns(CLOCK_MONOTONIC_RAW);
        seen[0] = clock_ns(CLOCK_THREAD_CPUTIME_ID);
        seen[2] = clock_ns(CLOCK_MONOTONIC_RAW);
    }
    getrusage(RUSAGE_THREAD, &usage);
    seen[3] = usage.ru_nvcsw + usage.ru_nivcsw;
    (*env)->SetLongArrayRegion(env, out, 0, 4, seen);
}

/* Sets a private and final field, which Java code of new JDKs must not set. */
JNIEXPORT void JNICALL Java_io_threadclock_bench_BareClocks_setRunnable(JNIEnv *env, jclass type, jobject thread,
                                                                        jobject runnable)
{
    (void)type;
    jclass thread_type = (*env)->GetObjectClass(env, thread);
    jfieldID field = (*env)->GetFieldID(env, thread_type, "runContinuation", "Ljava/lang/Runnable;");
    if (field != NULL) {
        (*env)->SetObjectField(env, thread, field, runnable);
    }
}

/* Runs it with a frame of native code below, which pins a virtual thread to its carrier. */
JNIEXPORT void JNICALL Java_io_threadclock_bench_BareClocks_runInNativeFrame(JNIEnv *env, jclass type, jobject runnable)
{
    (void)type;
    jmethodID run = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, runnable), "run", "()V");
    if (run != NULL) {
        (*env)->CallVoidMethod(env, runnable, run);
    }
}
