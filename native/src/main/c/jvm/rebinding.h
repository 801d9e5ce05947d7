/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_REBINDING_H
#define TCLK_JVM_REBINDING_H

#include <jni.h>
#include <stdbool.h>

/*
 * Binds natives of a class of the JDK while the JVM runs.
 *
 * RegisterNatives from plain native code makes JDK 17 and newer print "Re-registering of platform native method" on
 * standard output; but not if a Java method of a class of the same loader calls it (through a native of its own).
 * Therefore a tiny class is given to the boot loader: io.threadclock.boot.Rebinding, in library/src/boot/java.
 * It stays there and is used again by later attaches, of other copies of this library too. Its monitor is the only lock
 * that all copies in a JVM share: only the thread that holds it decides which copy serves ThreadMXBean.
 *
 * Natives are only ever replaced. UnregisterNatives, under load, throws UnsatisfiedLinkError into the
 * program.
 *
 * No function here leaves an exception pending.
 */

/* Waits for the monitor; a thread that holds it may enter again, by another copy, too. False: there is no such
 * class, and the boot loader refused it; nothing is held. */
bool tclk_rebinding_enter(JNIEnv *env);
void tclk_rebinding_leave(JNIEnv *env);

/* The caller holds the monitor. Returns 0; or -1, and some of the natives may be bound while others are not. */
int tclk_rebind(JNIEnv *env, jclass type, const JNINativeMethod *methods, jint count);

#endif
