/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The natives of io.threadclock.NativeAccounts: access to the one field by which the JDK runs a virtual thread, and to
 * the clock of its carrier.
 *
 * Each java.lang.VirtualThread has a Runnable, `runContinuation`, whose run() is one mount, the first and each later
 * one. This is true of every JDK from 21 to 28, with any scheduler (their class files show it, and
 * io.threadclock.Accounting tries it before anything relies on it). It is final and private: Java code cannot set it,
 * JNI can. From JDK 28 on, -Xcheck:jni warns about that.
 */

#include "include/threadclock.h"
#include "jvm/java_natives.h"
#include "jvm/java_thread.h"
#include "jvm/virtual_thread_names.h"
#include "kernel/tid.h"
#include "serve/virtual_pools.h"

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>

#define THREAD "java/lang/VirtualThread"
#define FIELD "runContinuation"
#define LOOKUP "java/lang/invoke/MethodHandles$Lookup"

/* runnableGetter() writes these once, before any other native is called. */
static struct {
    jclass thread; /* a global reference */
    jfieldID runnable;
    jfieldID cpu_ns; /* of io.threadclock.Total */
    jfieldID user_ns;
} accounts;

static jclass find_class(JNIEnv *env, const char *name)
{
    jclass type = (*env)->FindClass(env, name);
    return tclk_java_exception_cleared(env) ? NULL : type;
}

static jfieldID find_field(JNIEnv *env, jclass type, const char *name, const char *signature)
{
    jfieldID field = (*env)->GetFieldID(env, type, name, signature);
    return tclk_java_exception_cleared(env) ? NULL : field;
}

static bool find_fields(JNIEnv *env)
{
    jclass thread = find_class(env, THREAD);
    jclass total = find_class(env, "io/threadclock/Total");
    if (thread == NULL || total == NULL) {
        return false;
    }
    accounts.runnable = find_field(env, thread, FIELD, "Ljava/lang/Runnable;");
    accounts.cpu_ns = find_field(env, total, "cpuNs", "J");
    accounts.user_ns = find_field(env, total, "userNs", "J");
    accounts.thread = (*env)->NewGlobalRef(env, thread);
    return accounts.runnable != NULL && accounts.cpu_ns != NULL && accounts.user_ns != NULL &&
           accounts.thread != NULL;
}

/* A compiled caller of this method handle gets the field by one load; by JNI it would cost as much as a reading of
 * the clock. */
static jobject find_getter(JNIEnv *env)
{
    jclass type = find_class(env, LOOKUP);
    jclass runnable = find_class(env, "java/lang/Runnable");
    jobject lookup = type == NULL || runnable == NULL ? NULL : tclk_java_trusted_lookup(env, type);
    jstring name = lookup == NULL ? NULL : (*env)->NewStringUTF(env, FIELD);
    if (name == NULL) {
        tclk_java_exception_cleared(env);
        return NULL;
    }
    jmethodID find = (*env)->GetMethodID(env, type, "findGetter",
                                         "(Ljava/lang/Class;Ljava/lang/String;Ljava/lang/Class;)"
                                         "Ljava/lang/invoke/MethodHandle;");
    if (tclk_java_exception_cleared(env)) {
        return NULL;
    }
    jobject getter = (*env)->CallObjectMethod(env, lookup, find, accounts.thread, name, runnable);
    return tclk_java_exception_cleared(env) ? NULL : getter;
}

JNIEXPORT jobject JNICALL Java_io_threadclock_NativeAccounts_runnableGetter(JNIEnv *env,
                                                                            jclass type)
{
    (void)type;
    if (!find_fields(env)) {
        return (*env)->NewStringUTF(env, "java.lang.VirtualThread of this JDK has no field " FIELD
                                         " of type Runnable");
    }
    jobject getter = find_getter(env);
    return getter != NULL ? getter
                          : (*env)->NewStringUTF(
                                env, "this JDK gives no access to java.lang.VirtualThread." FIELD);
}

/* ---- the JDK's lists of threads ---- */

#define CONTAINERS "jdk/internal/vm/ThreadContainers"
#define CONTAINER "jdk/internal/vm/ThreadContainer"

/* JDK 21 to 28 have them, for thread dumps. */
static const struct {
    const char *type;
    const char *name;
    const char *signature;
    jboolean is_static;
} container_methods[] = {
    {CONTAINERS, "root", "()L" CONTAINER ";", JNI_TRUE},
    {CONTAINER, "children", "()Ljava/util/stream/Stream;", JNI_FALSE},
    {CONTAINER, "threads", "()Ljava/util/stream/Stream;", JNI_FALSE},
};

