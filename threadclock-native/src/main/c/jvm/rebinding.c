/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/rebinding.h"

#include "jvm/class_file.h"
#include "jvm/java_thread.h"

#include <stddef.h>

#define REBINDING "io/threadclock/agent/Rebinding"
#define BIND "bind"
#define REBIND "rebind"

/* What bind() binds. */
static struct {
    jclass type;
    const JNINativeMethod *methods;
    jint count;
} wanted;

static jclass rebinding; /* a global reference */

static jint JNICALL bind(JNIEnv *env, jclass type)
{
    (void)type;
    return (*env)->RegisterNatives(env, wanted.type, wanted.methods, wanted.count);
}

/* The boot loader has one already if another copy of this library has been attached before. */
static jclass define(JNIEnv *env)
{
    unsigned char bytes[TCLK_CLASS_FILE_MAX];
    size_t length = tclk_class_file_of_caller(REBINDING, REBIND, BIND, bytes);
    jclass type = (*env)->DefineClass(env, REBINDING, NULL, (const jbyte *)bytes, (jsize)length);
    if (tclk_java_exception_cleared(env) || type == NULL) {
        type = (*env)->FindClass(env, REBINDING);
        return tclk_java_exception_cleared(env) ? NULL : type;
    }
    return type;
}

static jclass ensure_class(JNIEnv *env)
{
    if (rebinding == NULL) {
        jclass type = define(env);
        rebinding = type == NULL ? NULL : (*env)->NewGlobalRef(env, type);
        (*env)->DeleteLocalRef(env, type);
    }
    return rebinding;
}

/* Its native may be another copy's; from now on it is ours. */
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
    jclass caller = ensure_class(env);
    jmethodID method = caller == NULL ? NULL : ensure_method(env, caller);
    if (method == NULL) {
        return -1;
    }
    wanted.type = type;
    wanted.methods = methods;
    wanted.count = count;
    jint result = (*env)->CallStaticIntMethod(env, caller, method);
    return tclk_java_exception_cleared(env) || result != 0 ? -1 : 0;
}
