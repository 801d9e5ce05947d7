/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_CARRIERS_H
#define TCLK_JVM_CARRIERS_H

#include <jni.h>
#include <stdint.h>

/* Returns the Java thread id of a carrier of virtual threads (JDK 21 and newer: jdk.internal.misc.CarrierThread), by
 * which the others of its pool are known; 0: there is none yet. Call this only if tclk_java_thread_setup() has
 * returned true. Leaves no exception pending, and initializes no class of the program. */
int64_t tclk_carriers_find(JNIEnv *env);

#endif
