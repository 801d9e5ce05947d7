/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The agent in a JVM that is running already, through JNI alone: obtaining a JVMTI environment, even for
 * a moment, would make the virtual threads of JDK 21 and newer slower for good.
 *
 * The options are those of -agentpath, or "detach". Attaching is all or nothing.
 */

#include "jvm/discovery.h"
#include "jvm/java_thread.h"
#include "jvm/message.h"
#include "jvm/rebinding.h"
#include "jvm/setup.h"
#include "jvm/thread_impl.h"

#include <jvmti.h> /* Agent_OnAttach */
#include <pthread.h>
#include <string.h>

#define UNCHANGED "The JVM is as it was."

/* What Agent_OnAttach returns, and those who attach are shown: docs/agent.md#attached. */
enum outcome {
    DONE = 0,
    UNKNOWN_OPTION = 100,
    OTHER_COPY = 101,
    SOURCE_REFUSED = 102,
    NOT_HOTSPOT = 103,
    REBINDING_REFUSED = 104,
    NOT_ATTACHED = 105,
    FAILED = 106,
};

static bool prints_stats;

/* ---- the natives ---- */

/* ManagementFactory has loaded libmanagement.so and sun.management.ThreadImpl once this returns. */
static bool load_management(JNIEnv *env)
{
    jclass factory = (*env)->FindClass(env, "java/lang/management/ManagementFactory");
    if (tclk_java_exception_cleared(env)) {
        return false;
    }
    jmethodID method = (*env)->GetStaticMethodID(env, factory, "getThreadMXBean",
                                                 "()Ljava/lang/management/ThreadMXBean;");
    jobject bean = tclk_java_exception_cleared(env)
                       ? NULL
                       : (*env)->CallStaticObjectMethod(env, factory, method);
    bool loaded = !tclk_java_exception_cleared(env) && bean != NULL;
    (*env)->DeleteLocalRef(env, bean);
    (*env)->DeleteLocalRef(env, factory);
    return loaded;
}

/* A local reference to sun.management.ThreadImpl, once its natives' originals are known; else NULL. */
static jclass find_thread_impl(JNIEnv *env, const char *consequence)
{
    jclass type = NULL;
    if (load_management(env) && tclk_thread_impl_find_originals()) {
        type = (*env)->FindClass(env, TCLK_THREAD_IMPL);
        type = tclk_java_exception_cleared(env) ? NULL : type;
    }
    if (type == NULL) {
        tclk_message(
            "sun.management.ThreadImpl and its natives are not in this JVM: it lacks the module "
            "java.management, or has another one. %s",
            consequence);
    }
    return type;
}

static bool bind_natives(JNIEnv *env, jclass type, bool ours)
{
    JNINativeMethod methods[TCLK_THREAD_IMPL_NATIVES];
    tclk_thread_impl_list(ours, methods);
    return tclk_rebind(env, type, methods, TCLK_THREAD_IMPL_NATIVES) == 0;
}

static enum outcome bind_ours(JNIEnv *env)
{
    jclass type = find_thread_impl(env, UNCHANGED);
    if (type == NULL) {
        return NOT_HOTSPOT;
    }
    bool bound = bind_natives(env, type, true);
    if (!bound) {
        bind_natives(env, type, false);
        tclk_message(
            "RegisterNatives on sun.management.ThreadImpl refused. The originals are back. "
            "Please report the JDK's version.");
    }
    (*env)->DeleteLocalRef(env, type);
    return bound ? DONE : REBINDING_REFUSED;
}

/* Ours forward from now on, wherever they are still bound. */
static enum outcome bind_originals(JNIEnv *env)
{
    jclass type = find_thread_impl(env, "Its natives forward to the originals.");
    if (type == NULL) {
        return NOT_HOTSPOT;
    }
    bool bound = bind_natives(env, type, false);
    if (!bound) {
        tclk_message(
            "RegisterNatives on sun.management.ThreadImpl refused. The agent's natives stay, "
            "and forward to the originals. Please report the JDK's version.");
    }
    (*env)->DeleteLocalRef(env, type);
    return bound ? DONE : REBINDING_REFUSED;
}

/* ---- attaching and detaching ---- */

static enum outcome configure(const struct tclk_agent_options *options)
{
    if (!tclk_setup_clock(options, UNCHANGED)) {
        return SOURCE_REFUSED;
    }
    prints_stats = options->stats;
    return DONE;
}

/* Ours forward until they serve, which is when all of them are bound. A JDK whose Thread has other parts
 * gets the calling thread's times all the same. */
static enum outcome begin(JNIEnv *env, const struct tclk_agent_options *options)
{
    if (!tclk_setup_vm(UNCHANGED)) {
        return NOT_HOTSPOT;
    }
    if (!tclk_setup_alone("Detach that one first.")) {
        return OTHER_COPY;
    }
    enum outcome outcome = configure(options);
    if (outcome == DONE) {
        outcome = bind_ours(env);
    }
    if (outcome != DONE) {
        return outcome;
    }
    tclk_java_thread_setup(env);
    tclk_thread_impl_serve(true);
    tclk_setup_in_use(true);
    tclk_discovery_run(env);
    return DONE;
}

static enum outcome attach(JNIEnv *env, const char *text)
{
    struct tclk_agent_options options;
    if (!tclk_setup_options(text, &options, UNCHANGED)) {
        return UNKNOWN_OPTION;
    }
    return tclk_thread_impl_serves() ? configure(&options) : begin(env, &options);
}

static enum outcome detach(JNIEnv *env)
{
    if (!tclk_thread_impl_serves()) {
        tclk_message("detach: this copy is not attached. " UNCHANGED);
        return NOT_ATTACHED;
    }
    tclk_thread_impl_serve(false);
    enum outcome outcome = bind_originals(env);
    tclk_setup_in_use(false);
    if (prints_stats) {
        tclk_setup_print_stats();
    }
    return outcome;
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *text, void *reserved)
{
    static pthread_mutex_t one_at_a_time = PTHREAD_MUTEX_INITIALIZER;
    JNIEnv *env;
    (void)reserved;
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) != JNI_OK) {
        tclk_message("Agent_OnAttach: the calling thread is not attached to the JVM. " UNCHANGED);
        return FAILED;
    }
    pthread_mutex_lock(&one_at_a_time);
    enum outcome outcome =
        text != NULL && strcmp(text, "detach") == 0 ? detach(env) : attach(env, text);
    pthread_mutex_unlock(&one_at_a_time);
    return (jint)outcome;
}
