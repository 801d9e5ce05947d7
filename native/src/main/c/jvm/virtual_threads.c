/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/virtual_threads.h"

#include "jvm/boot_classes.h"
#include "jvm/constructor_patch.h"
#include "jvm/java_thread.h"
#include "jvm/message.h"
#include "jvm/rebinding.h"
#include "jvm/status_pages.h"
#include "jvm/virtual_clocks.h"

#include <jvmti.h>
#include <stdio.h>
#include <string.h>

#define THREAD "java/lang/VirtualThread"
#define BUILDERS "java/lang/ThreadBuilders"
#define FIRST_VERSION 0x00150000 /* of JNI, on Java 21 */

/* Written while the monitor of all copies is held. */
static jvmtiEnv *jvmti;
static _Atomic bool are_measured;

/* The outcome of the hook in the calling thread's own retransformation. */
static _Thread_local struct {
    bool is_asked;
    bool has_patched;
    const char *refusal;
} own;

/* ---- the hook ---- */

static void tell(const char *refusal)
{
    tclk_status_pages_tell_virtual(refusal == NULL ? TCLK_VIRTUAL_ON : TCLK_VIRTUAL_IMPOSSIBLE);
}

/* A retransformation by another agent is refused in silence to that agent, and told to the user. */
static void note(const char *refusal)
{
    if (own.is_asked) {
        own.has_patched = refusal == NULL;
        own.refusal = refusal;
        return;
    }
    if (are_measured) {
        tell(refusal);
    }
    if (refusal != NULL) {
        tclk_message("another agent has changed java.lang.VirtualThread, and %s. Virtual threads that "
                     "start from now on are not measured.",
                     refusal);
    }
}

static const char *patch(jvmtiEnv *env, const unsigned char *file, jint size, jint *patched_size,
                         unsigned char **patched)
{
    unsigned char *room;
    size_t new_size = 0;
    if ((*env)->Allocate(env, (jlong)size + TCLK_CONSTRUCTOR_PATCH_BYTES, &room) != JVMTI_ERROR_NONE) {
        return "the JVM has no memory left";
    }
    const char *refusal = tclk_constructor_patch(file, (size_t)size, room, &new_size);
    if (refusal != NULL) {
        (*env)->Deallocate(env, room);
        return refusal;
    }
    *patched = room;
    *patched_size = (jint)new_size;
    return NULL;
}

/* The JVM raises this for every class that it loads. */
static void JNICALL on_class_file(jvmtiEnv *env, JNIEnv *jni, jclass redefined, jobject loader, const char *name,
                                  jobject domain, jint size, const unsigned char *file, jint *patched_size,
                                  unsigned char **patched)
{
    (void)jni;
    (void)redefined;
    (void)domain;
    if (loader == NULL && name != NULL && strcmp(name, THREAD) == 0) {
        note(patch(env, file, size, patched_size, patched));
    }
}

/* ---- JVMTI ---- */

static bool listen(jvmtiEventMode mode)
{
    return (*jvmti)->SetEventNotificationMode(jvmti, mode, JVMTI_EVENT_CLASS_FILE_LOAD_HOOK, NULL) == JVMTI_ERROR_NONE;
}

static jvmtiEnv *new_environment(JNIEnv *env)
{
    const jvmtiCapabilities wanted = {.can_retransform_classes = 1};
    const jvmtiEventCallbacks callbacks = {.ClassFileLoadHook = on_class_file};
    JavaVM *vm;
    jvmtiEnv *made;
    if ((*env)->GetJavaVM(env, &vm) != JNI_OK || (*vm)->GetEnv(vm, (void **)&made, JVMTI_VERSION_1_2) != JNI_OK) {
        return NULL;
    }
    if ((*made)->AddCapabilities(made, &wanted) != JVMTI_ERROR_NONE ||
        (*made)->SetEventCallbacks(made, &callbacks, sizeof callbacks) != JVMTI_ERROR_NONE) {
        (*made)->DisposeEnvironment(made);
        return NULL;
    }
    return made;
}

