/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/carriers.h"

#include "jvm/java_thread.h"

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define CARRIER "jdk.internal.misc.CarrierThread"

/* Compares the name, because FindClass would initialize the class. */
static bool is_named(JNIEnv *env, jclass type, jmethodID get_name, const char *name)
{
    jstring its_name = (*env)->CallObjectMethod(env, type, get_name);
    if (tclk_java_exception_cleared(env) || its_name == NULL) {
        return false;
    }
    const char *text = (*env)->GetStringUTFChars(env, its_name, NULL);
    bool is = text != NULL && strcmp(text, name) == 0;
    if (text != NULL) {
        (*env)->ReleaseStringUTFChars(env, its_name, text);
    }
    tclk_java_exception_cleared(env);
    (*env)->DeleteLocalRef(env, its_name);
    return is;
}

/* Local references, and what has been found. */
struct search {
    jmethodID get_name;
    jmethodID get_pool;
    jclass carrier; /* NULL: not seen yet */
    jclass another; /* most threads have the same class as the one before */
    jobject pools[TCLK_CARRIERS_MAX];
    int64_t *thread_ids;
    int count;
};

static bool is_carrier(JNIEnv *env, struct search *search, jobject thread)
{
    jclass type = (*env)->GetObjectClass(env, thread);
    bool is = search->carrier != NULL && (*env)->IsSameObject(env, type, search->carrier);
    bool is_known = is || (search->another != NULL && (*env)->IsSameObject(env, type, search->another));
    if (!is_known && is_named(env, type, search->get_name, CARRIER)) {
        search->carrier = type;
        search->get_pool = (*env)->GetMethodID(env, type, "getPool", "()Ljava/util/concurrent/ForkJoinPool;");
        return !tclk_java_exception_cleared(env);
    }
    (*env)->DeleteLocalRef(env, is_known ? type : search->another);
    search->another = is_known ? search->another : type;
    return is && search->get_pool != NULL;
}

static void add_if_new(JNIEnv *env, struct search *search, jobject carrier)
{
    jobject pool = (*env)->CallObjectMethod(env, carrier, search->get_pool);
    bool is_new = !tclk_java_exception_cleared(env);
    for (int i = 0; i < search->count; i++) {
        is_new &= !(*env)->IsSameObject(env, pool, search->pools[i]);
    }
    if (!is_new) {
        (*env)->DeleteLocalRef(env, pool);
        return;
    }
    search->pools[search->count] = pool;
    search->thread_ids[search->count++] = tclk_java_thread_id(env, carrier);
}

static void find(JNIEnv *env, struct search *search, jobjectArray all)
{
    jsize count = (*env)->GetArrayLength(env, all);
    for (jsize i = 0; i < count && search->count < TCLK_CARRIERS_MAX; i++) {
        jobject thread = (*env)->GetObjectArrayElement(env, all, i);
        if (tclk_java_exception_cleared(env) || thread == NULL) {
            continue;
        }
        if (is_carrier(env, search, thread)) {
            add_if_new(env, search, thread);
        }
        (*env)->DeleteLocalRef(env, thread);
    }
}

static jmethodID name_of_class(JNIEnv *env)
{
    jclass type = (*env)->FindClass(env, "java/lang/Class");
    if (tclk_java_exception_cleared(env) || type == NULL) {
        return NULL;
    }
    jmethodID get_name = (*env)->GetMethodID(env, type, "getName", "()Ljava/lang/String;");
    (*env)->DeleteLocalRef(env, type);
    return tclk_java_exception_cleared(env) ? NULL : get_name;
}

void tclk_carriers_find(JNIEnv *env, int64_t thread_ids[TCLK_CARRIERS_MAX])
{
    struct search search = {.thread_ids = thread_ids};
    if ((*env)->PushLocalFrame(env, 2 * TCLK_CARRIERS_MAX) != 0) {
        tclk_java_exception_cleared(env);
        return;
    }
    search.get_name = name_of_class(env);
    jobjectArray all = search.get_name == NULL ? NULL : tclk_java_thread_all(env);
    if (all != NULL) {
        find(env, &search, all);
    }
    (*env)->PopLocalFrame(env, NULL);
}
