/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_DISCOVERY_H
#define TCLK_JVM_DISCOVERY_H

#include <jni.h>
#include <stdbool.h>

/*
 * Finds the tids of threads that were running before anybody could tell: the JVM lists its threads,
 * each tells where the VM keeps it, and the VM's own tables say where the tid is in there
 * (jvm/hotspot.h). The thread is looked at again afterwards: if it lives, the tid was its.
 *
 * Tried on the calling thread first; where that does not give its tid, or nothing can be read, nothing
 * is ever discovered, and those threads are asked of the JVM.
 */
enum tclk_discovery {
    TCLK_DISCOVERY_UNTRIED,
    TCLK_DISCOVERY_WORKS,
    TCLK_DISCOVERY_REFUSED,
};

/* Registers all threads that live and are not registered. Does nothing, and returns false, while
 * another thread is in here, or when that would take more than a twentieth of the time. */
bool tclk_discovery_run(JNIEnv *env);

enum tclk_discovery tclk_discovery_state(void);

#endif
