/* SPDX-License-Identifier: Apache-2.0 */
#include "jvm/thread_mxbean_natives.h"

#include "clock/thread.h"
#include "include/threadclock.h"
#include "jvm/discovery.h"
#include "jvm/known_threads.h"
#include "jvm/objects.h"

#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#define OF_THREAD "(J)J"
#define OF_THREADS "([J[J)V"

/* The number of an array's ids that are on the stack at a time: 5 KB. */
#define CHUNK 256

typedef jlong(JNICALL *of_thread)(JNIEnv *env, jclass type, jlong thread_id);
typedef void(JNICALL *of_threads)(JNIEnv *env, jclass type, jlongArray thread_ids, jlongArray times);

static jlong JNICALL cpu_time_of_thread(JNIEnv *env, jclass type, jlong thread_id);
static jlong JNICALL user_time_of_thread(JNIEnv *env, jclass type, jlong thread_id);
static void JNICALL cpu_times_of_threads(JNIEnv *env, jclass type, jlongArray ids, jlongArray times);
static void JNICALL user_times_of_threads(JNIEnv *env, jclass type, jlongArray ids, jlongArray times);

/* The order is that of enum tclk_wanted, in pairs. */
static struct tclk_native natives[TCLK_MXBEAN_NATIVES] = {
    {"getThreadTotalCpuTime0", OF_THREAD, (void *)cpu_time_of_thread, NULL},
    {"getThreadUserCpuTime0", OF_THREAD, (void *)user_time_of_thread, NULL},
    {"getThreadTotalCpuTime1", OF_THREADS, (void *)cpu_times_of_threads, NULL},
    {"getThreadUserCpuTime1", OF_THREADS, (void *)user_times_of_threads, NULL},
};

/* 0: our natives answer; 1: they forward. */
static uintptr_t forwarding = 1;
static bool counting;
static struct tclk_by_id_counts counts;

static inline bool serves(void)
{
    return __atomic_load_n(&forwarding, __ATOMIC_RELAXED) == 0;
}

static void count(uint64_t *counter, size_t reads)
{
    if (__atomic_load_n(&counting, __ATOMIC_RELAXED)) {
        __atomic_fetch_add(counter, reads, __ATOMIC_RELAXED);
    }
}

static void *original(const struct tclk_native *native)
{
    return __atomic_load_n(&native->original, __ATOMIC_ACQUIRE);
}

/* ---- one thread ---- */

static jlong ask_original(JNIEnv *env, jclass type, jlong thread_id, enum tclk_wanted wanted)
{
    return ((of_thread)original(&natives[wanted]))(env, type, thread_id);
}

/* Reads a thread that the original has found alive. From the first answer on, all answers come from here, because
 * the times of the original and ours differ. */
static bool read_found(JNIEnv *env, jlong thread_id, enum tclk_wanted wanted, int64_t *ns)
{
    if (tclk_known_threads_are_left(thread_id)) {
        return false;
    }
    bool done = tclk_discovery_find(env, thread_id) && tclk_known_threads_read(env, thread_id, wanted, ns);
    if (!done) {
        tclk_known_threads_leave(thread_id);
    }
    return done;
}

/* Asks the JVM first, because a thread that it does not know, either, cannot be discovered. */
__attribute__((noinline)) static jlong time_of_unknown(JNIEnv *env, jclass type, jlong thread_id,
                                                       enum tclk_wanted wanted)
{
    int64_t ns;
    jlong theirs = ask_original(env, type, thread_id, wanted);
    bool is_ours = theirs >= 0 && read_found(env, thread_id, wanted, &ns);
    count(is_ours ? &counts.here : &counts.original, 1);
    return is_ours ? ns : theirs;
}

__attribute__((noinline)) static jlong time_of_other(JNIEnv *env, jclass type, jlong thread_id, enum tclk_wanted wanted)
{
    int64_t ns;
    if (!tclk_known_threads_read(env, thread_id, wanted, &ns)) {
        return time_of_unknown(env, type, thread_id, wanted);
    }
    count(&counts.here, 1);
    return ns;
}

/* Reads the time in every way except the fast one below. */
__attribute__((noinline, cold)) static jlong time_of_thread(JNIEnv *env, jclass type, jlong thread_id,
                                                            enum tclk_wanted wanted)
{
    if (!serves()) {
        return ask_original(env, type, thread_id, wanted);
    }
    tclk_known_threads_ensure_caller(env);
    if (thread_id != 0) {
        return time_of_other(env, type, thread_id, wanted);
    }
    int64_t own_ns = wanted == TCLK_WANTED_CPU ? tclk_thread_cpu_ns() : tclk_thread_user_ns();
    return own_ns >= 0 ? own_ns : ask_original(env, type, thread_id, wanted);
}

