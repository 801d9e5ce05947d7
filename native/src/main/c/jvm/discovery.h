/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_DISCOVERY_H
#define TCLK_JVM_DISCOVERY_H

#include <jni.h>
#include <stdbool.h>
#include <sys/types.h>

/*
 * Finds the tids of threads that were running before anybody could report them. The JVM lists its threads, each Thread
 * object has the address of the VM's JavaThread, and the VM's own tables tell where the tid is in that (jvm/hotspot.h).
 * If the thread still lives afterwards, the tid belongs to it.
 *
 * Discovery is tried on the calling thread first. If it does not find that thread's tid, or cannot read at all, nothing
 * is ever discovered, and the JVM itself answers for those threads.
 */
enum tclk_discovery {
    TCLK_DISCOVERY_UNTRIED,
    TCLK_DISCOVERY_WORKS,
    TCLK_DISCOVERY_REFUSED,
};

/* Returns the tid of a thread that is not known yet; 0 if it has ended, or discovery does not work, or has not been
 * tried. */
pid_t tclk_discovery_tid(JNIEnv *env, jobject thread);

/* Registers all living threads that are not registered. Does nothing, and returns false, while another thread does
 * this, or if it would take more than a twentieth of the time. */
bool tclk_discovery_run(JNIEnv *env);

/* As tclk_discovery_run(), at any time, because a thread of that id lives and is not registered. False: it is not
 * among those that the JVM lists, or its tid cannot be found. A caller that asks for the same id again and again
 * should not repeat this, because it reads all threads. */
bool tclk_discovery_find(JNIEnv *env, jlong thread_id);

/* Registers one thread. False: it has ended, or its tid cannot be found. */
bool tclk_discovery_add(JNIEnv *env, jobject thread);

enum tclk_discovery tclk_discovery_state(void);

#endif
