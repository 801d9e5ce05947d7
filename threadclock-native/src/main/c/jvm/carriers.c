/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/carriers.h"

#include "jvm/java_thread.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define CARRIER "jdk.internal.misc.CarrierThread"

/* Compares the name, because FindClass would initialize the class. */
static bool is_named(JNIEnv *env, jclass type, jmethodID get_name, const char *name)
{
    jstring its_name = (*env)->CallObjectMethod(env, type, get_name);
    if (tclk_java_exception_cleared(env) || its_name == NULL) {
        return false;
    }
    const char *text = (*env)->GetStringUTFChars(env, its_name, NULL);
    bool is = text != NULL && strcmp(text, name) == 0;
    if (text != NULL) {
        (*env)->ReleaseStringUTFChars(env, its_name, text);
    }
    tclk_java_exception_cleared(env);
    (*env)->DeleteLocalRef(env, its_name);
    return is;
}

/* Most threads have the same class as the one before: `seen`, a local reference that belongs to the caller. */
static bool is_carrier(JNIEnv *env, jobject thread, jmethodID get_name, jclass *seen)
{
    jclass type = (*env)->GetObjectClass(env, thread);
    bool is_known = *seen != NULL && (*env)->IsSameObject(env, type, *seen);
    bool is = !is_known && is_named(env, type, get_name, CARRIER);
    if (is_known) {
        (*env)->DeleteLocalRef(env, type);
    } else {
        (*env)->DeleteLocalRef(env, *seen);
        *seen = type;
    }
    return is;
}

static int64_t find(JNIEnv *env, jobjectArray all, jmethodID get_name)
{
    int64_t thread_id = 0;
    jclass seen = NULL;
    jsize count = (*env)->GetArrayLength(env, all);
    for (jsize i = 0; i < count && thread_id == 0; i++) {
        jobject thread = (*env)->GetObjectArrayElement(env, all, i);
        if (tclk_java_exception_cleared(env) || thread == NULL) {
            continue;
        }
        if (is_carrier(env, thread, get_name, &seen)) {
            thread_id = tclk_java_thread_id(env, thread);
        }
        (*env)->DeleteLocalRef(env, thread);
    }
    (*env)->DeleteLocalRef(env, seen);
    return thread_id;
}

static jmethodID name_of_class(JNIEnv *env)
{
    jclass type = (*env)->FindClass(env, "java/lang/Class");
    if (tclk_java_exception_cleared(env) || type == NULL) {
        return NULL;
    }
    jmethodID get_name = (*env)->GetMethodID(env, type, "getName", "()Ljava/lang/String;");
    (*env)->DeleteLocalRef(env, type);
    return tclk_java_exception_cleared(env) ? NULL : get_name;
}

int64_t tclk_carriers_find(JNIEnv *env)
{
    jmethodID get_name = name_of_class(env);
    jobjectArray all = get_name == NULL ? NULL : tclk_java_thread_all(env);
    if (all == NULL) {
        return 0;
    }
    int64_t thread_id = find(env, all, get_name);
    (*env)->DeleteLocalRef(env, all);
    return thread_id;
}
