/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Each java.lang.VirtualThread has a Runnable, `runContinuation`, whose run() is one mount, the first and each later
 * one. This is true of every JDK from 21 to 28, with any scheduler (their class files show it, and the library tries it
 * before anything relies on it). It is final and private: other Java code can neither get nor set it, but by method
 * handles of the JDK's own.
 */
#include "jvm/virtual_clocks.h"

#include "include/threadclock.h"
#include "jvm/boot_classes.h"
#include "jvm/constructor_patch.h"
#include "jvm/handles.h"
#include "jvm/java_natives.h"
#include "jvm/java_thread.h"
#include "jvm/rebinding.h"
#include "serve/virtual_pools.h"

#include <stddef.h>

#define TOTAL TCLK_BOOT_PACKAGE "Total"
#define CLOCK TCLK_BOOT_PACKAGE "NativeCarrierClock"

/* VirtualClocks.java has the same: another copy of this library may have brought another version of the class. */
#define PROTOCOL 5

/* Written once, before the natives are bound. */
static struct {
    jfieldID cpu_ns;
    jfieldID user_ns;
} total;

/* A global reference; written while the monitor of all copies is held. */
static jclass switched;

/* ---- the natives of NativeCarrierClock ---- */

#define UNSAFE "jdk/internal/misc/Unsafe"

/* JDK 21 to 28 have them. */
static jobjectArray JNICALL handles_of_unsafe(JNIEnv *env, jclass type)
{
    static const struct tclk_method methods[] = {
        {UNSAFE, "getUnsafe", "()L" UNSAFE ";", JNI_TRUE},
        {UNSAFE, "objectFieldOffset", "(Ljava/lang/Class;Ljava/lang/String;)J", JNI_FALSE},
        {UNSAFE, "getReference", "(Ljava/lang/Object;J)Ljava/lang/Object;", JNI_FALSE},
        {UNSAFE, "putReferenceRelease", "(Ljava/lang/Object;JLjava/lang/Object;)V", JNI_FALSE},
        {UNSAFE, "getLong", "(J)J", JNI_FALSE},
    };
    (void)type;
    return tclk_handles_of(env, methods, sizeof methods / sizeof methods[0]);
}

/* The JDK's Runnable is `this::runContinuation`, in an object of a class that the JVM spins for it. It has one field,
 * the thread, which the JDK names arg$1 (8 to 28). A Runnable without that field has an unknown thread. */
static jobject JNICALL getter_of(JNIEnv *env, jclass type, jclass runnable)
{
    (void)type;
    return tclk_handle_of_getter(env, runnable, "arg$1", "Ljava/lang/VirtualThread;");
}

_Static_assert(offsetof(struct tclk_carrier, last.cpu_ns) == 0 && offsetof(struct tclk_carrier, last.user_ns) == 8 &&
                   offsetof(struct tclk_carrier, tid) == 24,
               "NativeCarrierClock.java has these offsets");

static jlong JNICALL new_page(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return (jlong)(intptr_t)tclk_carrier_enter();
}

static void JNICALL leave_page(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    tclk_carrier_leave();
}

static jint JNICALL read_to(JNIEnv *env, jclass type, jlong address, jint next)
{
    (void)env;
    (void)type;
    return tclk_carrier_read((struct tclk_carrier *)(intptr_t)address, (uint32_t)next);
}

static jint JNICALL number_of_pool(JNIEnv *env, jclass type, jstring name)
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

static jint JNICALL read_other(JNIEnv *env, jclass type, jint tid, jobject times)
{
    struct tclk_times read;
    (void)type;
    int error = tclk_tid_read(tid, &read);
    if (error == 0) {
        (*env)->SetLongField(env, times, total.cpu_ns, read.cpu_ns);
        (*env)->SetLongField(env, times, total.user_ns, read.user_ns);
    }
    return error;
}

static const JNINativeMethod of_clock[] = {
    {(char *)"handlesOfUnsafe", (char *)"()[Ljava/lang/invoke/MethodHandle;", (void *)handles_of_unsafe},
    {(char *)"newPage", (char *)"()J", (void *)new_page},
    {(char *)"leavePage", (char *)"()V", (void *)leave_page},
    {(char *)"readTo", (char *)"(JI)I", (void *)read_to},
    {(char *)"numberOfPool", (char *)"(Ljava/lang/String;)I", (void *)number_of_pool},
    {(char *)"getterOf", (char *)"(Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;", (void *)getter_of},
    {(char *)"readOther", (char *)"(IL" TOTAL ";)I", (void *)read_other},
    {(char *)"cpuNs", (char *)"()J", (void *)Java_io_threadclock_NativeClock_cpuTimeNs},
    {(char *)"userNs", (char *)"()J", (void *)Java_io_threadclock_NativeClock_userTimeNs},
    {(char *)"systemNs", (char *)"()J", (void *)Java_io_threadclock_NativeClock_systemTimeNs},
    {(char *)"copyTo", (char *)"([J)I", (void *)Java_io_threadclock_NativeClock_copy},
};

/* ---- the natives of VirtualClocks ---- */

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

static jboolean JNICALL read_pools(JNIEnv *env, jclass type, jlongArray totals)
{
    (void)type;
    tclk_virtual_pools_update(&pools, times_of_carrier, NULL);
    if (!pools.any) {
        return JNI_FALSE;
    }
    (*env)->SetLongArrayRegion(env, totals, 0, LONGS, (const jlong *)pools.totals);
    return !tclk_java_exception_cleared(env);
}

