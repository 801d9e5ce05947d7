/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The natives of io.threadclock.NativeClock. Times are ns, or a negative errno: Java makes the exceptions.
 */

#include "clock/first_copy.h"
#include "clock/thread.h"
#include "clock/waits.h"
#include "clock/wall.h"
#include "include/threadclock.h"
#include "jvm/copies.h"
#include "jvm/java_natives.h"
#include "jvm/setup.h"
#include "kernel/usage.h"
#include "serve/virtual_pools.h"

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>

/* The text is some ten lines long. */
#define EXPLANATION_MAX_BYTES 4096

/* Names the version of the natives, with their parameters and results. Java looks for this text in the file before
 * it loads the file; of two copies it would link to the one that it loaded first. Each added or removed native
 * raises the number. A linker drops what nothing refers to. */
static const char protocol[] = "io.threadclock protocol 14";

/* Stands in place of a time: the kernel must be asked, which a critical call must not do. */
#define NOT_AT_ONCE INT64_MIN

_Static_assert(sizeof(struct tclk_times) == 3 * sizeof(jlong), "Java reads three longs");

/* System.load() calls it; loading an agent does not. Where it fails, Java falls back to the JVM's own times, and says
 * why. */
JNIEXPORT jint JNICALL JNI_OnLoad(JavaVM *vm, void *reserved)
{
    char reason[TCLK_REASON_BYTES];
    JNIEnv *env;
    (void)reserved;
    __asm__ volatile("" : : "r"(protocol));
    if (!tclk_setup_has_memory(reason) && (*vm)->GetEnv(vm, (void **)&env, JNI_VERSION_1_6) == JNI_OK) {
        tclk_java_refuse(env, reason);
        return JNI_ERR;
    }
    tclk_library_set_loaded();
    return JNI_VERSION_1_6;
}

JNIEXPORT jlong JNICALL Java_io_threadclock_NativeClock_cpuTimeNs(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return tclk_thread_cpu_ns();
}

JNIEXPORT jlong JNICALL Java_io_threadclock_NativeClock_userTimeNs(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return tclk_thread_user_ns();
}

JNIEXPORT jlong JNICALL Java_io_threadclock_NativeClock_systemTimeNs(JNIEnv *env, jclass type)
{
    struct tclk_times times;
    (void)env;
    (void)type;
    int error = tclk_thread_read(&times);
    return error == 0 ? times.system_ns : error;
}

/* Writes to memory outside the heap, by its address; a copy into an array would cost as much again. The owner of the
 * memory is passed so that it lives until this returns. */
JNIEXPORT jint JNICALL Java_io_threadclock_NativeClock_read(JNIEnv *env, jclass type, jlong address, jobject owner)
{
    (void)env;
    (void)type;
    (void)owner;
    return tclk_thread_read((struct tclk_times *)(intptr_t)address);
}

/* The memory of a TimesHolder. */
struct reading {
    struct tclk_times times;
    struct tclk_waits waits;
    int64_t wall_ns;
};

_Static_assert(sizeof(struct reading) == 7 * sizeof(jlong), "Java reads seven longs");

static struct tclk_times times_at(struct tclk_point point)
{
    return (struct tclk_times){point.cpu_ns, point.user_ns, point.cpu_ns - point.user_ns};
}

static bool read_with_waits_at_once(struct reading *reading)
{
    struct tclk_point now;
    struct tclk_waits waits;
    int64_t wall_ns;
    if (!tclk_waits_recall_with_point(tclk_thread.counting, &now, &waits, &wall_ns)) {
        return false;
    }
    *reading = (struct reading){times_at(now), waits, wall_ns};
    return true;
}

/* Why figures of the waits are unknown is not told. Once they have been fetched, all can be of one moment, but for a
 * thread without a detector; its wall time comes first, so that it is not after the others. */
JNIEXPORT jint JNICALL Java_io_threadclock_NativeClock_readWithWaits(JNIEnv *env, jclass type, jlong address,
                                                                     jobject owner)
{
    struct reading *reading = (struct reading *)(intptr_t)address;
    struct reading now;
    (void)env;
    (void)type;
    (void)owner;
    if (read_with_waits_at_once(reading)) {
        return 0;
    }
    now.wall_ns = tclk_wall_ns();
    (void)tclk_thread_waits(&now.waits);
    if (read_with_waits_at_once(reading)) {
        return 0;
    }
    int error = tclk_thread_read(&now.times);
    if (error == 0) {
        *reading = now;
    }
    return error;
}

