/* SPDX-License-Identifier: Apache-2.0 */

/* The natives of io.threadclock.NativeVirtualClocks. */
#include "jvm/handles.h"
#include "jvm/java_natives.h"
#include "jvm/java_thread.h"
#include "jvm/rebinding.h"
#include "jvm/virtual_clocks.h"

#include <jni.h>
#include <stddef.h>

JNIEXPORT jobject JNICALL Java_io_threadclock_NativeVirtualClocks_prepare(JNIEnv *env, jclass type,
                                                                          jobjectArray critical)
{
    jclass clocks = NULL;
    const char *refusal = "the boot loader takes no class of this library";
    (void)type;
    if (tclk_rebinding_enter(env)) {
        refusal = tclk_virtual_clocks_define(env, critical, &clocks);
        tclk_rebinding_leave(env);
    }
    return refusal == NULL ? clocks : (*env)->NewStringUTF(env, refusal);
}

#define CONTAINERS "jdk/internal/vm/ThreadContainers"
#define CONTAINER "jdk/internal/vm/ThreadContainer"

/* JDK 21 to 28 have them, for thread dumps. */
JNIEXPORT jobjectArray JNICALL Java_io_threadclock_NativeVirtualClocks_containerHandles(JNIEnv *env, jclass type)
{
    static const struct tclk_method methods[] = {
        {CONTAINERS, "root", "()L" CONTAINER ";", JNI_TRUE},
        {CONTAINER, "children", "()Ljava/util/stream/Stream;", JNI_FALSE},
        {CONTAINER, "threads", "()Ljava/util/stream/Stream;", JNI_FALSE},
    };
    (void)type;
    return tclk_handles_of(env, methods, sizeof methods / sizeof methods[0]);
}
