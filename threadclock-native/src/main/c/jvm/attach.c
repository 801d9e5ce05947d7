/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The agent in a JVM that is running already. The options are those of -agentpath, "detach", or "measure".
 */

#include "jvm/attachment.h"
#include "jvm/copies.h"
#include "jvm/measurement.h"
#include "jvm/message.h"
#include "jvm/setup.h"

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

JNIEXPORT jint JNICALL Agent_OnAttach(JavaVM *vm, char *text, void *reserved)
{
    JNIEnv *env;
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
    bool detaches = text != NULL && strcmp(text, "detach") == 0;
    return (jint)(detaches ? tclk_detach(env) : attach(env, text));
}
