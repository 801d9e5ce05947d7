/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The natives of io.threadclock.NativeAccounts: access to the one field by which the JDK runs a virtual thread, and to
 * the clock of its carrier.
 *
 * Each java.lang.VirtualThread has a Runnable, `runContinuation`, whose run() is one mount, the first and each later
 * one. This is true of every JDK from 21 to 28, with any scheduler (their class files show it, and
 * io.threadclock.Accounting tries it before anything relies on it). It is final and private: other Java code can
 * neither get nor set it, but by method handles of the JDK's own.
 */

#include "include/threadclock.h"
#include "jvm/java_natives.h"
#include "jvm/java_thread.h"
#include "kernel/tid.h"
#include "serve/virtual_pools.h"

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>

#define THREAD "java/lang/VirtualThread"
#define FIELD "runContinuation"
#define RUNNABLE "Ljava/lang/Runnable;"
#define LOOKUP "java/lang/invoke/MethodHandles$Lookup"

/* The fields of io.threadclock.Total. runnableGetter() writes these once, before any other native is called. */
static struct {
    jfieldID cpu_ns;
    jfieldID user_ns;
} total;

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

static bool find_fields_of_total(JNIEnv *env)
{
    jclass type = find_class(env, "io/threadclock/Total");
    if (type == NULL) {
        return false;
    }
    total.cpu_ns = find_field(env, type, "cpuNs", "J");
    total.user_ns = find_field(env, type, "userNs", "J");
    return total.cpu_ns != NULL && total.user_ns != NULL;
}

/* The lookup may access every member, so it must not get to Java code. */
static jobject unreflect(JNIEnv *env, const char *name, const char *signature, jobject member)
{
    jclass type = find_class(env, LOOKUP);
    jfieldID trusted = type == NULL ? NULL : (*env)->GetStaticFieldID(env, type, "IMPL_LOOKUP", "L" LOOKUP ";");
    jmethodID method = trusted == NULL ? NULL : (*env)->GetMethodID(env, type, name, signature);
    if (tclk_java_exception_cleared(env) || method == NULL) {
        return NULL;
    }
    jobject lookup = (*env)->GetStaticObjectField(env, type, trusted);
    jobject handle = (*env)->CallObjectMethod(env, lookup, method, member);
    (*env)->DeleteLocalRef(env, lookup);
    return tclk_java_exception_cleared(env) ? NULL : handle;
}

/* A compiled caller of this method handle gets the field by one load; by JNI it would cost as much as a reading of
 * the clock. NULL: the class has no such field. */
static jobject getter(JNIEnv *env, jclass type, const char *name, const char *signature)
{
    jfieldID field = find_field(env, type, name, signature);
    jobject reflected = field == NULL ? NULL : (*env)->ToReflectedField(env, type, field, JNI_FALSE);
    if (tclk_java_exception_cleared(env) || reflected == NULL) {
        return NULL;
    }
    return unreflect(env, "unreflectGetter", "(Ljava/lang/reflect/Field;)Ljava/lang/invoke/MethodHandle;", reflected);
}

JNIEXPORT jobject JNICALL Java_io_threadclock_NativeAccounts_runnableGetter(JNIEnv *env, jclass type)
{
    jclass thread = find_class(env, THREAD);
    (void)type;
    if (thread == NULL || find_field(env, thread, FIELD, RUNNABLE) == NULL) {
        return (*env)->NewStringUTF(env, "java.lang.VirtualThread of this JDK has no field " FIELD " of type Runnable");
    }
    jobject handle = find_fields_of_total(env) ? getter(env, thread, FIELD, RUNNABLE) : NULL;
    return handle != NULL ? handle
                          : (*env)->NewStringUTF(env, "this JDK gives no access to java.lang.VirtualThread." FIELD);
}

/* ---- methods of the JDK's own ---- */

struct method {
    const char *type;
    const char *name;
    const char *signature;
    jboolean is_static;
};

static jobject reflect(JNIEnv *env, const struct method *of)
{
    jclass type = find_class(env, of->type);
    if (type == NULL) {
        return NULL;
    }
    jmethodID method = of->is_static ? (*env)->GetStaticMethodID(env, type, of->name, of->signature)
                                     : (*env)->GetMethodID(env, type, of->name, of->signature);
    jobject reflected =
        tclk_java_exception_cleared(env) ? NULL : (*env)->ToReflectedMethod(env, type, method, of->is_static);
    return tclk_java_exception_cleared(env) ? NULL : reflected;
}

static bool unreflect_all(JNIEnv *env, const struct method *methods, jobjectArray handles)
{
    jsize count = (*env)->GetArrayLength(env, handles);
    for (jsize i = 0; i < count; i++) {
        jobject method = reflect(env, &methods[i]);
        jobject handle =
            method == NULL
                ? NULL
                : unreflect(env, "unreflect", "(Ljava/lang/reflect/Method;)Ljava/lang/invoke/MethodHandle;", method);
        if (handle == NULL) {
            return false;
        }
        (*env)->SetObjectArrayElement(env, handles, i, handle);
    }
    return true;
}

/* NULL: this JDK does not have them all. */
static jobjectArray handles_of(JNIEnv *env, const struct method *methods, jsize count)
{
    jclass type = find_class(env, "java/lang/invoke/MethodHandle");
    jobjectArray handles = type == NULL ? NULL : (*env)->NewObjectArray(env, count, type, NULL);
    bool has_all = !tclk_java_exception_cleared(env) && handles != NULL && unreflect_all(env, methods, handles);
    return has_all ? handles : NULL;
}