/* No JNI environment is odd. While our natives forward, the word is odd, so that no thread counts as known. */
static inline bool is_known_and_served(const struct tclk_thread *thread, JNIEnv *env)
{
    uintptr_t known_as = (uintptr_t)env | __atomic_load_n(&forwarding, __ATOMIC_RELAXED);
    return (uintptr_t)thread->known_as == known_as;
}

/* The path of nearly all calls, which makes no further call of ours: a known thread reads itself, and has not been
 * switched out. */
static inline bool read_own(JNIEnv *env, struct tclk_point *now)
{
    const struct tclk_thread *thread = &tclk_thread;
    return is_known_and_served(thread, env) && tclk_thread_extrapolate(thread, now);
}

static jlong JNICALL cpu_time_of_thread(JNIEnv *env, jclass type, jlong thread_id)
{
    struct tclk_point now;
    if (__builtin_expect(thread_id != 0, 0)) {
        return time_of_thread(env, type, thread_id, TCLK_WANTED_CPU);
    }
    return __builtin_expect(read_own(env, &now), 1) ? now.cpu_ns : time_of_thread(env, type, 0, TCLK_WANTED_CPU);
}

static jlong JNICALL user_time_of_thread(JNIEnv *env, jclass type, jlong thread_id)
{
    struct tclk_point now;
    if (__builtin_expect(thread_id != 0, 0)) {
        return time_of_thread(env, type, thread_id, TCLK_WANTED_USER);
    }
    return __builtin_expect(read_own(env, &now), 1) ? now.user_ns : time_of_thread(env, type, 0, TCLK_WANTED_USER);
}

/* ---- arrays ---- */

/* A part of the two arrays, and which of its ids the JVM must still be asked for. */
struct chunk {
    jsize first;
    jsize length;
    jlong ids[CHUNK];
    jlong times[CHUNK];
    jsize unknown;
    uint16_t unknown_at[CHUNK];
};

static bool load_chunk(JNIEnv *env, jlongArray ids, jlongArray times, struct chunk *chunk)
{
    (*env)->GetLongArrayRegion(env, ids, chunk->first, chunk->length, chunk->ids);
    (*env)->GetLongArrayRegion(env, times, chunk->first, chunk->length, chunk->times);
    for (jsize i = 0; i < chunk->length; i++) {
        if (chunk->ids[i] <= 0) {
            return false;
        }
    }
    return true;
}

static void read_known(JNIEnv *env, enum tclk_wanted wanted, struct chunk *chunk)
{
    chunk->unknown = 0;
    for (jsize i = 0; i < chunk->length; i++) {
        if (!tclk_known_threads_read(env, chunk->ids[i], wanted, &chunk->times[i])) {
            chunk->unknown_at[chunk->unknown++] = (uint16_t)i;
        }
    }
    count(&counts.here, (size_t)(chunk->length - chunk->unknown));
    count(&counts.original, (size_t)chunk->unknown);
}

/* Returns a long[] with the unknown elements of `from`, or NULL and a pending OutOfMemoryError. */
static jlongArray unknown_of(JNIEnv *env, const struct chunk *chunk, const jlong *from)
{
    jlong some[CHUNK];
    jlongArray array = (*env)->NewLongArray(env, chunk->unknown);
    for (jsize i = 0; i < chunk->unknown; i++) {
        some[i] = from[chunk->unknown_at[i]];
    }
    if (array != NULL) {
        (*env)->SetLongArrayRegion(env, array, 0, chunk->unknown, some);
    }
    return array;
}

/* A thread that the original has found must live. */
static void take_answers(JNIEnv *env, enum tclk_wanted wanted, jlongArray answers, struct chunk *chunk)
{
    jlong theirs[CHUNK];
    (*env)->GetLongArrayRegion(env, answers, 0, chunk->unknown, theirs);
    for (jsize i = 0; i < chunk->unknown; i++) {
        uint16_t at = chunk->unknown_at[i];
        if (theirs[i] < 0 || !read_found(env, chunk->ids[at], wanted, &chunk->times[at])) {
            chunk->times[at] = theirs[i];
        }
    }
}

static void ask_original_for_some(JNIEnv *env, jclass type, jlongArray ids, jlongArray answers, enum tclk_wanted wanted,
                                  struct chunk *chunk)
{
    ((of_threads)original(&natives[2 + wanted]))(env, type, ids, answers);
    if (!(*env)->ExceptionCheck(env)) {
        take_answers(env, wanted, answers, chunk);
    }
}

/* An exception may be pending afterwards, from the original, or an OutOfMemoryError. */
static void ask_for_unknown(JNIEnv *env, jclass type, enum tclk_wanted wanted, struct chunk *chunk)
{
    jlongArray ids = unknown_of(env, chunk, chunk->ids);
    jlongArray answers = ids == NULL ? NULL : unknown_of(env, chunk, chunk->times);
    if (answers != NULL) {
        ask_original_for_some(env, type, ids, answers, wanted, chunk);
    }
    (*env)->DeleteLocalRef(env, ids);
    (*env)->DeleteLocalRef(env, answers);
}

