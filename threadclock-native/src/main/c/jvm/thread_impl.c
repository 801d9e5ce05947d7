/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/thread_impl.h"

#include "include/threadclock.h"

#include <jni.h>
#include <string.h>

#define OF_THREAD "(J)J"

typedef jlong(JNICALL *of_thread)(JNIEnv *env, jclass type, jlong thread_id);

static of_thread original_cpu_time;
static of_thread original_user_time;

static jlong JNICALL cpu_time_of_thread(JNIEnv *env, jclass type, jlong thread_id)
{
    if (thread_id == 0) {
        int64_t cpu_ns = tclk_thread_cpu_ns();
        if (cpu_ns >= 0) {
            return cpu_ns;
        }
    }
    return original_cpu_time(env, type, thread_id);
}

static jlong JNICALL user_time_of_thread(JNIEnv *env, jclass type, jlong thread_id)
{
    if (thread_id == 0) {
        int64_t user_ns = tclk_thread_user_ns();
        if (user_ns >= 0) {
            return user_ns;
        }
    }
    return original_user_time(env, type, thread_id);
}

static struct {
    const char *name;
    of_thread ours;
    of_thread *original;
} const natives[] = {
    {"getThreadTotalCpuTime0", cpu_time_of_thread, &original_cpu_time},
    {"getThreadUserCpuTime0", user_time_of_thread, &original_user_time},
};

#define NATIVES (sizeof natives / sizeof natives[0])

bool tclk_thread_impl_is_replaced(const char *name, const char *signature)
{
    for (size_t i = 0; i < NATIVES; i++) {
        if (strcmp(name, natives[i].name) == 0) {
            return strcmp(signature, OF_THREAD) == 0;
        }
    }
    return false;
}

void *tclk_thread_impl_replacement(const char *name, const char *signature, void *original)
{
    for (size_t i = 0; i < NATIVES && strcmp(signature, OF_THREAD) == 0; i++) {
        if (strcmp(name, natives[i].name) == 0) {
            *natives[i].original = (of_thread)original;
            return (void *)natives[i].ours;
        }
    }
    return NULL;
}
