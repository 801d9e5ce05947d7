/* SPDX-License-Identifier: Apache-2.0 */

/* The natives of io.threadclock.NativeAccounts. */
#include "jvm/accounts.h"
#include "jvm/handles.h"
#include "jvm/java_natives.h"
#include "jvm/java_thread.h"
#include "jvm/rebinding.h"

#include <jni.h>
#include <stddef.h>

JNIEXPORT jobject JNICALL Java_io_threadclock_NativeAccounts_prepare(JNIEnv *env, jclass type, jobjectArray critical)
{
    jclass accounts = NULL;
    const char *refusal = "the boot loader takes no class of this library";
    (void)type;
    if (tclk_rebinding_enter(env)) {
        refusal = tclk_accounts_define(env, critical, &accounts);
        tclk_rebinding_leave(env);
    }
    return refusal == NULL ? accounts : (*env)->NewStringUTF(env, refusal);
}

#define CONTAINERS "jdk/internal/vm/ThreadContainers"
#define CONTAINER "jdk/internal/vm/ThreadContainer"

/* JDK 21 to 28 have them, for thread dumps. */
JNIEXPORT jobjectArray JNICALL Java_io_threadclock_NativeAccounts_containerHandles(JNIEnv *env, jclass type)
{
    static const struct tclk_method methods[] = {
        {CONTAINERS, "root", "()L" CONTAINER ";", JNI_TRUE},
        {CONTAINER, "children", "()Ljava/util/stream/Stream;", JNI_FALSE},
        {CONTAINER, "threads", "()Ljava/util/stream/Stream;", JNI_FALSE},
    };
    (void)type;
    return tclk_handles_of(env, methods, sizeof methods / sizeof methods[0]);
}
