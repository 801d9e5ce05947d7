/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_DISCOVERY_H
#define TCLK_JVM_DISCOVERY_H

#include <jni.h>
#include <stdbool.h>
#include <sys/types.h>

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

/* The tid of a thread that is not known yet. 0: it has ended, or discovery does not work or has not been tried. */
pid_t tclk_discovery_tid(JNIEnv *env, jobject thread);

/* Registers all threads that live and are not registered. Does nothing, and returns false, while
 * another thread is in here, or when that would take more than a twentieth of the time. */
bool tclk_discovery_run(JNIEnv *env);

/* The same at any time, because a thread of that id lives, and is not registered. False: it is not among those that
 * the JVM lists, or its tid cannot be had. Somebody who asks for that id again and again should not get here again:
 * all threads are looked at. */
bool tclk_discovery_find(JNIEnv *env, jlong thread_id);

/* Registers one thread. False: it has ended, or its tid cannot be had. */
bool tclk_discovery_add(JNIEnv *env, jobject thread);

enum tclk_discovery tclk_discovery_state(void);

#endif
