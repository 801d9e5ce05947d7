/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/known_threads.h"

#include "include/threadclock.h"
#include "jvm/java_thread.h"
#include "jvm/registry.h"
#include "kernel/raw_clock.h"
#include "kernel/tid.h"

#include <errno.h>

/* Bounded: each registration also checks this many slots for ended threads. Therefore ended threads cannot pile up:
 * once one slot in 16 has one, as many are removed as are added. */
#define SWEEP 16u

static void drop_reference(void *env, void *reference)
{
    (*(JNIEnv *)env)->DeleteWeakGlobalRef(env, reference);
}

/* This is separate, so that the library's file has no megabyte of zeros. */
static struct tclk_registry_slot slots[TCLK_REGISTRY_SLOTS];
static struct tclk_registry registry = {.slots = slots, .drop = drop_reference};

static _Thread_local pid_t own_tid;

/* ---- ended threads ---- */

/* Returns a local reference to the thread of a held entry, or NULL if it has ended. */
static jobject living(JNIEnv *env, const struct tclk_registry_entry *entry)
{
    jobject thread = (*env)->NewLocalRef(env, entry->word);
    if (thread != NULL && tclk_java_thread_address(env, thread) == 0) {
        (*env)->DeleteLocalRef(env, thread);
        return NULL;
    }
    return thread;
}

static void sweep_slot(JNIEnv *env, uint32_t index)
{
    struct tclk_registry_entry entry;
    if (!tclk_registry_hold_slot(&registry, env, index, &entry)) {
        return;
    }
    jobject thread = living(env, &entry);
    if (thread == NULL) {
        tclk_registry_forget(&entry);
    } else {
        (*env)->DeleteLocalRef(env, thread);
    }
    tclk_registry_let_go(&registry, env, &entry);
}

static void sweep(JNIEnv *env, uint32_t first, uint32_t count)
{
    for (uint32_t i = 0; i < count; i++) {
        sweep_slot(env, first + i);
    }
}

static void sweep_onward(JNIEnv *env)
{
    static uint32_t next;
    sweep(env, __atomic_fetch_add(&next, SWEEP, __ATOMIC_RELAXED), SWEEP);
}

/* ---- registering ---- */

bool tclk_known_threads_add(JNIEnv *env, jobject thread, pid_t tid, int64_t alive_at_ns)
{
    jlong id = tclk_java_thread_id(env, thread);
    jweak reference = (*env)->NewWeakGlobalRef(env, thread);
    if (tclk_java_exception_cleared(env) || reference == NULL) {
        return false;
    }
    sweep_onward(env);
    if (tclk_registry_add(&registry, id, tid, alive_at_ns, reference)) {
        return true;
    }
    sweep(env, tclk_registry_home(id), TCLK_REGISTRY_PROBES);
    if (tclk_registry_add(&registry, id, tid, alive_at_ns, reference)) {
        return true;
    }
    (*env)->DeleteWeakGlobalRef(env, reference);
    return false;
}

/* A virtual thread has no address, unless it has a tid of its own (-XX:-VMContinuations). */
void tclk_known_threads_add_self(JNIEnv *env, jobject thread)
{
    tclk_thread.known_as = env;
    own_tid = own_tid != 0 ? own_tid : tclk_tid_own();
    if (tclk_java_thread_address(env, thread) != 0 && !tclk_known_threads_have(tclk_java_thread_id(env, thread))) {
        tclk_known_threads_add(env, thread, own_tid, tclk_boot_clock_ns());
    }
}

void tclk_known_threads_add_caller(JNIEnv *env)
{
    tclk_thread.known_as = env;
    jobject thread = tclk_java_thread_is_set_up() ? tclk_java_thread_current(env) : NULL;
    if (thread != NULL) {
        tclk_known_threads_add_self(env, thread);
        (*env)->DeleteLocalRef(env, thread);
    }
}

/* ---- threads that are left to the JVM ---- */

/* Ids are given one after the other, so the next id with the same place is that of a much later thread. Pages of
 * this array are touched only as they are used, which is rare. */
static jlong left[TCLK_REGISTRY_SLOTS];
static bool any_left;

