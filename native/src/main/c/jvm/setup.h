/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_SETUP_H
#define TCLK_JVM_SETUP_H

#include "jvm/options.h"

#include <jni.h>
#include <stdbool.h>

/*
 * The common part of the two ways into a JVM, -agentpath and attaching. Each failure is one line on stderr that ends
 * with `consequence`.
 */

/* Reads the agent's options. */
bool tclk_setup_options(const char *text, struct tclk_agent_options *options, const char *consequence);

/* True if this is HotSpot. */
bool tclk_setup_vm(const char *consequence);

/* True if the classes of java.lang.management find the libraries that they need. */
bool tclk_setup_jdk(JNIEnv *env, const char *consequence);

#define TCLK_REASON_BYTES 128

/* True if the clock can keep a record of each thread; else the reason is written. */
bool tclk_setup_has_memory(char reason[TCLK_REASON_BYTES]);

/* The same, for the agent: a reason is a message. */
bool tclk_setup_memory(const char *consequence);

/* True if no other copy of this library is active in this JVM. */
bool tclk_setup_alone(const char *consequence);

/* Configures the clock as the options say. */
bool tclk_setup_clock(const struct tclk_agent_options *options, const char *consequence);

/* Notes whether the agent is in use; other copies are told, and demotions are announced. */
void tclk_setup_in_use(bool in_use);

/* Prints the statistics. */
void tclk_setup_print_stats(void);

#endif
