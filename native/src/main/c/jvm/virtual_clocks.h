/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_VIRTUAL_CLOCKS_H
#define TCLK_JVM_VIRTUAL_CLOCKS_H

#include <jni.h>
#include <stdbool.h>

/*
 * The clocks of virtual threads: io.threadclock.boot.VirtualClocks and what it needs, classes of the boot loader. There
 * is one kind of these clocks in a JVM, whoever makes it: the Java library, in any class loader, or the agent's option
 * `virtual`.
 *
 * The natives of these classes stay those of the copy of this library that has brought the classes, because the
 * readings at both ends of a segment must be of one clock. No function here leaves an exception pending.
 */

/* Defines the classes, unless a copy of this library has, and initializes them; not java.lang.VirtualThread. Writes a
 * local reference of VirtualClocks. `critical`: handles of critical calls, in the order of
 * io.threadclock.CallingThread, for whoever comes first; or NULL. The caller holds the monitor of all copies
 * (jvm/rebinding.h). Returns NULL; or in words why there are no clocks. */
const char *tclk_virtual_clocks_define(JNIEnv *env, jobjectArray critical, jclass *clocks);

/* Called on a carrier, by several at once perhaps: the JDK could not run the first virtual thread with a clock. */
typedef void(JNICALL *tclk_give_up)(JNIEnv *env, jclass type);

/* As tclk_virtual_clocks_define(), for constructors, which initialize nothing; tries a clock of the calling platform
 * thread. */
const char *tclk_virtual_clocks_prepare(JNIEnv *env, tclk_give_up give_up);

/* From now on, virtual threads whose constructor calls the method get a clock, or get none. They get none at
 * first. Call it after tclk_virtual_clocks_prepare() has returned NULL. */
void tclk_virtual_clocks_switch(JNIEnv *env, bool on);

#endif
