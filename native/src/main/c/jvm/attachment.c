/* SPDX-License-Identifier: Apache-2.0 */

#include "jvm/attachment.h"

#include "jvm/discovery.h"
#include "jvm/java_thread.h"
#include "jvm/message.h"
#include "jvm/rebinding.h"
#include "jvm/setup.h"
#include "jvm/thread_mxbean_natives.h"
#include "jvm/virtual_threads.h"

#include <stddef.h>

#define FORWARD "Its natives forward to the originals."

/* These words change, and natives are bound, only while the monitor of all copies is held (jvm/rebinding.h). */
static enum tclk_user user; /* who has asked last */
static bool prints_stats;

/* ---- the natives ---- */

/* Returns the bean of ManagementFactory, a local reference; or NULL. libmanagement.so and sun.management.ThreadImpl
 * are loaded by then. */
static jobject thread_mx_bean(JNIEnv *env)
{
    jclass factory = (*env)->FindClass(env, "java/lang/management/ManagementFactory");
    if (tclk_java_exception_cleared(env)) {
        return NULL;
    }
    jmethodID method =
        (*env)->GetStaticMethodID(env, factory, "getThreadMXBean", "()Ljava/lang/management/ThreadMXBean;");
    jobject bean = tclk_java_exception_cleared(env) ? NULL : (*env)->CallStaticObjectMethod(env, factory, method);
    bean = tclk_java_exception_cleared(env) ? NULL : bean;
    (*env)->DeleteLocalRef(env, factory);
    return bean;
}

static bool has_native(JNIEnv *env, jclass type)
{
    JNINativeMethod methods[TCLK_MXBEAN_NATIVES];
    tclk_mxbean_list(false, methods);
    jmethodID native =
        type == NULL ? NULL : (*env)->GetStaticMethodID(env, type, methods[0].name, methods[0].signature);
    return !tclk_java_exception_cleared(env) && native != NULL;
}

/* Finds the topmost class that still has the natives. It begins at the bean, and not at a name, because the caller's
 * class loader need not know the JDK's internal packages. */
static jclass declaring_class(JNIEnv *env, jobject bean)
{
    jclass type = (*env)->GetObjectClass(env, bean);
    jclass above = (*env)->GetSuperclass(env, type);
    while (has_native(env, above)) {
        (*env)->DeleteLocalRef(env, type);
        type = above;
        above = (*env)->GetSuperclass(env, type);
    }
    (*env)->DeleteLocalRef(env, above);
    if (!has_native(env, type)) {
        (*env)->DeleteLocalRef(env, type);
        return NULL;
    }
    return type;
}

/* Returns a local reference to sun.management.ThreadImpl, once its natives' originals are known; else NULL. */
static jclass find_bean(JNIEnv *env, const char *consequence)
{
    jclass type = NULL;
    jobject bean = thread_mx_bean(env);
    if (bean != NULL && tclk_mxbean_find_originals()) {
        type = declaring_class(env, bean);
    }
    (*env)->DeleteLocalRef(env, bean);
    if (type == NULL) {
        tclk_message("sun.management.ThreadImpl and its natives are not in this JVM: it lacks the module "
                     "java.management, or has another one. %s",
                     consequence);
    }
    return type;
}

static bool bind_natives(JNIEnv *env, jclass type, bool ours)
{
    JNINativeMethod methods[TCLK_MXBEAN_NATIVES];
    tclk_mxbean_list(ours, methods);
    return tclk_rebind(env, type, methods, TCLK_MXBEAN_NATIVES) == 0;
}

static enum tclk_outcome bind_ours(JNIEnv *env)
{
    jclass type = find_bean(env, TCLK_UNCHANGED);
    if (type == NULL) {
        return TCLK_NOT_HOTSPOT;
    }
    bool bound = bind_natives(env, type, true);
    if (!bound) {
        bind_natives(env, type, false);
        tclk_message("RegisterNatives on sun.management.ThreadImpl refused. The originals are back. "
                     "Please report the JDK's version.");
    }
    (*env)->DeleteLocalRef(env, type);
    return bound ? TCLK_DONE : TCLK_REBINDING_REFUSED;
}

/* Our natives forward from now on, wherever they are still bound. */
static enum tclk_outcome bind_originals(JNIEnv *env)
{
    jclass type = find_bean(env, FORWARD);
    if (type == NULL) {
        return TCLK_NOT_HOTSPOT;
    }
    bool bound = bind_natives(env, type, false);
    if (!bound) {
        tclk_message("RegisterNatives on sun.management.ThreadImpl refused. The agent's natives stay, "
                     "and forward to the originals. Please report the JDK's version.");
    }
    (*env)->DeleteLocalRef(env, type);
    return bound ? TCLK_DONE : TCLK_REBINDING_REFUSED;
}

/* ---- attaching and detaching ---- */

/* Without options, the clock keeps its settings. */
static enum tclk_outcome configure(const struct tclk_agent_options *options)
{
    if (options == NULL) {
        return TCLK_DONE;
    }
    if (!tclk_setup_clock(options, TCLK_UNCHANGED)) {
        return TCLK_SOURCE_REFUSED;
    }
    prints_stats = options->stats;
    return TCLK_DONE;
}

/* Our natives forward until all of them are bound; only then do they serve. On a JDK whose Thread has other fields,
 * the calling thread's times are served all the same. */
