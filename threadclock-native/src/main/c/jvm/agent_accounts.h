/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_AGENT_ACCOUNTS_H
#define TCLK_JVM_AGENT_ACCOUNTS_H

#include <jni.h>
#include <stdbool.h>

/*
 * The accounts that the agent gives virtual threads: io.threadclock.agent.AgentAccount, a class of the boot loader,
 * whose sources are in src/main/java and, as far as the Java library has the same, there.
 *
 * The natives of these classes stay those of the copy of this library that has brought the classes, because the
 * readings at both ends of a segment must be of one clock. No function here leaves an exception pending.
 */

/* Called on a carrier, by several at once perhaps: the JDK could not run the first virtual thread with an account. */
typedef void(JNICALL *tclk_give_up)(JNIEnv *env, jclass type);

/* Defines the classes, initializes them, and tries an account of the calling platform thread. The caller holds the
 * monitor of all copies. Returns NULL; or in words why there are no accounts. */
const char *tclk_agent_accounts_prepare(JNIEnv *env, tclk_give_up give_up);

/* From now on, virtual threads whose constructor calls the method get an account, or get none. They get none at
 * first. Call it after tclk_agent_accounts_prepare() has returned NULL. */
void tclk_agent_accounts_switch(JNIEnv *env, bool on);

#endif
