/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Clocks without threadclock, with which the JMH benchmarks, the soak and the accuracy of virtual threads compare: the
 * natives of io.threadclock.lab.jmh.BareClocks and of …program. A library of its own, which nothing else loads.
 */

#include "clock/counter.h"
#include "clock/record.h"
#include "kernel/clockid.h"
#include "kernel/tid.h"

#include <jni.h>
#include <stdint.h>
#include <sys/resource.h>
#include <time.h>

/* The JVM finds them by their names: no header declares them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

JNIEXPORT jlong JNICALL Java_io_threadclock_lab_jmh_BareClocks_nothing(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return 0;
}

JNIEXPORT jlong JNICALL Java_io_threadclock_lab_jmh_BareClocks_counter(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return (jlong)tclk_counter_read();
}

/* The counter as user time: the arithmetic of a reading, with nothing looked at and nothing noted. */
JNIEXPORT jlong JNICALL Java_io_threadclock_lab_jmh_BareClocks_counterAsUserTime(JNIEnv *env, jclass type)
{
    static const struct tclk_anchor any = {.rate = TCLK_SHARE_ONE / 2, .scale = UINT64_C(1) << 31};
    const struct tclk_anchor *anchor = &any;
    (void)env;
    (void)type;
    __asm__("" : "+r"(anchor)); /* what it holds is not known beforehand */
    uint64_t since_ns = tclk_anchor_since_ns(anchor, tclk_count_read());
    return anchor->user_ns + (int64_t)(since_ns * anchor->rate >> TCLK_SHARE_BITS);
}

JNIEXPORT jint JNICALL Java_io_threadclock_lab_jmh_BareClocks_ownTidUserClockId(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return tclk_clockid_encode(tclk_tid_own(), TCLK_CLOCK_THREAD, TCLK_CLOCK_VIRT);
}

JNIEXPORT jint JNICALL Java_io_threadclock_lab_jmh_BareClocks_pid0UserClockId(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return tclk_clockid_encode(0, TCLK_CLOCK_THREAD, TCLK_CLOCK_VIRT);
}

/* Uses libc, as a JDK does. */
JNIEXPORT jlong JNICALL Java_io_threadclock_lab_jmh_BareClocks_clockNs(JNIEnv *env, jclass type, jint clock_id)
{
    struct timespec t;
    (void)env;
    (void)type;
    return clock_gettime(clock_id, &t) == 0 ? t.tv_sec * INT64_C(1000000000) + t.tv_nsec : -1;
}

static jlong clock_ns(clockid_t id)
{
    struct timespec t = {0};
    clock_gettime(id, &t);
    return t.tv_sec * INT64_C(1000000000) + t.tv_nsec;
}

/* There are two readings of wall time, around that of CPU time, which was interrupted if they are further apart. */
#define LOOK_NS 4000
#define LOOKS_MOST 4

/* For `threadclock soak`: the calling thread's CPU time, wall time before and after, and switches. */
JNIEXPORT void JNICALL Java_io_threadclock_lab_program_KernelClock_look(JNIEnv *env, jclass type, jlongArray out)
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

/* ---- for the reference of a virtual thread's segments ---- */

JNIEXPORT jlong JNICALL Java_io_threadclock_lab_program_KernelClock_cpuNs(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Sets a private and final field, which Java code of new JDKs must not set. */
JNIEXPORT void JNICALL Java_io_threadclock_lab_program_SegmentReference_setRunnable(JNIEnv *env, jclass type,
                                                                                    jobject thread, jobject runnable)
{
    (void)type;
    jclass thread_type = (*env)->GetObjectClass(env, thread);
    jfieldID field = (*env)->GetFieldID(env, thread_type, "runContinuation", "Ljava/lang/Runnable;");
    if (field != NULL) {
        (*env)->SetObjectField(env, thread, field, runnable);
    }
}

/* Runs it with a frame of native code below, which pins a virtual thread to its carrier. */
JNIEXPORT void JNICALL Java_io_threadclock_lab_program_SegmentLoad_runInNativeFrame(JNIEnv *env, jclass type,
                                                                                    jobject runnable)
{
    (void)type;
    jmethodID run = (*env)->GetMethodID(env, (*env)->GetObjectClass(env, runnable), "run", "()V");
    if (run != NULL) {
        (*env)->CallVoidMethod(env, runnable, run);
    }
}