void tclk_known_threads_leave(jlong thread_id)
{
    __atomic_store_n(&left[tclk_registry_home(thread_id)], thread_id, __ATOMIC_RELAXED);
    __atomic_store_n(&any_left, true, __ATOMIC_RELEASE);
}

bool tclk_known_threads_are_left(jlong thread_id)
{
    return __atomic_load_n(&any_left, __ATOMIC_ACQUIRE) &&
           __atomic_load_n(&left[tclk_registry_home(thread_id)], __ATOMIC_RELAXED) == thread_id;
}

/* ---- reading ---- */

/* This is false for the calling thread, because its own reads concern nobody else. */
static bool is_others_affair(const struct tclk_registry_entry *entry)
{
    return entry->tid != own_tid && tclk_known_threads_are_left(entry->thread_id);
}

static int64_t read_self(enum tclk_wanted wanted)
{
    return wanted == TCLK_WANTED_CPU ? tclk_thread_cpu_ns() : tclk_thread_user_ns();
}

static int64_t read_other(pid_t tid, enum tclk_wanted wanted)
{
    return wanted == TCLK_WANTED_CPU ? tclk_tid_cpu_ns(tid) : tclk_tid_user_ns(tid);
}

/* Reads first, and then checks that the thread lives. If it does, it has lived all the time, and the tid was its
 * own. ThreadMXBean tells nothing of virtual threads, even if they have tids. */
static bool read_entry(JNIEnv *env, const struct tclk_registry_entry *entry, enum tclk_wanted wanted, int64_t *ns)
{
    int64_t read_ns = entry->tid == own_tid ? read_self(wanted) : read_other(entry->tid, wanted);
    jobject thread = living(env, entry);
    if (thread == NULL) {
        tclk_registry_forget(entry);
        return false;
    }
    bool done = read_ns >= 0 && !tclk_java_thread_is_virtual(env, thread);
    (*env)->DeleteLocalRef(env, thread);
    if (done) {
        *ns = read_ns;
    }
    return done;
}

bool tclk_known_threads_have(jlong thread_id)
{
    return tclk_registry_has(&registry, thread_id);
}

bool tclk_known_threads_read(JNIEnv *env, jlong thread_id, enum tclk_wanted wanted, int64_t *ns)
{
    struct tclk_registry_entry entry;
    if (thread_id <= 0 || !tclk_registry_hold(&registry, env, thread_id, &entry)) {
        return false;
    }
    bool done = !is_others_affair(&entry) && read_entry(env, &entry, wanted, ns);
    tclk_registry_let_go(&registry, env, &entry);
    return done;
}

bool tclk_known_threads_read_all(JNIEnv *env, jlong thread_id, struct tclk_times *times)
{
    struct tclk_registry_entry entry;
    if (thread_id <= 0 || !tclk_registry_hold(&registry, env, thread_id, &entry)) {
        return false;
    }
    int error = entry.tid == own_tid       ? tclk_thread_read(times)
                : is_others_affair(&entry) ? -ENOENT
                                           : tclk_tid_read(entry.tid, times);
    tclk_registry_let_go(&registry, env, &entry);
    return error == 0;
}

pid_t tclk_known_threads_tid(JNIEnv *env, jlong thread_id)
{
    struct tclk_registry_entry entry;
    if (thread_id <= 0 || !tclk_registry_hold(&registry, env, thread_id, &entry)) {
        return 0;
    }
    pid_t tid = entry.tid;
    tclk_registry_let_go(&registry, env, &entry);
    return tid;
}

void tclk_known_threads_tell(void (*tell)(void *context, int64_t thread_id, pid_t tid, int64_t alive_at_ns),
                             void *context)
{
    int64_t thread_id;
    pid_t tid;
    int64_t alive_at_ns;
    for (uint32_t i = 0; i < TCLK_REGISTRY_SLOTS; i++) {
        if (tclk_registry_peek(&registry, i, &thread_id, &tid, &alive_at_ns)) {
            tell(context, thread_id, tid, alive_at_ns);
        }
    }
}

uint32_t tclk_known_threads_count(void)
{
    return tclk_registry_used(&registry);
}
