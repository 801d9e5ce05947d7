/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The agent: -agentpath:/…/libthreadclock.so[=options]. Whatever goes wrong here is one line on
 * stderr, and the JVM runs on as if the agent were not there.
 */

#include "clock/source.h"
#include "include/threadclock.h"
#include "jvm/copies.h"
#include "jvm/options.h"
#include "jvm/thread_impl.h"

#include <errno.h>
#include <jvmti.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LINE_MAX_BYTES 512
#define OPTION_MAX_BYTES 64

static bool loaded;

/* One line, by one write(2): other threads' output does not get between. */
__attribute__((format(printf, 1, 2))) static void say(const char *format, ...)
{
    char line[LINE_MAX_BYTES] = "threadclock: ";
    size_t used = strlen(line);
    va_list arguments;
    va_start(arguments, format);
    int n = vsnprintf(line + used, sizeof line - used - 1, format, arguments);
    va_end(arguments);
    used += n < 0 ? 0 : (size_t)n;
    used = used > sizeof line - 2 ? sizeof line - 2 : used;
    line[used] = '\n';
    ssize_t written = write(STDERR_FILENO, line, used + 1);
    (void)written; /* nowhere to tell that the telling failed */
}

static void print_stats(void)
{
    struct tclk_stats s;
    tclk_clock_stats(&s);
    say("source %s", tclk_source_name(tclk_clock_source()));
    say("reads %llu", (unsigned long long)s.reads);
    say("resyncs first %llu, switch %llu, window %llu, ahead %llu, overlap %llu, unarmed %llu",
        (unsigned long long)s.resyncs_first, (unsigned long long)s.resyncs_switch,
        (unsigned long long)s.resyncs_window, (unsigned long long)s.resyncs_ahead,
        (unsigned long long)s.resyncs_overlap, (unsigned long long)s.resyncs_unarmed);
    say("markers lost %llu", (unsigned long long)s.lost);
    say("demotions %llu, threads now %llu", (unsigned long long)s.demotions,
        (unsigned long long)s.threads);
}

static void JNICALL on_vm_death(jvmtiEnv *jvmti, JNIEnv *jni)
{
    (void)jvmti;
    (void)jni;
    print_stats();
}

static bool is_of_thread_impl(jvmtiEnv *jvmti, jmethodID method)
{
    jclass type;
    char *signature = NULL;
    if ((*jvmti)->GetMethodDeclaringClass(jvmti, method, &type) != JVMTI_ERROR_NONE ||
        (*jvmti)->GetClassSignature(jvmti, type, &signature, NULL) != JVMTI_ERROR_NONE) {
        return false;
    }
    bool matches = strcmp(signature, TCLK_THREAD_IMPL_CLASS) == 0;
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
    return matches;
}

/* The name first: of the hundreds of natives that a JVM binds nearly all differ there. */
static void JNICALL on_native_method_bind(jvmtiEnv *jvmti, JNIEnv *jni, jthread thread,
                                          jmethodID method, void *address, void **new_address)
{
    char *name = NULL;
    char *signature = NULL;
    (void)jni;
    (void)thread;
    if ((*jvmti)->GetMethodName(jvmti, method, &name, &signature, NULL) != JVMTI_ERROR_NONE) {
        return;
    }
    if (tclk_thread_impl_is_replaced(name, signature) && is_of_thread_impl(jvmti, method)) {
        *new_address = tclk_thread_impl_replacement(name, signature, address);
    }
    (*jvmti)->Deallocate(jvmti, (unsigned char *)name);
    (*jvmti)->Deallocate(jvmti, (unsigned char *)signature);
}

static bool is_taken_by_other_copy(void)
{
    char path[256];
    if (!tclk_agent_other_copy(path, sizeof path)) {
        return false;
    }
    say("another copy has this JVM already: %s. This one stays out. Give -agentpath once.", path);
    return true;
}

static bool start_clock(const struct tclk_config *config)
{
    char reason[256];
    int error = tclk_clock_configure(config);
    if (error == 0) {
        return true;
    }
    enum tclk_source refused =
        config->source == TCLK_SOURCE_AUTO ? TCLK_SOURCE_CLOCK : config->source;
    tclk_source_explain(refused, reason, sizeof reason);
    say("source %s refused: %s. Give source=auto. The JVM runs without threadclock.",
        tclk_source_name(config->source), error == -ENOTSUP ? reason : strerror(-error));
    return false;
}

static jvmtiError enable_events(jvmtiEnv *jvmti, bool stats)
{
    jvmtiCapabilities wanted = {.can_generate_native_method_bind_events = 1};
    jvmtiEventCallbacks callbacks = {
        .NativeMethodBind = on_native_method_bind,
        .VMDeath = on_vm_death,
    };
    jvmtiError error = (*jvmti)->AddCapabilities(jvmti, &wanted);
    if (error == JVMTI_ERROR_NONE) {
        error = (*jvmti)->SetEventCallbacks(jvmti, &callbacks, sizeof callbacks);
    }
    if (error == JVMTI_ERROR_NONE && stats) {
        error = (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE, JVMTI_EVENT_VM_DEATH, NULL);
    }
    if (error == JVMTI_ERROR_NONE) {
        error = (*jvmti)->SetEventNotificationMode(jvmti, JVMTI_ENABLE,
                                                   JVMTI_EVENT_NATIVE_METHOD_BIND, NULL);
    }
    return error;
}

static bool start_agent(jvmtiEnv *jvmti, const struct tclk_agent_options *options)
{
    if (is_taken_by_other_copy() || !start_clock(&options->config)) {
        return false;
    }
    jvmtiError error = enable_events(jvmti, options->stats);
    if (error != JVMTI_ERROR_NONE) {
        say("JVMTI refused NativeMethodBind events: error %d. The JVM runs without threadclock.",
            (int)error);
        return false;
    }
    tclk_source_announce_demotions(true);
    tclk_agent_set_active();
    return true;
}

static void load(JavaVM *vm, const char *text)
{
    struct tclk_agent_options options;
    char wrong[OPTION_MAX_BYTES];
    jvmtiEnv *jvmti;
    if (loaded) {
        say("loaded already; the second -agentpath changes nothing. Give it once.");
        return;
    }
    if (!tclk_options_parse(text, &options, wrong, sizeof wrong)) {
        say("unknown option \"%s\"; known are " TCLK_OPTIONS_KNOWN
            ". The JVM runs without threadclock.",
            wrong);
        return;
    }
    if ((*vm)->GetEnv(vm, (void **)&jvmti, JVMTI_VERSION_1_2) != JNI_OK) {
        say("this JVM has no JVMTI 1.2. It runs without threadclock.");
        return;
    }
    loaded = start_agent(jvmti, &options);
    if (!loaded) {
        (*jvmti)->DisposeEnvironment(jvmti);
    }
}

/* Never anything but JNI_OK: the JVM would end. */
JNIEXPORT jint JNICALL Agent_OnLoad(JavaVM *vm, char *options, void *reserved)
{
    (void)reserved;
    load(vm, options);
    return JNI_OK;
}