#define CONTAINERS "jdk/internal/vm/ThreadContainers"
#define CONTAINER "jdk/internal/vm/ThreadContainer"

/* JDK 21 to 28 have them, for thread dumps. */
JNIEXPORT jobjectArray JNICALL Java_io_threadclock_NativeAccounts_containerHandles(JNIEnv *env, jclass type)
{
    static const struct method methods[] = {
        {CONTAINERS, "root", "()L" CONTAINER ";", JNI_TRUE},
        {CONTAINER, "children", "()Ljava/util/stream/Stream;", JNI_FALSE},
        {CONTAINER, "threads", "()Ljava/util/stream/Stream;", JNI_FALSE},
    };
    (void)type;
    return handles_of(env, methods, sizeof methods / sizeof methods[0]);
}

#define UNSAFE "jdk/internal/misc/Unsafe"

/* JDK 21 to 28 have them. A compiled caller sets a field by one store and the barriers of the collector; by JNI it
 * would cost more than a reading of the clock. */
JNIEXPORT jobjectArray JNICALL Java_io_threadclock_NativeAccounts_fieldHandles(JNIEnv *env, jclass type)
{
    static const struct method methods[] = {
        {UNSAFE, "getUnsafe", "()L" UNSAFE ";", JNI_TRUE},
        {UNSAFE, "objectFieldOffset", "(Ljava/lang/Class;Ljava/lang/String;)J", JNI_FALSE},
        {UNSAFE, "putReferenceRelease", "(Ljava/lang/Object;JLjava/lang/Object;)V", JNI_FALSE},
    };
    (void)type;
    return handles_of(env, methods, sizeof methods / sizeof methods[0]);
}

/* ---- a thread's account ---- */

/* The JDK's Runnable is `this::runContinuation`, in an object of a class that the JVM spins for it. It has one field,
 * the thread, which the JDK names arg$1 (8 to 28). A Runnable without that field has an unknown thread. */
JNIEXPORT jobject JNICALL Java_io_threadclock_NativeAccounts_threadGetter(JNIEnv *env, jclass type, jclass runnable)
{
    (void)type;
    return getter(env, runnable, "arg$1", "L" THREAD ";");
}

/* ---- pools ---- */

JNIEXPORT jobject JNICALL Java_io_threadclock_NativeAccounts_page(JNIEnv *env, jclass type)
{
    struct tclk_carrier *carrier = tclk_carrier_enter();
    (void)type;
    return carrier == NULL ? NULL : (*env)->NewDirectByteBuffer(env, carrier, (jlong)sizeof *carrier);
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeAccounts_read(JNIEnv *env, jclass type, jlong address, jint next)
{
    (void)env;
    (void)type;
    return tclk_carrier_read((struct tclk_carrier *)(intptr_t)address, (uint32_t)next);
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeAccounts_poolNamed(JNIEnv *env, jclass type, jstring name)
{
    (void)type;
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    if (text == NULL) {
        tclk_java_exception_cleared(env);
        return TCLK_POOL_OTHERS;
    }
    jint pool = (jint)tclk_pool_named(text);
    (*env)->ReleaseStringUTFChars(env, name, text);
    return pool;
}

/* Java has one caller at a time, which alone uses these. */
static struct tclk_virtual_pools pools;

static bool times_of_carrier(void *context, pid_t tid, int64_t *cpu_ns, int64_t *user_ns)
{
    struct tclk_times times;
    (void)context;
    if (tclk_tid_read(tid, &times) != 0) {
        return false;
    }
    *cpu_ns = times.cpu_ns;
    *user_ns = times.user_ns;
    return true;
}

enum { LONGS = TCLK_POOLS_MAX * 5 };
_Static_assert(sizeof pools.totals == LONGS * sizeof(jlong), "VirtualPoolTimes reads five longs of each pool");

JNIEXPORT jboolean JNICALL Java_io_threadclock_NativeAccounts_pools(JNIEnv *env, jclass type, jlongArray totals)
{
    (void)type;
    tclk_virtual_pools_update(&pools, times_of_carrier, NULL);
    if (!pools.any) {
        return JNI_FALSE;
    }
    (*env)->SetLongArrayRegion(env, totals, 0, LONGS, (const jlong *)pools.totals);
    return !tclk_java_exception_cleared(env);
}

JNIEXPORT jstring JNICALL Java_io_threadclock_NativeAccounts_poolName(JNIEnv *env, jclass type, jint pool)
{
    char name[TCLK_POOL_NAME_BYTES];
    (void)type;
    if (!tclk_pool_name((uint32_t)pool, name)) {
        return NULL;
    }
    jstring text = (*env)->NewStringUTF(env, name);
    return tclk_java_exception_cleared(env) ? NULL : text;
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeAccounts_tid(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return tclk_tid_own();
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeAccounts_observe(JNIEnv *env, jclass type, jint tid, jobject to)
{
    struct tclk_times times;
    (void)type;
    int error = tclk_tid_read(tid, &times);
    if (error == 0) {
        (*env)->SetLongField(env, to, total.cpu_ns, times.cpu_ns);
        (*env)->SetLongField(env, to, total.user_ns, times.user_ns);
    }
    return error;
}