/* False: it contains something that only the original can answer. */
static bool answer_chunk(JNIEnv *env, jclass type, jlongArray ids, jlongArray times, enum tclk_wanted wanted,
                         struct chunk *chunk)
{
    if (!load_chunk(env, ids, times, chunk)) {
        return false;
    }
    read_known(env, wanted, chunk);
    if (chunk->unknown > 0) {
        ask_for_unknown(env, type, wanted, chunk);
    }
    if (!(*env)->ExceptionCheck(env)) {
        (*env)->SetLongArrayRegion(env, times, chunk->first, chunk->length, chunk->times);
    }
    return true;
}

static bool answer_array(JNIEnv *env, jclass type, jlongArray ids, jlongArray times, enum tclk_wanted wanted)
{
    struct chunk chunk;
    if (ids == NULL || times == NULL) {
        return false;
    }
    jsize length = (*env)->GetArrayLength(env, ids);
    if (length == 0 || length != (*env)->GetArrayLength(env, times)) {
        return false;
    }
    for (chunk.first = 0; chunk.first < length; chunk.first += CHUNK) {
        jsize rest = length - chunk.first;
        chunk.length = rest < CHUNK ? rest : CHUNK;
        if (!answer_chunk(env, type, ids, times, wanted, &chunk)) {
            return false;
        }
        if ((*env)->ExceptionCheck(env)) {
            return true;
        }
    }
    return true;
}

static void times_of_threads(JNIEnv *env, jclass type, jlongArray ids, jlongArray times, enum tclk_wanted wanted)
{
    if (serves()) {
        tclk_known_threads_ensure_caller(env);
        if (answer_array(env, type, ids, times, wanted)) {
            return;
        }
    }
    ((of_threads)original(&natives[2 + wanted]))(env, type, ids, times);
}

static void JNICALL cpu_times_of_threads(JNIEnv *env, jclass type, jlongArray ids, jlongArray times)
{
    times_of_threads(env, type, ids, times, TCLK_WANTED_CPU);
}

static void JNICALL user_times_of_threads(JNIEnv *env, jclass type, jlongArray ids, jlongArray times)
{
    times_of_threads(env, type, ids, times, TCLK_WANTED_USER);
}

/* ---- the natives ---- */

struct tclk_native *tclk_mxbean_native(const char *name, const char *signature)
{
    for (size_t i = 0; i < TCLK_MXBEAN_NATIVES; i++) {
        if (strcmp(name, natives[i].name) == 0) {
            return strcmp(signature, natives[i].signature) == 0 ? &natives[i] : NULL;
        }
    }
    return NULL;
}

void tclk_mxbean_note_original(struct tclk_native *native, void *address)
{
    void *none = NULL;
    if (address != native->ours) {
        __atomic_compare_exchange_n(&native->original, &none, address, false, __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
    }
}

bool tclk_mxbean_find_originals(void)
{
    char symbol[96];
    void *libmanagement = tclk_objects_named("libmanagement.so");
    for (size_t i = 0; i < TCLK_MXBEAN_NATIVES; i++) {
        (void)snprintf(symbol, sizeof symbol, "Java_sun_management_ThreadImpl_%s", natives[i].name);
        void *address = libmanagement == NULL ? NULL : dlsym(libmanagement, symbol);
        if (address != NULL) {
            tclk_mxbean_note_original(&natives[i], address);
        }
        if (original(&natives[i]) == NULL) {
            return false;
        }
    }
    return true;
}

void tclk_mxbean_list(bool ours, JNINativeMethod methods[TCLK_MXBEAN_NATIVES])
{
    for (size_t i = 0; i < TCLK_MXBEAN_NATIVES; i++) {
        methods[i] = (JNINativeMethod){(char *)natives[i].name, (char *)natives[i].signature,
                                       ours ? natives[i].ours : original(&natives[i])};
    }
}

void tclk_mxbean_set_ours(bool serve)
{
    __atomic_store_n(&forwarding, serve ? 0 : 1, __ATOMIC_RELEASE);
}

bool tclk_mxbean_is_ours(void)
{
    return serves();
}

void tclk_mxbean_count(bool count_reads)
{
    __atomic_store_n(&counting, count_reads, __ATOMIC_RELAXED);
}

struct tclk_by_id_counts tclk_mxbean_counts(void)
{
    return (struct tclk_by_id_counts){__atomic_load_n(&counts.here, __ATOMIC_RELAXED),
                                      __atomic_load_n(&counts.original, __ATOMIC_RELAXED)};
}
