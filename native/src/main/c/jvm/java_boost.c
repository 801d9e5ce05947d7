/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The natives of io.threadclock.ThreadMXBeanBoost: the program itself makes ThreadMXBean fast.
 */

#include "jvm/attachment.h"
#include "jvm/java_natives.h"
#include "jvm/java_thread.h"
#include "jvm/message.h"

#include <jni.h>
#include <stdbool.h>

#define MESSAGE_MAX_BYTES 512

void tclk_java_refuse(JNIEnv *env, const char *message)
{
    jclass type = (*env)->FindClass(env, "java/lang/IllegalStateException");
    if (type != NULL) {
        (*env)->ThrowNew(env, type, message);
    }
}

/* Messages go into an exception, because a library does not write to a program's stderr. */
static bool succeeds(JNIEnv *env, enum tclk_outcome (*action)(JNIEnv *))
{
    char message[MESSAGE_MAX_BYTES] = "";
    tclk_message_into(message, sizeof message);
    enum tclk_outcome outcome = action(env);
    tclk_message_into(NULL, 0);
    switch (outcome) {
    case TCLK_DONE:
        return true;
    case TCLK_ATTACHED_ALREADY:
    case TCLK_OTHER_COPY:
    case TCLK_NOT_ATTACHED:
        return false;
    default:
        tclk_java_refuse(env, message);
        return false;
    }
}

JNIEXPORT jboolean JNICALL Java_io_threadclock_ThreadMXBeanBoost_attach(JNIEnv *env, jclass type)
{
    (void)type;
    return succeeds(env, tclk_attach_for_program);
}

JNIEXPORT jboolean JNICALL Java_io_threadclock_ThreadMXBeanBoost_detach(JNIEnv *env, jclass type)
{
    (void)type;
    return succeeds(env, tclk_detach_for_program);
}

JNIEXPORT jboolean JNICALL Java_io_threadclock_ThreadMXBeanBoost_isAttached(JNIEnv *env, jclass type)
{
    (void)type;
    return tclk_attached_for_program(env);
}
