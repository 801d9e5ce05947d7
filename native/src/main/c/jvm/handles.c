/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/handles.h"

#include "jvm/java_thread.h"

#include <stdbool.h>
#include <stddef.h>

#define LOOKUP "java/lang/invoke/MethodHandles$Lookup"

static jclass find_class(JNIEnv *env, const char *name)
{
    jclass type = (*env)->FindClass(env, name);
    return tclk_java_exception_cleared(env) ? NULL : type;
}

/* The lookup may access every member, so it must not get to Java code. */
static jobject unreflect(JNIEnv *env, const char *name, const char *signature, jobject member)
{
    jclass type = find_class(env, LOOKUP);
    jfieldID trusted = type == NULL ? NULL : (*env)->GetStaticFieldID(env, type, "IMPL_LOOKUP", "L" LOOKUP ";");
    jmethodID method = trusted == NULL ? NULL : (*env)->GetMethodID(env, type, name, signature);
    if (tclk_java_exception_cleared(env) || method == NULL) {
        return NULL;
    }
    jobject lookup = (*env)->GetStaticObjectField(env, type, trusted);
    jobject handle = (*env)->CallObjectMethod(env, lookup, method, member);
    (*env)->DeleteLocalRef(env, lookup);
    return tclk_java_exception_cleared(env) ? NULL : handle;
}

jobject tclk_handle_of_getter(JNIEnv *env, jclass type, const char *name, const char *signature)
{
    jfieldID field = (*env)->GetFieldID(env, type, name, signature);
    if (tclk_java_exception_cleared(env)) {
        return NULL;
    }
    jobject reflected = (*env)->ToReflectedField(env, type, field, JNI_FALSE);
    if (tclk_java_exception_cleared(env) || reflected == NULL) {
        return NULL;
    }
    return unreflect(env, "unreflectGetter", "(Ljava/lang/reflect/Field;)Ljava/lang/invoke/MethodHandle;", reflected);
}

static jobject reflect(JNIEnv *env, const struct tclk_method *of)
{
    jclass type = find_class(env, of->type);
    if (type == NULL) {
        return NULL;
    }
    jmethodID method = of->is_static ? (*env)->GetStaticMethodID(env, type, of->name, of->signature)
                                     : (*env)->GetMethodID(env, type, of->name, of->signature);
    jobject reflected =
        tclk_java_exception_cleared(env) ? NULL : (*env)->ToReflectedMethod(env, type, method, of->is_static);
    return tclk_java_exception_cleared(env) ? NULL : reflected;
}

static bool unreflect_all(JNIEnv *env, const struct tclk_method *methods, jobjectArray handles)
{
    jsize count = (*env)->GetArrayLength(env, handles);
    for (jsize i = 0; i < count; i++) {
        jobject method = reflect(env, &methods[i]);
        jobject handle =
            method == NULL
                ? NULL
                : unreflect(env, "unreflect", "(Ljava/lang/reflect/Method;)Ljava/lang/invoke/MethodHandle;", method);
        if (handle == NULL) {
            return false;
        }
        (*env)->SetObjectArrayElement(env, handles, i, handle);
    }
    return true;
}

jobjectArray tclk_handles_of(JNIEnv *env, const struct tclk_method *methods, jsize count)
{
    jclass type = find_class(env, "java/lang/invoke/MethodHandle");
    jobjectArray handles = type == NULL ? NULL : (*env)->NewObjectArray(env, count, type, NULL);
    bool has_all = !tclk_java_exception_cleared(env) && handles != NULL && unreflect_all(env, methods, handles);
    return has_all ? handles : NULL;
}
