/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/java_thread.h"

#include <stddef.h>

/* Written once, before `is_set_up`. Two threads that do so at once write the same. */
static struct {
    jclass type; /* a global reference */
    jmethodID current;
    jmethodID carrier; /* `current` on JDKs without virtual threads */
    jmethodID all;
    jclass virtual_type; /* a global reference; NULL on JDKs without virtual threads */
    jfieldID id;
    jfieldID address;
} java_thread;

static _Atomic bool is_set_up;

bool tclk_java_exception_cleared(JNIEnv *env)
{
    if (!(*env)->ExceptionCheck(env)) {
        return false;
    }
    (*env)->ExceptionClear(env);
    return true;
}

static jfieldID long_field(JNIEnv *env, jclass type, const char *name)
{
    jfieldID field = (*env)->GetFieldID(env, type, name, "J");
    return tclk_java_exception_cleared(env) ? NULL : field;
}

static jmethodID static_method(JNIEnv *env, jclass type, const char *name, const char *signature)
{
    jmethodID method = (*env)->GetStaticMethodID(env, type, name, signature);
    return tclk_java_exception_cleared(env) ? NULL : method;
}

/* The class above those of all virtual threads. */
static jclass virtual_type(JNIEnv *env)
{
    jclass type = (*env)->FindClass(env, "java/lang/BaseVirtualThread");
    return tclk_java_exception_cleared(env) ? NULL : (*env)->NewGlobalRef(env, type);
}

static bool find_parts(JNIEnv *env, jclass type)
{
    java_thread.current = static_method(env, type, "currentThread", "()Ljava/lang/Thread;");
    java_thread.carrier = static_method(env, type, "currentCarrierThread", "()Ljava/lang/Thread;");
    if (java_thread.carrier == NULL) {
        java_thread.carrier = java_thread.current;
    } else {
        java_thread.virtual_type = virtual_type(env);
    }
    java_thread.all = static_method(env, type, "getThreads", "()[Ljava/lang/Thread;");
    java_thread.id = long_field(env, type, "tid");
    java_thread.address = long_field(env, type, "eetop");
    return java_thread.current != NULL && java_thread.all != NULL && java_thread.id != NULL &&
           java_thread.address != NULL;
}

bool tclk_java_thread_setup(JNIEnv *env)
{
    if (is_set_up) {
        return true;
    }
    jclass type = (*env)->FindClass(env, "java/lang/Thread");
    if (tclk_java_exception_cleared(env) || type == NULL) {
        return false;
    }
    if (find_parts(env, type)) {
        java_thread.type = (*env)->NewGlobalRef(env, type);
        is_set_up = java_thread.type != NULL;
    }
    (*env)->DeleteLocalRef(env, type);
    return is_set_up;
}

bool tclk_java_thread_is_set_up(void)
{
    return is_set_up;
}

static jobject call(JNIEnv *env, jmethodID method)
{
    jobject answer = (*env)->CallStaticObjectMethod(env, java_thread.type, method);
    return tclk_java_exception_cleared(env) ? NULL : answer;
}

jobject tclk_java_thread_current(JNIEnv *env)
{
    return call(env, java_thread.current);
}

jobject tclk_java_thread_carrier(JNIEnv *env)
{
    return call(env, java_thread.carrier);
}

jobjectArray tclk_java_thread_all(JNIEnv *env)
{
    return call(env, java_thread.all);
}

jlong tclk_java_thread_id(JNIEnv *env, jobject thread)
{
    return (*env)->GetLongField(env, thread, java_thread.id);
}

jlong tclk_java_thread_address(JNIEnv *env, jobject thread)
{
    return (*env)->GetLongField(env, thread, java_thread.address);
}

bool tclk_java_thread_is_virtual(JNIEnv *env, jobject thread)
{
    return java_thread.virtual_type != NULL && (*env)->IsInstanceOf(env, thread, java_thread.virtual_type);
}