JNIEXPORT jlong JNICALL Java_io_threadclock_NativeClock_wallNs(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return tclk_wall_ns();
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeClock_copy(JNIEnv *env, jclass type, jlongArray times_ns)
{
    struct tclk_times times;
    (void)type;
    int error = tclk_thread_read(&times);
    if (error == 0) {
        const jlong all[] = {times.cpu_ns, times.user_ns, times.system_ns};
        (*env)->SetLongArrayRegion(env, times_ns, 0, 3, all);
    }
    return error;
}

JNIEXPORT void JNICALL Java_io_threadclock_NativeClock_waits(JNIEnv *env, jclass type, jlongArray waits)
{
    struct tclk_waits now;
    (void)type;
    (void)tclk_thread_waits(&now);
    const jlong all[] = {now.run_delay_ns, now.voluntary_switches, now.involuntary_switches};
    (*env)->SetLongArrayRegion(env, waits, 0, 3, all);
}

JNIEXPORT jlong JNICALL Java_io_threadclock_NativeClock_address(JNIEnv *env, jclass type, jobject buffer)
{
    (void)type;
    return (jlong)(intptr_t)(*env)->GetDirectBufferAddress(env, buffer);
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeClock_source(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return (jint)tclk_clock_source();
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeClock_split(JNIEnv *env, jclass type)
{
    (void)env;
    (void)type;
    return (jint)tclk_clock_split();
}

JNIEXPORT jstring JNICALL Java_io_threadclock_NativeClock_explanation(JNIEnv *env, jclass type)
{
    char text[EXPLANATION_MAX_BYTES];
    (void)type;
    tclk_clock_explain(text, sizeof text);
    return (*env)->NewStringUTF(env, text);
}

/* The order is that of io.threadclock.diagnostics.ClockStats. */
JNIEXPORT void JNICALL Java_io_threadclock_NativeClock_stats(JNIEnv *env, jclass type, jlongArray counts)
{
    struct tclk_stats stats;
    (void)type;
    tclk_clock_stats(&stats);
    const jlong all[] = {
        (jlong)stats.resyncs_first,
        (jlong)stats.resyncs_switch,
        (jlong)stats.resyncs_window,
        (jlong)stats.resyncs_ahead,
        (jlong)stats.resyncs_overlap,
        (jlong)stats.resyncs_unarmed,
        (jlong)stats.lost,
        (jlong)stats.demotions,
        (jlong)stats.threads,
        (jlong)stats.threads_observed,
        (jlong)stats.threads_suspected,
        (jlong)stats.threads_unsampled,
    };
    (*env)->SetLongArrayRegion(env, counts, 0, sizeof all / sizeof all[0], all);
}

JNIEXPORT jint JNICALL Java_io_threadclock_NativeClock_copyOfProcess(JNIEnv *env, jclass type, jlongArray times_ns)
{
    struct tclk_usage usage;
    (void)type;
    int error = tclk_usage_read_process(&usage);
    if (error == 0) {
        const jlong all[] = {usage.user_ns + usage.system_ns, usage.user_ns, usage.system_ns};
        (*env)->SetLongArrayRegion(env, times_ns, 0, 3, all);
    }
    return error;
}

/* ---- critical calls ---- */

/*
 * These are for the foreign function interface, which calls them without telling the JVM that the thread is in native
 * code. A system call in them would hold up the next safepoint.
 */
static int64_t cpu_ns_at_once(void)
{
    struct tclk_point now;
    return tclk_thread_extrapolate(&tclk_thread, &now) ? now.cpu_ns : NOT_AT_ONCE;
}

static int64_t user_ns_at_once(void)
{
    struct tclk_point now;
    return tclk_thread_extrapolate(&tclk_thread, &now) ? now.user_ns : NOT_AT_ONCE;
}

static int64_t system_ns_at_once(void)
{
    struct tclk_point now;
    return tclk_thread_extrapolate(&tclk_thread, &now) ? now.cpu_ns - now.user_ns : NOT_AT_ONCE;
}

/* User time of the calling thread's last reading by the function below. */
static _Thread_local int64_t kept_user_ns;

static int64_t cpu_ns_keeping_user(void)
{
    struct tclk_point now;
    if (!tclk_thread_extrapolate(&tclk_thread, &now)) {
        return NOT_AT_ONCE;
    }
    kept_user_ns = now.user_ns;
    return now.cpu_ns;
}

static int64_t kept_user(void)
{
    return kept_user_ns;
}

/* Returns 1 if it has written the times. */
static int32_t read_at_once(int64_t address)
{
    struct tclk_point now;
    if (!tclk_thread_extrapolate(&tclk_thread, &now)) {
        return 0;
    }
    *(struct tclk_times *)(intptr_t)address = times_at(now);
    return 1;
}

/* As read_at_once(), with the waits and the wall time behind the times. */
static int32_t read_all_at_once(int64_t address)
{
    return read_with_waits_at_once((struct reading *)(intptr_t)address);
}

/* Returns 1 if it has read a carrier's clock, and booked. */
static int32_t carrier_read_at_once(int64_t address, int32_t next)
{
    struct tclk_point now;
    if (!tclk_thread_extrapolate(&tclk_thread, &now)) {
        return 0;
    }
    tclk_carrier_book((struct tclk_carrier *)(intptr_t)address, times_at(now), (uint32_t)next);
    return 1;
}

/* Returns their addresses, in the order of io.threadclock.CallingThread. */
JNIEXPORT jlongArray JNICALL Java_io_threadclock_NativeClock_criticalFunctions(JNIEnv *env, jclass type)
{
    const jlong addresses[] = {
        (jlong)(intptr_t)cpu_ns_at_once,       (jlong)(intptr_t)user_ns_at_once,     (jlong)(intptr_t)system_ns_at_once,
        (jlong)(intptr_t)read_at_once,         (jlong)(intptr_t)cpu_ns_keeping_user, (jlong)(intptr_t)kept_user,
        (jlong)(intptr_t)carrier_read_at_once, (jlong)(intptr_t)read_all_at_once,
    };
    const jsize count = sizeof addresses / sizeof addresses[0];
    (void)type;
    jlongArray array = (*env)->NewLongArray(env, count);
    if (array != NULL) {
        (*env)->SetLongArrayRegion(env, array, 0, count, addresses);
    }
    return array;
}
