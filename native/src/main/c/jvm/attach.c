/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The agent in a JVM that runs already. The options are those of -agentpath, or "detach", "view" or "names".
 */

#include "jvm/attachment.h"
#include "jvm/copies.h"
#include "jvm/message.h"
#include "jvm/serving.h"
#include "jvm/setup.h"
#include "jvm/status_pages.h"
#include "jvm/thread_mxbean_natives.h"

#include <jvmti.h> /* Agent_OnAttach */
#include <stddef.h>
#include <string.h>

static enum tclk_outcome attach(JNIEnv *env, const char *text)
{
    struct tclk_agent_options options;
    if (!tclk_setup_options(text, &options, TCLK_UNCHANGED)) {
        return TCLK_UNKNOWN_OPTION;
    }
    return tclk_attach(env, &options);
}

/* Stops the server, too, which may be all that there is. */
static enum tclk_outcome detach(JNIEnv *env)
{
    bool there_was_a_server = tclk_serving_end();
    return there_was_a_server && !tclk_mxbean_is_ours() ? TCLK_DONE : tclk_detach(env);
}

static bool is(const char *text, const char *word)
{
    return text != NULL && strcmp(text, word) == 0;
}

static jint act(JNIEnv *env, const char *text)
{
    if (is(text, "detach")) {
        return (jint)detach(env);
    }
    if (is(text, "view")) {
        return tclk_serving_begin(env);
    }
    if (is(text, "names")) {
        return (jint)tclk_serving_name(env);
    }
    return (jint)attach(env, text);
}

static jint act_by_copy(JavaVM *vm, JNIEnv *env, char *text, void *reserved)
{
    tclk_on_attach instead = tclk_copies_on_attach(text);
    return instead != NULL ? instead(vm, text, reserved) : act(env, text);
}

/* The options that leave ThreadMXBean as it is wait for nobody. */
static bool leaves_natives(const char *text)
{
    return is(text, "view") || is(text, "names");
}

/* Chooses the copy that acts when no other copy can begin any more. */
JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *text, void *reserved)
{
    JNIEnv *env;
    tclk_status_pages_tell_loaded();
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) != JNI_OK) {
        tclk_message("Agent_OnAttach: the calling thread is not attached to the JVM. " TCLK_UNCHANGED);
        return TCLK_FAILED;
    }
    if (leaves_natives(text)) {
        return act_by_copy(vm, env, text, reserved);
    }
    enum tclk_outcome outcome = tclk_attachment_enter(env);
    if (outcome != TCLK_DONE) {
        return (jint)outcome;
    }
    jint answer = act_by_copy(vm, env, text, reserved);
    tclk_attachment_leave(env);
    return answer;
}
