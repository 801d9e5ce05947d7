/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/virtual_thread_names.h"

#include "jvm/java_thread.h"
#include "serve/virtual_pools.h"

#include <stddef.h>

#define LOOKUP "java/lang/invoke/MethodHandles$Lookup"
#define FIELD "arg$1"
#define TYPE "Ljava/lang/VirtualThread;"

jobject tclk_java_trusted_lookup(JNIEnv *env, jclass lookup_type)
{
    jfieldID field = (*env)->GetStaticFieldID(env, lookup_type, "IMPL_LOOKUP", "L" LOOKUP ";");
    if (tclk_java_exception_cleared(env)) {
        return NULL;
    }
    return (*env)->GetStaticObjectField(env, lookup_type, field);
}

static jobject reflected_field(JNIEnv *env, jclass runnable)
{
    jfieldID field = (*env)->GetFieldID(env, runnable, FIELD, TYPE);
    if (tclk_java_exception_cleared(env)) {
        return NULL;
    }
    jobject reflected = (*env)->ToReflectedField(env, runnable, field, JNI_FALSE);
    return tclk_java_exception_cleared(env) ? NULL : reflected;
}

static jobject unreflect(JNIEnv *env, jclass lookup_type, jobject lookup, jobject field)
{
    jmethodID getter =
        (*env)->GetMethodID(env, lookup_type, "unreflectGetter",
                            "(Ljava/lang/reflect/Field;)Ljava/lang/invoke/MethodHandle;");
    if (tclk_java_exception_cleared(env)) {
        return NULL;
    }
    jobject handle = (*env)->CallObjectMethod(env, lookup, getter, field);
    return tclk_java_exception_cleared(env) ? NULL : handle;
}

jobject tclk_java_thread_getter(JNIEnv *env, jclass runnable)
{
    jobject field = reflected_field(env, runnable);
    jclass lookup_type = field == NULL ? NULL : (*env)->FindClass(env, LOOKUP);
    if (tclk_java_exception_cleared(env) || lookup_type == NULL) {
        return NULL;
    }
    jobject lookup = tclk_java_trusted_lookup(env, lookup_type);
    return lookup == NULL ? NULL : unreflect(env, lookup_type, lookup, field);
}

jint tclk_java_pool_named(JNIEnv *env, jstring name)
{
    const char *text = (*env)->GetStringUTFChars(env, name, NULL);
    if (text == NULL) {
        tclk_java_exception_cleared(env);
        return TCLK_POOL_OTHERS;
    }
    jint pool = (jint)tclk_pool_named(text);
    (*env)->ReleaseStringUTFChars(env, name, text);
    return pool;
}