#define CONTAINER_METHODS (sizeof container_methods / sizeof container_methods[0])

static jobject container_method(JNIEnv *env, size_t i)
{
    jboolean is_static = container_methods[i].is_static;
    const char *name = container_methods[i].name;
    const char *signature = container_methods[i].signature;
    jclass type = find_class(env, container_methods[i].type);
    if (type == NULL) {
        return NULL;
    }
    jmethodID method = is_static ? (*env)->GetStaticMethodID(env, type, name, signature)
                                 : (*env)->GetMethodID(env, type, name, signature);
    jobject reflected = tclk_java_exception_cleared(env)
                            ? NULL
                            : (*env)->ToReflectedMethod(env, type, method, is_static);
    return tclk_java_exception_cleared(env) ? NULL : reflected;
}

static bool unreflect_all(JNIEnv *env, jclass lookup_type, jobject lookup, jobjectArray handles)
{
    jmethodID unreflect =
        (*env)->GetMethodID(env, lookup_type, "unreflect",
                            "(Ljava/lang/reflect/Method;)Ljava/lang/invoke/MethodHandle;");
    if (tclk_java_exception_cleared(env)) {
        return false;
    }
    for (size_t i = 0; i < CONTAINER_METHODS; i++) {
        jobject method = container_method(env, i);
        jobject handle =
            method == NULL ? NULL : (*env)->CallObjectMethod(env, lookup, unreflect, method);
        if (tclk_java_exception_cleared(env) || handle == NULL) {
            return false;
        }
        (*env)->SetObjectArrayElement(env, handles, (jsize)i, handle);
    }
    return true;
}

/* Handles of these methods alone: with the lookup itself Java code could get at anything. */
JNIEXPORT jobjectArray JNICALL Java_io_threadclock_NativeAccounts_containerHandles(JNIEnv *env,
                                                                                   jclass type)
{
    (void)type;
    jclass lookup_type = find_class(env, LOOKUP);
    jclass handle_type = find_class(env, "java/lang/invoke/MethodHandle");
    jobject lookup = lookup_type == NULL || handle_type == NULL
                         ? NULL
                         : tclk_java_trusted_lookup(env, lookup_type);
    jobjectArray handles =
        lookup == NULL ? NULL : (*env)->NewObjectArray(env, CONTAINER_METHODS, handle_type, NULL);
    bool has_all = !tclk_java_exception_cleared(env) && handles != NULL &&
                   unreflect_all(env, lookup_type, lookup, handles);
    return has_all ? handles : NULL;
}

/* ---- a thread's account ---- */

JNIEXPORT void JNICALL Java_io_threadclock_NativeAccounts_setRunnable(JNIEnv *env, jclass type,
                                                                      jobject thread,
                                                                      jobject runnable)
{
    (void)type;
    (*env)->SetObjectField(env, thread, accounts.runnable, runnable);
}

JNIEXPORT jobject JNICALL Java_io_threadclock_NativeAccounts_threadGetter(JNIEnv *env, jclass type,
                                                                          jclass runnable)
{
    (void)type;
    return tclk_java_thread_getter(env, runnable);
}

/* ---- pools ---- */

JNIEXPORT jobject JNICALL Java_io_threadclock_NativeAccounts_page(JNIEnv *env, jclass type)
{
    struct tclk_carrier *carrier = tclk_carrier_enter();
    (void)type;
    return carrier == NULL ? NULL
                           : (*env)->NewDirectByteBuffer(env, carrier, (jlong)sizeof *carrier);
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeAccounts_read(JNIEnv *env, jclass type,
                                                               jlong address, jint next)
{
    (void)env;
    (void)type;
    return tclk_carrier_read((struct tclk_carrier *)(intptr_t)address, (uint32_t)next);
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeAccounts_poolNamed(JNIEnv *env, jclass type,
                                                                    jstring name)
{
    (void)type;
    return tclk_java_pool_named(env, name);
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeAccounts_tid(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return tclk_tid_own();
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeAccounts_observe(JNIEnv *env, jclass type,
                                                                  jint tid, jobject total)
{
    struct tclk_times times;
    (void)type;
    int error = tclk_tid_read(tid, &times);
    if (error == 0) {
        (*env)->SetLongField(env, total, accounts.cpu_ns, times.cpu_ns);
        (*env)->SetLongField(env, total, accounts.user_ns, times.user_ns);
    }
    return error;
}
