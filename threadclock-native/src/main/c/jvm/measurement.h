/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_MEASUREMENT_H
#define TCLK_JVM_MEASUREMENT_H

#include <jni.h>

/*
 * Measures what ThreadMXBean.getCurrentThreadUserTime() of this JVM does now, for the command `doctor`, which asks by
 * the option `measure`. An agent can only answer a number, which therefore contains everything:
 *     bit 30       it was measured
 *     bit 29       the bean's natives are ours
 *     bits 28..26  enum tclk_source: the source in use
 *     bits 25..23  enum tclk_way
 *     bits 22..0   ns of a call, from native code; all ones: that many or more
 */
#define TCLK_MEASURED (1 << 30)
#define TCLK_MEASURED_OURS (1 << 29)
#define TCLK_MEASURED_SOURCE_SHIFT 26
#define TCLK_MEASURED_WAY_SHIFT 23
#define TCLK_MEASURED_NS_MAX ((1 << 23) - 1)

/* How the time is read. This is told by its behaviour, because versions do not tell. */
enum tclk_way {
    TCLK_WAY_UNKNOWN = 0,
    TCLK_WAY_PROC = 1,       /* each call reads a file */
    TCLK_WAY_TICKS = 2,      /* the time moves at clock ticks */
    TCLK_WAY_FINE = 3,       /* the time moves more often */
    TCLK_WAY_UNSUPPORTED = 4 /* the answer is -1 */
};

/* Returns that number, or TCLK_NOT_HOTSPOT: there is no such bean. Takes 0.1 s of the calling thread's time, and
 * changes nothing. Leaves no exception pending. */
jint tclk_measure(JNIEnv *env);

#endif
