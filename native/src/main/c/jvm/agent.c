/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The agent from the JVM's start: -agentpath:/…/libthreadclock.so[=options]. Any failure here prints one line on
 * stderr, and the JVM runs on as if the agent were not there.
 */

#include "jvm/discovery.h"
#include "jvm/java_thread.h"
#include "jvm/known_threads.h"
#include "jvm/message.h"
#include "jvm/rebinding.h"
#include "jvm/setup.h"
#include "jvm/status_pages.h"
#include "jvm/thread_mxbean_natives.h"
#include "jvm/virtual_threads.h"

#include <jvmti.h>
#include <string.h>

#define RUNS_WITHOUT "The JVM runs without threadclock."

static bool loaded;
static bool measures_virtual;

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    (void)jni;
    tclk_setup_print_stats();
}

/* ---- threads ---- */

/* Runs in the thread that starts. The thread gets no record yet, because most threads are never read. */
static void JNICALL on_thread_start(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)jvmti;
    if (tclk_mxbean_is_ours()) {
        tclk_known_threads_add_self(jni, thread);
    }
}

/* A thread of another agent may be attaching this one to the JVM, or detaching it, already: only one may rebind. */
static void measure_virtual_threads(JNIEnv *jni)
{
    if (tclk_rebinding_enter(jni)) {
        if (tclk_mxbean_is_ours()) {
            tclk_virtual_threads_measure(jni, "The agent serves ThreadMXBean alone.");
        }
        tclk_rebinding_leave(jni);
    }
}

/* From here on threads report their start; those that already run are discovered. */
static void JNICALL on_vm_init(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread)
{
    (void)thread;
    if (tclk_java_thread_setup(jni)) {
        (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_THREAD_START, NULL);
        tclk_discovery_run(jni);
    }
    if (measures_virtual) {
        measure_virtual_threads(jni);
    }
}

/* ---- natives ---- */

static bool is_of_bean(jvmtiEnv *jvmti, jmethodID method)
{
    jclass type;
    char *signature = NULL;
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &type) != JVMTI_ERROR_NONE ||
        (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) != JVMTI_ERROR_NONE) {
        return false;
    }
    bool matches = strcmp(signature, "L" TCLK_THREAD_IMPL ";") == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return matches;
}

/* RegisterNatives raises this event, too. Our own functions need no replacing, and once the agent is detached any
 * function stays bound. */
static void replace(struct tclk_native *native, void *address, void **new_address)
{
    if (tclk_mxbean_is_ours() && address != native->ours) {
        tclk_mxbean_note_original(native, address);
        *new_address = native->ours;
    }
}

/* Compares the name first, because nearly all of the hundreds of natives that a JVM binds have another one. */
static void JNICALL on_native_method_bind(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread, jmethodID method, void *address,
                                          void **new_address)
{
    char *name = NULL;
    char *signature = NULL;
    (void)jni;
    (void)thread;
    if ((*jvmti)->GetMethodName(jvmti, method, &name, &signature, NULL) != JVMTI_ERROR_NONE) {
        return;
    }
    struct tclk_native *native = tclk_mxbean_native(name, signature);
    if (native != NULL && is_of_bean(jvmti, method)) {
        replace(native, address, new_address);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

/* ---- loading ---- */

static jvmtiError enable(jvmtiEnv *jvmti, jvmtiEvent event)
{
    return (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, event, NULL);
}

static jvmtiError enable_events(jvmtiEnv *jvmti, bool stats)
{
    jvmtiCapabilities wanted = {.can_generate_native_method_bind_events = 1};
    jvmtiEventCallbacks callbacks = {
        .NativeMethodBind = on_native_method_bind,
        .ThreadStart = on_thread_start,
        .VMInit = on_vm_init,
        .VMDeath = on_vm_death,
    };
    jvmtiError error = (*jvmti)->AddCapabilities(jvmti, &wanted);
    if (error == JVMTI_ERROR_NONE) {
        error = (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    }
    if (error == JVMTI_ERROR_NONE && stats) {
        error = enable(jvmti, JVMTI_EVENT_VM_DEATH);
    }
    if (error == JVMTI_ERROR_NONE) {
        error = enable(jvmti, JVMTI_EVENT_VM_INIT);
    }
    if (error == JVMTI_ERROR_NONE) {
        error = enable(jvmti, JVMTI_EVENT_NATIVE_METHOD_BIND);
    }
    return error;
}

static bool start_agent(jvmtiEnv *jvmti, const struct tclk_agent_options *options)
{
    if (!tclk_setup_alone("Give -agentpath once.") || !tclk_setup_clock(options, RUNS_WITHOUT)) {
        return false;
    }
    measures_virtual = options->measures_virtual;
    tclk_mxbean_set_ours(true);
    jvmtiError error = enable_events(jvmti, options->stats);
    if (error != JVMTI_ERROR_NONE) {
        tclk_mxbean_set_ours(false);
        tclk_message("JVMTI refused NativeMethodBind events: error %d. " RUNS_WITHOUT, (int)error);
        return false;
    }
    tclk_setup_in_use(true);
    return true;
}

static void load(JavaVM *vm, const char *text)
{
    struct tclk_agent_options options;
    jvmtiEnv *jvmti;
    tclk_status_pages_tell_loaded();
    if (loaded) {
        tclk_message("loaded already; the second -agentpath changes nothing. Give it once.");
        return;
    }
    if (!tclk_setup_options(text, &options, RUNS_WITHOUT) || !tclk_setup_vm(RUNS_WITHOUT) ||
        !tclk_setup_memory(RUNS_WITHOUT)) {
        return;
    }
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        tclk_message("this JVM has no JVMTI 1.2. It runs without threadclock.");
        return;
    }
    loaded = start_agent(jvmti, &options);
    if (!loaded) {
        (*jvmti)->DisposeEnvironment(jvmti);
    }
}

/* Returns nothing but JNI_OK, because the JVM would end. */
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    load(vm, options);
    return JNI_OK;
}
