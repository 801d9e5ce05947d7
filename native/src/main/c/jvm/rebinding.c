/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/rebinding.h"

#include "jvm/boot_classes.h"
#include "jvm/java_thread.h"

#include <stddef.h>

#define BIND "bind"
#define REBIND "rebind"

/* The natives that bind() binds; set only while tclk_rebind() calls it. */
static struct {
    jclass type;
    const JNINativeMethod *methods;
    jint count;
} wanted;

static jclass rebinding; /* a global reference, which never changes once it is set */

static jint JNICALL bind(JNIEnv *env, jclass type)
{
    (void)type;
    return wanted.type == NULL ? JNI_ERR : (*env)->RegisterNatives(env, wanted.type, wanted.methods, wanted.count);
}

/* ---- the class ---- */

/* Nobody holds the monitor yet. If two threads do this at once, one of their references is kept. */
static jclass ensure_class(JNIEnv *env)
{
    jclass known = __atomic_load_n(&rebinding, __ATOMIC_ACQUIRE);
    if (known != NULL) {
        return known;
    }
    jclass type = tclk_boot_class_define(env, &tclk_boot_classes[0]);
    jclass made = type == NULL ? NULL : (*env)->NewGlobalRef(env, type);
    (*env)->DeleteLocalRef(env, type);
    if (made != NULL &&
        !__atomic_compare_exchange_n(&rebinding, &known, made, false, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        (*env)->DeleteGlobalRef(env, made);
        return known;
    }
    return made;
}

bool tclk_rebinding_enter(JNIEnv *env)
{
    jclass type = ensure_class(env);
    return type != NULL && (*env)->MonitorEnter(env, type) == JNI_OK;
}

void tclk_rebinding_leave(JNIEnv *env)
{
    (*env)->MonitorExit(env, rebinding);
}

/* ---- binding ---- */

/* The class's native may be another copy's; from now on it is ours. */
static jmethodID ensure_method(JNIEnv *env, jclass type)
{
    static const JNINativeMethod own[] = {{(char *)BIND, (char *)"()I", (void *)bind}};
    if ((*env)->RegisterNatives(env, type, own, 1) != 0 || tclk_java_exception_cleared(env)) {
        tclk_java_exception_cleared(env);
        return NULL;
    }
    jmethodID method = (*env)->GetStaticMethodID(env, type, REBIND, "()I");
    return tclk_java_exception_cleared(env) ? NULL : method;
}

int tclk_rebind(JNIEnv *env, jclass type, const JNINativeMethod *methods, jint count)
{
    jmethodID method = ensure_method(env, rebinding);
    if (method == NULL) {
        return -1;
    }
    wanted.methods = methods;
    wanted.count = count;
    wanted.type = type;
    jint result = (*env)->CallStaticIntMethod(env, rebinding, method);
    wanted.type = NULL;
    return tclk_java_exception_cleared(env) || result != 0 ? -1 : 0;
}
