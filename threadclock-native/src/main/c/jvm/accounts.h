/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_ACCOUNTS_H
#define TCLK_JVM_ACCOUNTS_H

#include <jni.h>
#include <stdbool.h>

/*
 * The accounts of virtual threads: io.threadclock.boot.Accounts and what it needs, classes of the boot loader. There is
 * one kind of account in a JVM, whoever makes it: the Java library, in any class loader, or the agent's option
 * `virtual`.
 *
 * The natives of these classes stay those of the copy of this library that has brought the classes, because the
 * readings at both ends of a segment must be of one clock. No function here leaves an exception pending.
 */

/* Defines the classes, unless a copy of this library has, and initializes them; not java.lang.VirtualThread. Writes a
 * local reference of Accounts. `critical`: handles of critical calls, in the order of io.threadclock.CallingThread, for
 * whoever comes first; or NULL. The caller holds the monitor of all copies (jvm/rebinding.h). Returns NULL; or in words
 * why there are no accounts. */
const char *tclk_accounts_define(JNIEnv *env, jobjectArray critical, jclass *accounts);

/* Called on a carrier, by several at once perhaps: the JDK could not run the first virtual thread with an account. */
typedef void(JNICALL *tclk_give_up)(JNIEnv *env, jclass type);

/* As tclk_accounts_define(), for constructors, which initialize nothing; tries an account of the calling platform
 * thread. */
const char *tclk_accounts_prepare(JNIEnv *env, tclk_give_up give_up);

/* From now on, virtual threads whose constructor calls the method get an account, or get none. They get none at
 * first. Call it after tclk_accounts_prepare() has returned NULL. */
void tclk_accounts_switch(JNIEnv *env, bool on);

#endif
