/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/rebinding.h"

#include "jvm/java_thread.h"

#include <stddef.h>

#define REBINDING "io/threadclock/agent/Rebinding"
#define REBINDING_BY_JAVA "io.threadclock.agent.Rebinding"
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
    return wanted.type == NULL
               ? JNI_ERR
               : (*env)->RegisterNatives(env, wanted.type, wanted.methods, wanted.count);
}

/* ---- the class ---- */

static jclass ask_boot_loader(JNIEnv *env, jclass type, jstring name)
{
    jmethodID for_name = (*env)->GetStaticMethodID(
        env, type, "forName", "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
    if (tclk_java_exception_cleared(env)) {
        return NULL;
    }
    jclass found = (*env)->CallStaticObjectMethod(env, type, for_name, name, JNI_FALSE, NULL);
    return tclk_java_exception_cleared(env) ? NULL : found;
}

/* FindClass would ask the caller's class loader, which need not ask the boot loader. */
static jclass find(JNIEnv *env)
{
    jclass type = (*env)->FindClass(env, "java/lang/Class");
    jstring name = type == NULL ? NULL : (*env)->NewStringUTF(env, REBINDING_BY_JAVA);
    bool failed = tclk_java_exception_cleared(env) || name == NULL;
    jclass found = failed ? NULL : ask_boot_loader(env, type, name);
    (*env)->DeleteLocalRef(env, name);
    (*env)->DeleteLocalRef(env, type);
    return found;
}

/* defined in rebinding_class.S */
extern const jbyte tclk_rebinding_class[];
extern const jint tclk_rebinding_class_bytes;

/* The boot loader already has the class if another copy of this library has come first. */
static jclass define(JNIEnv *env)
{
    jclass type =
        (*env)->DefineClass(env, REBINDING, NULL, tclk_rebinding_class, tclk_rebinding_class_bytes);
    return tclk_java_exception_cleared(env) || type == NULL ? find(env) : type;
}

/* Nobody holds the monitor yet. If two threads do this at once, one of their references is kept. */
static jclass ensure_class(JNIEnv *env)
{
    jclass known = __atomic_load_n(&rebinding, __ATOMIC_ACQUIRE);
    if (known != NULL) {
        return known;
    }
    jclass type = define(env);
    jclass made = type == NULL ? NULL : (*env)->NewGlobalRef(env, type);
    (*env)->DeleteLocalRef(env, type);
    if (made != NULL && !__atomic_compare_exchange_n(&rebinding, &known, made, false,
                                                     __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
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
