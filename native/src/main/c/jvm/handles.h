/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_HANDLES_H
#define TCLK_JVM_HANDLES_H

#include <jni.h>

/*
 * Method handles of members that Java code may not access, for classes of ours. A compiled caller of such a handle
 * needs a load, a store or a call; by JNI it would cost as much as a reading of the clock. No function here leaves an
 * exception pending.
 */

/* Returns a handle that gets a field of an object; NULL: the class has none of that name and type. */
jobject tclk_handle_of_getter(JNIEnv *env, jclass type, const char *name, const char *signature);

struct tclk_method {
    const char *type;
    const char *name;
    const char *signature;
    jboolean is_static;
};

/* Returns an array of handles of these methods; NULL: this JDK does not have them all. */
jobjectArray tclk_handles_of(JNIEnv *env, const struct tclk_method *methods, jsize count);

#endif
