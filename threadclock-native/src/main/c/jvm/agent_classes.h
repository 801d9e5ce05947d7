/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_AGENT_CLASSES_H
#define TCLK_JVM_AGENT_CLASSES_H

#include <jni.h>

/*
 * The classes that the agent gives the boot loader, in a package of their own, so that no class of a program has their
 * names. They stay there, and later copies of this library use them again. The class path of the boot loader is left
 * alone, because a change of it switches class data sharing off.
 */
struct tclk_class_bytes {
    jint length;
    jbyte bytes[];
};

/* defined in agent_class_files.S */
extern const struct tclk_class_bytes tclk_class_rebinding;
extern const struct tclk_class_bytes tclk_class_total;
extern const struct tclk_class_bytes tclk_class_total_floor;
extern const struct tclk_class_bytes tclk_class_total_overlap;
extern const struct tclk_class_bytes tclk_class_segment;
extern const struct tclk_class_bytes tclk_class_segment_overlapping;
extern const struct tclk_class_bytes tclk_class_pool_name;
extern const struct tclk_class_bytes tclk_class_mounted_thread;
extern const struct tclk_class_bytes tclk_class_mounted_thread_others;
extern const struct tclk_class_bytes tclk_class_mounted_thread_first;
extern const struct tclk_class_bytes tclk_class_virtual_pools;
extern const struct tclk_class_bytes tclk_class_carrier_clock;
extern const struct tclk_class_bytes tclk_class_agent_clock;
extern const struct tclk_class_bytes tclk_class_thread_account;
extern const struct tclk_class_bytes tclk_class_agent_account;
extern const struct tclk_class_bytes tclk_class_agent_account_trial;

/* Gives the boot loader a class, unless it has it already. Returns a local reference; NULL: the boot loader refused. */
jclass tclk_agent_class(JNIEnv *env, const char *name, const struct tclk_class_bytes *file);

/* Returns a class of the boot loader, without initializing it: a local reference; or NULL. FindClass would initialize
 * it, and ask the caller's class loader, which need not ask the boot loader. */
jclass tclk_boot_class(JNIEnv *env, const char *name);

#endif
