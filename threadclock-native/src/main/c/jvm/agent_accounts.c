/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/agent_accounts.h"

#include "include/threadclock.h"
#include "jvm/agent_classes.h"
#include "jvm/constructor_patch.h"
#include "jvm/java_natives.h"
#include "jvm/java_thread.h"
#include "jvm/rebinding.h"
#include "serve/virtual_pools.h"

#include <stddef.h>

#define PACKAGE "io/threadclock/agent/"
#define TOTAL PACKAGE "Total"

/* AgentAccount.java has the same: another copy of this library may have brought another version of the class. */
#define PROTOCOL 4

/* In an order in which each class follows the one above it. */
static const struct {
    const char *name;
    const struct tclk_class_bytes *file;
} classes[] = {
    {TOTAL, &tclk_class_total},
    {PACKAGE "Total$Floor", &tclk_class_total_floor},
    {PACKAGE "Total$Overlap", &tclk_class_total_overlap},
    {PACKAGE "Segment", &tclk_class_segment},
    {PACKAGE "Segment$Overlapping", &tclk_class_segment_overlapping},
    {PACKAGE "PoolName", &tclk_class_pool_name},
    {PACKAGE "MountedThread$Others", &tclk_class_mounted_thread_others},
    {PACKAGE "MountedThread", &tclk_class_mounted_thread},
    {PACKAGE "MountedThread$First", &tclk_class_mounted_thread_first},
    {PACKAGE "VirtualPools", &tclk_class_virtual_pools},
    {PACKAGE "CarrierClock", &tclk_class_carrier_clock},
    {PACKAGE "AgentClock", &tclk_class_agent_clock},
    {PACKAGE "ThreadAccount", &tclk_class_thread_account},
    {PACKAGE "AgentAccount$Trial", &tclk_class_agent_account_trial},
    {TCLK_AGENT_ACCOUNT, &tclk_class_agent_account},
};

/* Written once, before the natives are bound. */
static struct {
    jfieldID cpu_ns;
    jfieldID user_ns;
} total;

/* A global reference; written while the monitor of all copies is held. */
static jclass account;

/* ---- the natives of AgentClock: those of the library, but for two ---- */

static void JNICALL leave_page(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    tclk_carrier_leave();
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

static const JNINativeMethod natives[] = {
    {(char *)"newPage", (char *)"()Ljava/nio/ByteBuffer;", (void *)Java_io_threadclock_NativeAccounts_page},
    {(char *)"leavePage", (char *)"()V", (void *)leave_page},
    {(char *)"readTo", (char *)"(JI)I", (void *)Java_io_threadclock_NativeAccounts_read},
    {(char *)"numberOfPool", (char *)"(Ljava/lang/String;)I", (void *)Java_io_threadclock_NativeAccounts_poolNamed},
    {(char *)"getterOf", (char *)"(Ljava/lang/Class;)Ljava/lang/invoke/MethodHandle;",
     (void *)Java_io_threadclock_NativeAccounts_threadGetter},
    {(char *)"handlesOfUnsafe", (char *)"()[Ljava/lang/invoke/MethodHandle;",
     (void *)Java_io_threadclock_NativeAccounts_fieldHandles},
    {(char *)"readOther", (char *)"(IL" TOTAL ";)I", (void *)read_other},
    {(char *)"cpuNs", (char *)"()J", (void *)Java_io_threadclock_NativeClock_cpuTimeNs},
    {(char *)"userNs", (char *)"()J", (void *)Java_io_threadclock_NativeClock_userTimeNs},
    {(char *)"systemNs", (char *)"()J", (void *)Java_io_threadclock_NativeClock_systemTimeNs},
    {(char *)"copyTo", (char *)"([J)I", (void *)Java_io_threadclock_NativeClock_copy},
};

/* ---- the classes ---- */

static bool define_all(JNIEnv *env)
{
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++) {
        jclass type = tclk_agent_class(env, classes[i].name, classes[i].file);
        if (type == NULL) {
            return false;
        }
        (*env)->DeleteLocalRef(env, type);
    }
    return true;
}

static bool bind_natives(JNIEnv *env)
{
    jclass times = tclk_boot_class(env, TOTAL);
    jclass clock = tclk_boot_class(env, PACKAGE "AgentClock");
    if (times == NULL || clock == NULL) {
        return false;
    }
    total.cpu_ns = (*env)->GetFieldID(env, times, "cpuNs", "J");
    if (tclk_java_exception_cleared(env)) {
        return false;
    }
    total.user_ns = (*env)->GetFieldID(env, times, "userNs", "J");
    if (tclk_java_exception_cleared(env)) {
        return false;
    }
    jint error = (*env)->RegisterNatives(env, clock, natives, (jint)(sizeof natives / sizeof natives[0]));
    (*env)->DeleteLocalRef(env, times);
    (*env)->DeleteLocalRef(env, clock);
    return !tclk_java_exception_cleared(env) && error == 0;
}

/* Another copy of this library may have brought the classes. */
static jclass ensure_account(JNIEnv *env)
{
    jclass type = tclk_boot_class(env, TCLK_AGENT_ACCOUNT);
    if (type == NULL && define_all(env) && bind_natives(env)) {
        type = tclk_boot_class(env, TCLK_AGENT_ACCOUNT);
    }
    return type;
}

static bool is_of_this_version(JNIEnv *env, jclass type)
{
    jfieldID protocol = (*env)->GetStaticFieldID(env, type, "PROTOCOL", "I");
    return !tclk_java_exception_cleared(env) && (*env)->GetStaticIntField(env, type, protocol) == PROTOCOL;
}

static bool try_account(JNIEnv *env, jclass type)
{
    jmethodID prepare = (*env)->GetStaticMethodID(env, type, "prepare", "()Z");
    if (tclk_java_exception_cleared(env)) {
        return false;
    }
    jboolean has_worked = (*env)->CallStaticBooleanMethod(env, type, prepare);
    return !tclk_java_exception_cleared(env) && has_worked;
}

const char *tclk_agent_accounts_prepare(JNIEnv *env, tclk_give_up give_up)
{
    const JNINativeMethod native = {(char *)"giveUp", (char *)"()V", (void *)give_up};
    jclass type = ensure_account(env);
    if (type == NULL) {
        return "the boot loader takes no class of this agent";
    }
    if (!is_of_this_version(env, type)) {
        return "another version of threadclock has given this JVM its own accounts";
    }
    if (tclk_rebind(env, type, &native, 1) != 0 || !try_account(env, type)) {
        return "an account of the calling thread could not be read";
    }
    if (account == NULL) {
        account = (*env)->NewGlobalRef(env, type);
    }
    (*env)->DeleteLocalRef(env, type);
    return account == NULL ? "the JVM has no memory left" : NULL;
}

void tclk_agent_accounts_switch(JNIEnv *env, bool on)
{
    jmethodID switch_on = (*env)->GetStaticMethodID(env, account, "switchOn", "(Z)V");
    if (!tclk_java_exception_cleared(env)) {
        (*env)->CallStaticVoidMethod(env, account, switch_on, (jboolean)on);
        tclk_java_exception_cleared(env);
    }
}
