/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/discovery.h"

#include "jvm/hotspot.h"
#include "jvm/java_thread.h"
#include "jvm/known_threads.h"
#include "kernel/raw_clock.h"
#include "kernel/tid.h"

/* After a run of 1 ms (1,000 new threads), the next one may begin in 20 ms. */
#define REST 20

static _Atomic enum tclk_discovery state;
static bool running;
static _Atomic int64_t rests_until_ns;

/* The result is right only if the thread lives now and has the same address afterwards. */
static pid_t tid_of(JNIEnv *env, jobject thread)
{
    jlong address = tclk_java_thread_address(env, thread);
    pid_t tid = address == 0 ? 0 : tclk_hotspot_tid_of(address);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return tclk_java_thread_address(env, thread) == address ? tid : 0;
}

/* A virtual thread has no address, but its carrier has. */
static void try_on_self(JNIEnv *env)
{
    jobject self = tclk_java_thread_carrier(env);
    if (self == NULL) {
        return;
    }
    if (tclk_java_thread_address(env, self) != 0) {
        state = tid_of(env, self) == tclk_tid_own() ? TCLK_DISCOVERY_WORKS : TCLK_DISCOVERY_REFUSED;
    }
    (*env)->DeleteLocalRef(env, self);
}

/* No tid counts before discovery has found the calling thread's. */
static bool works(JNIEnv *env)
{
    if (tclk_java_thread_setup(env) && state == TCLK_DISCOVERY_UNTRIED) {
        try_on_self(env);
    }
    return state == TCLK_DISCOVERY_WORKS;
}

static bool discover(JNIEnv *env, jobject thread)
{
    if (tclk_known_threads_have(tclk_java_thread_id(env, thread))) {
        return true;
    }
    int64_t before_ns = tclk_boot_clock_ns();
    pid_t tid = tid_of(env, thread);
    return tid > 0 && tclk_known_threads_add(env, thread, tid, before_ns);
}

static void discover_all(JNIEnv *env)
{
    jobjectArray all = tclk_java_thread_all(env);
    jsize count = all == NULL ? 0 : (*env)->GetArrayLength(env, all);
    for (jsize i = 0; i < count; i++) {
        jobject thread = (*env)->GetObjectArrayElement(env, all, i);
        if (tclk_java_exception_cleared(env) || thread == NULL) {
            continue;
        }
        discover(env, thread);
        (*env)->DeleteLocalRef(env, thread);
    }
    (*env)->DeleteLocalRef(env, all);
}

static bool run(JNIEnv *env)
{
    int64_t began_ns = tclk_boot_clock_ns();
    if (began_ns < rests_until_ns) {
        return false;
    }
    if (!works(env)) {
        return false;
    }
    discover_all(env);
    int64_t ended_ns = tclk_boot_clock_ns();
    rests_until_ns = ended_ns + REST * (ended_ns - began_ns);
    return true;
}

bool tclk_discovery_run(JNIEnv *env)
{
    if (state == TCLK_DISCOVERY_REFUSED || !tclk_java_thread_is_set_up() ||
        __atomic_exchange_n(&running, true, __ATOMIC_ACQUIRE)) {
        return false;
    }
    bool done = run(env);
    __atomic_store_n(&running, false, __ATOMIC_RELEASE);
    return done;
}

pid_t tclk_discovery_tid(JNIEnv *env, jobject thread)
{
    return state == TCLK_DISCOVERY_WORKS ? tid_of(env, thread) : 0;
}

bool tclk_discovery_find(JNIEnv *env, jlong thread_id)
{
    if (!works(env)) {
        return false;
    }
    discover_all(env);
    return tclk_known_threads_have(thread_id);
}

bool tclk_discovery_add(JNIEnv *env, jobject thread)
{
    return works(env) && discover(env, thread);
}

enum tclk_discovery tclk_discovery_state(void)
{
    return state;
}