static jstring JNICALL name_of_pool(JNIEnv *env, jclass type, jint pool)
{
    char name[TCLK_POOL_NAME_BYTES];
    (void)type;
    if (!tclk_pool_name((uint32_t)pool, name)) {
        return NULL;
    }
    jstring text = (*env)->NewStringUTF(env, name);
    return tclk_java_exception_cleared(env) ? NULL : text;
}

static const JNINativeMethod of_clocks[] = {
    {(char *)"pools", (char *)"([J)Z", (void *)read_pools},
    {(char *)"poolName", (char *)"(I)Ljava/lang/String;", (void *)name_of_pool},
};

/* ---- the classes ---- */

static bool find_fields_of_total(JNIEnv *env)
{
    jclass type = tclk_boot_class(env, TOTAL);
    total.cpu_ns = type == NULL ? NULL : (*env)->GetFieldID(env, type, "cpuNs", "J");
    if (tclk_java_exception_cleared(env) || type == NULL) {
        return false;
    }
    total.user_ns = (*env)->GetFieldID(env, type, "userNs", "J");
    (*env)->DeleteLocalRef(env, type);
    return !tclk_java_exception_cleared(env);
}

static bool bind(JNIEnv *env, const char *name, const JNINativeMethod *natives, size_t count)
{
    jclass type = tclk_boot_class(env, name);
    jint error = type == NULL ? JNI_ERR : (*env)->RegisterNatives(env, type, natives, (jint)count);
    (*env)->DeleteLocalRef(env, type);
    return !tclk_java_exception_cleared(env) && error == 0;
}

static bool bind_natives(JNIEnv *env)
{
    return find_fields_of_total(env) && bind(env, CLOCK, of_clock, sizeof of_clock / sizeof of_clock[0]) &&
           bind(env, TCLK_VIRTUAL_CLOCKS, of_clocks, sizeof of_clocks / sizeof of_clocks[0]);
}

/* Another copy of this library may have brought the classes. */
static jclass ensure_clocks(JNIEnv *env)
{
    jclass type = tclk_boot_class(env, TCLK_VIRTUAL_CLOCKS);
    if (type == NULL && tclk_boot_classes_define(env) && bind_natives(env)) {
        type = tclk_boot_class(env, TCLK_VIRTUAL_CLOCKS);
    }
    return type;
}

static bool is_of_this_version(JNIEnv *env, jclass type)
{
    jfieldID protocol = (*env)->GetStaticFieldID(env, type, "PROTOCOL", "I");
    return !tclk_java_exception_cleared(env) && (*env)->GetStaticIntField(env, type, protocol) == PROTOCOL;
}

static bool prepare(JNIEnv *env, jclass type, jobjectArray critical)
{
    jmethodID method = (*env)->GetStaticMethodID(env, type, "prepare", "([Ljava/lang/invoke/MethodHandle;)Z");
    if (tclk_java_exception_cleared(env)) {
        return false;
    }
    jboolean has_worked = (*env)->CallStaticBooleanMethod(env, type, method, critical);
    return !tclk_java_exception_cleared(env) && has_worked;
}

const char *tclk_virtual_clocks_define(JNIEnv *env, jobjectArray critical, jclass *clocks)
{
    jclass type = ensure_clocks(env);
    if (type == NULL) {
        return "the boot loader takes no class of this library";
    }
    if (!is_of_this_version(env, type)) {
        return "another version of threadclock has given this JVM its own clocks";
    }
    if (!prepare(env, type, critical)) {
        return "this JDK has no field runContinuation of java.lang.VirtualThread, or gives no access to it";
    }
    *clocks = type;
    return NULL;
}

/* ---- for constructors ---- */

static bool try_clock(JNIEnv *env, jclass type)
{
    jmethodID method = (*env)->GetStaticMethodID(env, type, "tryInPlatformThread", "()Z");
    if (tclk_java_exception_cleared(env)) {
        return false;
    }
    jboolean has_worked = (*env)->CallStaticBooleanMethod(env, type, method);
    return !tclk_java_exception_cleared(env) && has_worked;
}

const char *tclk_virtual_clocks_prepare(JNIEnv *env, tclk_give_up give_up)
{
    const JNINativeMethod native = {(char *)"giveUp", (char *)"()V", (void *)give_up};
    jclass type;
    const char *refusal = tclk_virtual_clocks_define(env, NULL, &type);
    if (refusal != NULL) {
        return refusal;
    }
    if (tclk_rebind(env, type, &native, 1) != 0 || !try_clock(env, type)) {
        return "a clock of the calling thread could not be read";
    }
    if (switched == NULL) {
        switched = (*env)->NewGlobalRef(env, type);
    }
    (*env)->DeleteLocalRef(env, type);
    return switched == NULL ? "the JVM has no memory left" : NULL;
}

void tclk_virtual_clocks_switch(JNIEnv *env, bool on)
{
    jmethodID switch_on = (*env)->GetStaticMethodID(env, switched, "switchOn", "(Z)V");
    if (!tclk_java_exception_cleared(env)) {
        (*env)->CallStaticVoidMethod(env, switched, switch_on, (jboolean)on);
        tclk_java_exception_cleared(env);
    }
}
