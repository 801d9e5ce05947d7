/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The natives of io.threadclock.NativeThreads: the times of all threads, read one after the other.
 */

#include "include/threadclock.h"
#include "jvm/discovery.h"
#include "jvm/java_natives.h"
#include "jvm/java_thread.h"
#include "jvm/known_threads.h"
#include "kernel/proc_stat.h"
#include "kernel/raw_clock.h"

#include <jni.h>
#include <stdbool.h>
#include <stddef.h>

/* The number of threads that are on the stack at a time: 8 KB. */
#define CHUNK 256

/* Stands in place of times. */
#define ENDED INT64_C(-2)
#define UNKNOWN INT64_C(-1)

/* The four longs that Java gets for each thread. */
struct figures {
    jlong thread_id; /* 0: not known, because this JDK has other members of Thread */
    jlong cpu_ns;    /* or one of the above */
    jlong user_ns;
    jlong tid; /* 0: not known */
};

_Static_assert(sizeof(struct figures) == 4 * sizeof(jlong), "Java reads four longs");

JNIEXPORT jobjectArray JNICALL Java_io_threadclock_NativeThreads_all(JNIEnv *env, jclass type)
{
    (void)type;
    return tclk_java_thread_setup(env) ? tclk_java_thread_all(env) : NULL;
}

/* Reads first, and then checks that the thread lives. If it does, it has lived all the time, and the tid was its
 * own. */
static struct figures read_thread(JNIEnv *env, jobject thread)
{
    struct tclk_times times;
    jlong id = tclk_java_thread_id(env, thread);
    bool known = tclk_known_threads_read_all(env, id, &times);
    if (tclk_java_thread_address(env, thread) == 0) {
        return (struct figures){id, ENDED, 0, 0};
    }
    return known ? (struct figures){id, times.cpu_ns, times.user_ns, tclk_known_threads_tid(env, id)}
                 : (struct figures){id, UNKNOWN, 0, tclk_discovery_tid(env, thread)};
}

/* From now on, other readers are told what they are told now. */
static struct figures find_and_read_thread(JNIEnv *env, jobject thread)
{
    struct figures figures = read_thread(env, thread);
    if (figures.cpu_ns != UNKNOWN || tclk_known_threads_are_left(figures.thread_id)) {
        return figures;
    }
    if (tclk_discovery_add(env, thread)) {
        figures = read_thread(env, thread);
    }
    if (figures.cpu_ns == UNKNOWN) {
        tclk_known_threads_leave(figures.thread_id);
    }
    return figures;
}

static bool read_chunk(JNIEnv *env, jobjectArray threads, jsize first, jsize length, struct figures *figures)
{
    for (jsize i = 0; i < length; i++) {
        jobject thread = (*env)->GetObjectArrayElement(env, threads, first + i);
        if (thread == NULL) {
            return false;
        }
        figures[i] = find_and_read_thread(env, thread);
        (*env)->DeleteLocalRef(env, thread);
    }
    return true;
}

static void tell_unknown(JNIEnv *env, jsize count, jlongArray result)
{
    const struct figures unknown = {0, UNKNOWN, 0, 0};
    for (jsize i = 0; i < count; i++) {
        (*env)->SetLongArrayRegion(env, result, 4 * i, 4, (const jlong *)&unknown);
    }
}

/* Java passes an array of four longs for each thread. */
JNIEXPORT void JNICALL Java_io_threadclock_NativeThreads_read(JNIEnv *env, jclass type, jobjectArray threads,
                                                              jlongArray result)
{
    struct figures figures[CHUNK];
    (void)type;
    jsize count = (*env)->GetArrayLength(env, threads);
    if (!tclk_java_thread_setup(env)) {
        tell_unknown(env, count, result);
        return;
    }
    tclk_known_threads_ensure_caller(env);
    for (jsize first = 0; first < count; first += CHUNK) {
        jsize length = count - first < CHUNK ? count - first : CHUNK;
        if (!read_chunk(env, threads, first, length, figures)) {
            return;
        }
        (*env)->SetLongArrayRegion(env, result, 4 * first, 4 * length, (const jlong *)figures);
    }
}

/* Returns how long ago a thread of this process was started, in ns, up to 10 ms too much; -1 if it has ended, or
 * there is no /proc. */
JNIEXPORT jlong JNICALL Java_io_threadclock_NativeThreads_ageNs(JNIEnv *env, jclass type, jint tid)
{
    int64_t started_ns;
    (void)env;
    (void)type;
    return tclk_proc_stat_started_ns("/proc", tid, &started_ns) == 0 ? tclk_boot_clock_ns() - started_ns : -1;
}
