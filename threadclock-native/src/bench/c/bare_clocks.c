/* SPDX-License-Identifier: Apache-2.0 */

/*
 * What there is without threadclock, for the JMH benchmarks to compare with: the natives of
 * io.threadclock.benchmarks.jmh.BareClocks. A library of its own, which nothing else loads.
 */

#include "clock/counter.h"
#include "kernel/clockid.h"
#include "kernel/tid.h"

#include <jni.h>
#include <stdint.h>
#include <time.h>

/* The JVM finds them by their names: no header declares them. */
#pragma GCC diagnostic ignored "-Wmissing-prototypes"

JNIEXPORT jlong JNICALL Java_io_threadclock_benchmarks_jmh_BareClocks_nothing(JNIEnv *env,
                                                                              jclass type)
{
    (void)env;
    (void)type;
    return 0;
}

JNIEXPORT jlong JNICALL Java_io_threadclock_benchmarks_jmh_BareClocks_counter(JNIEnv *env,
                                                                              jclass type)
{
    (void)env;
    (void)type;
    return (jlong)tclk_counter_read();
}

JNIEXPORT jint JNICALL Java_io_threadclock_benchmarks_jmh_BareClocks_ownTidUserClockId(JNIEnv *env,
                                                                                       jclass type)
{
    (void)env;
    (void)type;
    return tclk_clockid_encode(tclk_tid_own(), TCLK_CLOCK_THREAD, TCLK_CLOCK_VIRT);
}

JNIEXPORT jint JNICALL Java_io_threadclock_benchmarks_jmh_BareClocks_pid0UserClockId(JNIEnv *env,
                                                                                     jclass type)
{
    (void)env;
    (void)type;
    return tclk_clockid_encode(0, TCLK_CLOCK_THREAD, TCLK_CLOCK_VIRT);
}

/* By libc, as a JDK does it. */
JNIEXPORT jlong JNICALL Java_io_threadclock_benchmarks_jmh_BareClocks_clockNs(JNIEnv *env,
                                                                              jclass type,
                                                                              jint clock_id)
{
    struct timespec t;
    (void)env;
    (void)type;
    return clock_gettime(clock_id, &t) == 0 ? t.tv_sec * INT64_C(1000000000) + t.tv_nsec : -1;
}
