/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_CARRIERS_H
#define TCLK_JVM_CARRIERS_H

#include <jni.h>
#include <stdint.h>

#define TCLK_CARRIERS_MAX 8

/* Writes the Java thread ids of carriers of virtual threads (JDK 21 and newer: jdk.internal.misc.CarrierThread), one of
 * each ForkJoinPool, by which the others of its pool are known; the rest of `thread_ids` is left as it is. Call this
 * only if tclk_java_thread_setup() has returned true. Leaves no exception pending, and initializes no class of the
 * program. */
void tclk_carriers_find(JNIEnv *env, int64_t thread_ids[TCLK_CARRIERS_MAX]);

#endif
