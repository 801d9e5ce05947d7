/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_BOOT_CLASSES_H
#define TCLK_JVM_BOOT_CLASSES_H

#include <jni.h>
#include <stdbool.h>

/*
 * The classes that this library gives the boot loader, in a package of their own, so that no class of a program has
 * their names. They stay there, and later copies of this library use them again. The class path of the boot loader is
 * left alone, because a change of it switches class data sharing off. Their sources are in library/src/boot/java.
 */
#define TCLK_BOOT_PACKAGE "io/threadclock/boot/"

struct tclk_boot_class {
    const char *name;
    const jbyte *bytes;
    jlong length;
};

/* In an order in which each class follows the one above it, Rebinding first; behind the last one, a name of NULL. The
 * Makefile writes them. */
extern const struct tclk_boot_class tclk_boot_classes[];

/* Gives the boot loader a class, unless it has it already. Returns a local reference; NULL: the boot loader refused. */
jclass tclk_boot_class_define(JNIEnv *env, const struct tclk_boot_class *file);

/* Gives it all of them. False: it has refused one. */
bool tclk_boot_classes_define(JNIEnv *env);

/* Returns a class of the boot loader, without initializing it: a local reference; or NULL. FindClass would initialize
 * it, and ask the caller's class loader, which need not ask the boot loader. */
jclass tclk_boot_class(JNIEnv *env, const char *name);

#endif
