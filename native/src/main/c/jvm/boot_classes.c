/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/boot_classes.h"

#include "jvm/java_thread.h"

#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* Longer than any name that is asked for. */
#define NAME_BYTES 128

static jclass ask_boot_loader(JNIEnv *env, jclass type, jstring name)
{
    jmethodID for_name = (*env)->GetStaticMethodID(env, type, "forName",
                                                   "(Ljava/lang/String;ZLjava/lang/ClassLoader;)Ljava/lang/Class;");
    if (tclk_java_exception_cleared(env)) {
        return NULL;
    }
    jclass found = (*env)->CallStaticObjectMethod(env, type, for_name, name, JNI_FALSE, NULL);
    return tclk_java_exception_cleared(env) ? NULL : found;
}

jclass tclk_boot_class(JNIEnv *env, const char *name)
{
    char by_java[NAME_BYTES];
    (void)snprintf(by_java, sizeof by_java, "%s", name);
    for (char *c = strchr(by_java, '/'); c != NULL; c = strchr(c, '/')) {
        *c = '.';
    }
    jclass type = (*env)->FindClass(env, "java/lang/Class");
    jstring text = type == NULL ? NULL : (*env)->NewStringUTF(env, by_java);
    bool failed = tclk_java_exception_cleared(env) || text == NULL;
    jclass found = failed ? NULL : ask_boot_loader(env, type, text);
    (*env)->DeleteLocalRef(env, text);
    (*env)->DeleteLocalRef(env, type);
    return found;
}

jclass tclk_boot_class_define(JNIEnv *env, const struct tclk_boot_class *file)
{
    jclass type = (*env)->DefineClass(env, file->name, NULL, file->bytes, (jsize)file->length);
    return tclk_java_exception_cleared(env) || type == NULL ? tclk_boot_class(env, file->name) : type;
}

bool tclk_boot_classes_define(JNIEnv *env)
{
    for (const struct tclk_boot_class *file = tclk_boot_classes; file->name != NULL; file++) {
        jclass type = tclk_boot_class_define(env, file);
        if (type == NULL) {
            return false;
        }
        (*env)->DeleteLocalRef(env, type);
    }
    return true;
}