static enum tclk_outcome begin(JNIEnv *env, const struct tclk_agent_options *options)
{
    if (!tclk_setup_alone("Detach that one first.")) {
        return TCLK_OTHER_COPY;
    }
    if (!tclk_setup_jdk(env, TCLK_UNCHANGED)) {
        return TCLK_JDK_AWAY;
    }
    enum tclk_outcome outcome = configure(options);
    if (outcome == TCLK_DONE) {
        outcome = bind_ours(env);
    }
    if (outcome != TCLK_DONE) {
        return outcome;
    }
    tclk_java_thread_setup(env);
    tclk_mxbean_set_ours(true);
    tclk_setup_in_use(true);
    tclk_discovery_run(env);
    return TCLK_DONE;
}

static enum tclk_outcome withdraw(JNIEnv *env)
{
    tclk_mxbean_set_ours(false);
    enum tclk_outcome outcome = tclk_setup_jdk(env, FORWARD) ? bind_originals(env) : TCLK_JDK_AWAY;
    tclk_setup_in_use(false);
    return outcome;
}

static enum tclk_outcome end(JNIEnv *env)
{
    if (!tclk_mxbean_is_ours()) {
        tclk_message("detach: this copy is not attached. " TCLK_UNCHANGED);
        return TCLK_NOT_ATTACHED;
    }
    tclk_virtual_threads_leave(env);
    enum tclk_outcome outcome = withdraw(env);
    if (prints_stats) {
        tclk_setup_print_stats();
    }
    return outcome;
}

/* ---- one copy at a time ---- */

static void say_refused(void)
{
    tclk_message("RegisterNatives on sun.management.ThreadImpl refused: the boot loader takes no "
                 "class of this agent. " TCLK_UNCHANGED);
}

enum tclk_outcome tclk_attachment_enter(JNIEnv *env)
{
    if (!tclk_setup_vm(TCLK_UNCHANGED)) {
        return TCLK_NOT_HOTSPOT;
    }
    if (!tclk_setup_memory(TCLK_UNCHANGED)) {
        return TCLK_NO_MEMORY;
    }
    if (!tclk_rebinding_enter(env)) {
        say_refused();
        return TCLK_REBINDING_REFUSED;
    }
    return TCLK_DONE;
}

void tclk_attachment_leave(JNIEnv *env)
{
    tclk_rebinding_leave(env);
}

/* Without the option, virtual threads are not measured any more. */
static enum tclk_outcome change_options(JNIEnv *env, const struct tclk_agent_options *options)
{
    bool stays = options->measures_virtual;
    bool was = tclk_virtual_threads_are_measured();
    if (stays && !tclk_virtual_threads_measure(env, TCLK_UNCHANGED)) {
        return TCLK_VIRTUAL_REFUSED;
    }
    enum tclk_outcome outcome = configure(options);
    if (outcome == TCLK_DONE ? !stays : !was) {
        tclk_virtual_threads_leave(env);
    }
    return outcome;
}

/* Virtual threads come last, because a JVMTI environment cannot be taken back. */
static enum tclk_outcome begin_with(JNIEnv *env, const struct tclk_agent_options *options)
{
    enum tclk_outcome outcome = begin(env, options);
    if (outcome != TCLK_DONE) {
        return outcome;
    }
    if (!options->measures_virtual) {
        tclk_virtual_threads_leave(env);
    } else if (!tclk_virtual_threads_measure(env, TCLK_UNCHANGED)) {
        withdraw(env);
        return TCLK_VIRTUAL_REFUSED;
    }
    return outcome;
}

static enum tclk_outcome attach_alone(JNIEnv *env, const struct tclk_agent_options *options)
{
    enum tclk_outcome outcome = tclk_mxbean_is_ours() ? change_options(env, options) : begin_with(env, options);
    user = outcome == TCLK_DONE ? TCLK_USER_AGENT : user;
    return outcome;
}

enum tclk_outcome tclk_attach(JNIEnv *env, const struct tclk_agent_options *options)
{
    enum tclk_outcome outcome = tclk_attachment_enter(env);
    if (outcome == TCLK_DONE) {
        outcome = attach_alone(env, options);
        tclk_attachment_leave(env);
    }
    return outcome;
}

enum tclk_outcome tclk_detach(JNIEnv *env)
{
    enum tclk_outcome outcome = tclk_attachment_enter(env);
    if (outcome == TCLK_DONE) {
        outcome = end(env);
        tclk_attachment_leave(env);
    }
    return outcome;
}

static enum tclk_outcome attach_alone_for_program(JNIEnv *env)
{
    if (tclk_mxbean_is_ours()) {
        return TCLK_ATTACHED_ALREADY;
    }
    enum tclk_outcome outcome = begin(env, NULL);
    user = outcome == TCLK_DONE ? TCLK_USER_PROGRAM : user;
    return outcome;
}

enum tclk_outcome tclk_attach_for_program(JNIEnv *env)
{
    enum tclk_outcome outcome = tclk_attachment_enter(env);
    if (outcome == TCLK_DONE) {
        outcome = attach_alone_for_program(env);
        tclk_attachment_leave(env);
    }
    return outcome;
}

static bool is_for_program(void)
{
    return tclk_mxbean_is_ours() && user == TCLK_USER_PROGRAM;
}

/* If this copy does not serve, there is nothing to wait for. */
enum tclk_outcome tclk_detach_for_program(JNIEnv *env)
{
    enum tclk_outcome outcome = tclk_mxbean_is_ours() ? tclk_attachment_enter(env) : TCLK_NOT_ATTACHED;
    if (outcome == TCLK_DONE) {
        outcome = is_for_program() ? end(env) : TCLK_NOT_ATTACHED;
        tclk_attachment_leave(env);
    }
    return outcome;
}

bool tclk_attached_for_program(JNIEnv *env)
{
    if (!tclk_mxbean_is_ours() || !tclk_rebinding_enter(env)) {
        return false;
    }
    bool is_so = is_for_program();
    tclk_attachment_leave(env);
    return is_so;
}
