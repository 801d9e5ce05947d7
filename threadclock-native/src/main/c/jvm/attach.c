/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The agent in a JVM that is running already. The options are those of -agentpath, or "detach", "measure", "view" or "names".
 */

#include "jvm/attachment.h"
#include "jvm/copies.h"
#include "jvm/measurement.h"
#include "jvm/message.h"
#include "jvm/setup.h"
#include "jvm/status_pages.h"
#include "jvm/thread_impl.h"
#include "jvm/viewing.h"

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

/* The view too, which may have been all that there was. */
static enum tclk_outcome detach(JNIEnv *env)
{
    bool there_was_a_view = tclk_viewing_end();
    return there_was_a_view && !tclk_thread_impl_serves() ? TCLK_DONE : tclk_detach(env);
}

static enum tclk_outcome act(JNIEnv *env, const char *text)
{
    if (text != NULL && strcmp(text, "detach") == 0) {
        return detach(env);
    }
    if (text != NULL && strcmp(text, "view") == 0) {
        return tclk_viewing_begin(env);
    }
    if (text != NULL && strcmp(text, "names") == 0) {
        return tclk_viewing_name(env);
    }
    return attach(env, text);
}

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *text, void *reserved)
{
    JNIEnv *env;
    tclk_status_pages_tell_loaded();
    tclk_on_attach instead = tclk_library_copy_on_attach();
    if (instead != NULL) {
        return instead(vm, text, reserved);
    }
    if ((*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) != JNI_OK) {
        tclk_message(
            "Agent_OnAttach: the calling thread is not attached to the JVM. " TCLK_UNCHANGED);
        return TCLK_FAILED;
    }
    if (text != NULL && strcmp(text, "measure") == 0) {
        return tclk_measure(env);
    }
    return (jint)act(env, text);
}