static void name_error(jvmtiError error, char *text, size_t size)
{
    char *name = NULL;
    (*jvmti)->GetErrorName(jvmti, error, &name);
    (void)snprintf(text, size, "RetransformClasses answered %s", name == NULL ? "an error" : name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
}

/* ---- on and off ---- */

/* Returns NULL, or why the constructor is as it was. */
static const char *change(jclass type, char *text, size_t size)
{
    memset(&own, 0, sizeof own);
    own.is_asked = true;
    jvmtiError error = (*jvmti)->RetransformClasses(jvmti, 1, &type);
    own.is_asked = false;
    if (own.refusal != NULL) {
        return own.refusal;
    }
    if (error != JVMTI_ERROR_NONE) {
        name_error(error, text, size);
        return text;
    }
    return own.has_patched ? NULL : "the JVM did not show its class file";
}

/* Loads the classes that call methods of this one, without initializing them. */
static bool load_callers(JNIEnv *env, jclass type)
{
    jclass builders = tclk_boot_class(env, BUILDERS);
    jclass meta = (*env)->GetObjectClass(env, type);
    jmethodID members = (*env)->GetMethodID(env, meta, "getNestMembers", "()[Ljava/lang/Class;");
    jobject nest = tclk_java_exception_cleared(env) ? NULL : (*env)->CallObjectMethod(env, type, members);
    bool are_loaded = !tclk_java_exception_cleared(env) && nest != NULL && builders != NULL;
    (*env)->DeleteLocalRef(env, nest);
    (*env)->DeleteLocalRef(env, meta);
    (*env)->DeleteLocalRef(env, builders);
    return are_loaded;
}

static const char *switch_on(JNIEnv *env, jclass type, char *text, size_t size)
{
    if (!load_callers(env, type)) {
        return "the classes that call it could not be loaded";
    }
    if (jvmti == NULL) {
        jvmti = new_environment(env);
    }
    if (jvmti == NULL || !listen(JVMTI_ENABLE)) {
        return "JVMTI refuses to show class files";
    }
    tclk_virtual_clocks_switch(env, true);
    const char *refusal = change(type, text, size);
    if (refusal != NULL) {
        tclk_virtual_clocks_switch(env, false);
        listen(JVMTI_DISABLE);
    }
    return refusal;
}

/* It makes the JVM link the class's callers anew, so that it may run later threads. */
static void JNICALL give_up(JNIEnv *env, jclass type)
{
    (void)type;
    if (!tclk_rebinding_enter(env)) {
        return;
    }
    if (are_measured) {
        tclk_virtual_threads_leave(env);
        tclk_status_pages_tell_virtual(TCLK_VIRTUAL_IMPOSSIBLE);
        tclk_message(
            "virtual threads cannot be measured: the JVM could not run the first one in the changed class. The "
            "class is as it was, and threads that had been started may be lost. Please report the JDK's "
            "version and the JVM's options.");
    }
    tclk_rebinding_leave(env);
}

/* Whether it writes a CDS archive or an AOT cache when it ends. It refuses to write one that lacks a changed class, or
 * crashes in doing so (JDK 25). */
static bool writes_archive(JNIEnv *env)
{
    jclass type = tclk_boot_class(env, "jdk/internal/misc/CDS");
    jmethodID method = type == NULL ? NULL : (*env)->GetStaticMethodID(env, type, "isDumpingArchive", "()Z");
    bool writes =
        !tclk_java_exception_cleared(env) && method != NULL && (*env)->CallStaticBooleanMethod(env, type, method);
    (*env)->DeleteLocalRef(env, type);
    return !tclk_java_exception_cleared(env) && writes;
}

/* Everything that can be refused without an environment comes before it is made, because it cannot be undone. */
static const char *measure(JNIEnv *env, char *text, size_t size)
{
    jclass type = (*env)->GetVersion(env) < FIRST_VERSION ? NULL : tclk_boot_class(env, THREAD);
    if (type == NULL) {
        return "this JVM has none; they came with Java 21";
    }
    const char *refusal = writes_archive(env)
                              ? "this JVM is to write an archive of its classes, for which they must be the JDK's"
                              : tclk_virtual_clocks_prepare(env, give_up);
    if (refusal == NULL) {
        refusal = switch_on(env, type, text, size);
    }
    (*env)->DeleteLocalRef(env, type);
    return refusal;
}

bool tclk_virtual_threads_measure(JNIEnv *env, const char *consequence)
{
    char text[128];
    if (are_measured) {
        return true;
    }
    const char *refusal = measure(env, text, sizeof text);
    are_measured = refusal == NULL;
    tell(refusal);
    if (refusal != NULL) {
        tclk_message("virtual threads cannot be measured: %s. %s", refusal, consequence);
        return false;
    }
    return true;
}

static void restore(JNIEnv *env)
{
    tclk_virtual_clocks_switch(env, false);
    listen(JVMTI_DISABLE);
    jclass type = tclk_boot_class(env, THREAD);
    if (type == NULL || (*jvmti)->RetransformClasses(jvmti, 1, &type) != JVMTI_ERROR_NONE) {
        tclk_message("the constructor of java.lang.VirtualThread could not be restored. It measures "
                     "no thread any more.");
    }
    (*env)->DeleteLocalRef(env, type);
}

void tclk_virtual_threads_leave(JNIEnv *env)
{
    if (are_measured) {
        are_measured = false;
        restore(env);
    }
    tclk_status_pages_tell_virtual(TCLK_VIRTUAL_OFF);
}

bool tclk_virtual_threads_are_measured(void)
{
    return are_measured;
}

bool tclk_virtual_threads_use_jvmti(void)
{
    return jvmti != NULL;
}
