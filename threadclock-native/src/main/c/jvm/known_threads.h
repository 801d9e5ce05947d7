/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_KNOWN_THREADS_H
#define TCLK_JVM_KNOWN_THREADS_H

#include "clock/thread_clock.h"
#include "include/threadclock.h"

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The threads of this JVM of which the tid is known, so that they can be read by Java thread id.
 *
 * A thread registers itself, at its start (-agentpath) or at its first own read; those that were
 * running already are found by discovery (jvm/discovery.h). Nobody reports a thread's end: each read
 * looks afterwards whether the thread still lives (jvm/java_thread.h), which is what makes the answer
 * right, and takes those that do not out of the registry; so does a little sweep at each
 * registration.
 */

/* Which of a thread's times. */
enum tclk_wanted { TCLK_WANTED_CPU, TCLK_WANTED_USER };

__attribute__((cold)) void tclk_known_threads_add_caller(JNIEnv *env);

/* Registers the calling thread unless it has tried already: by the JNI environment in which it has, because it may have
 * detached from the VM and attached again since. */
static inline void tclk_known_threads_ensure_caller(JNIEnv *env)
{
    if (__builtin_expect(tclk_thread.known_as != env, 0)) {
        tclk_known_threads_add_caller(env);
    }
}

/* Registers the calling thread, which is `thread`. */
void tclk_known_threads_add_self(JNIEnv *env, jobject thread);

/* Registers a thread that had that tid at `alive_at_ns` (CLOCK_BOOTTIME) and lived afterwards. False: there is no
 * room, or no memory. */
bool tclk_known_threads_add(JNIEnv *env, jobject thread, pid_t tid, int64_t alive_at_ns);

bool tclk_known_threads_have(jlong thread_id);

/* From now on others are not told this thread's times here, though it may become known (at its own first read): the
 * JVM has told them one, and the two would contradict each other. */
void tclk_known_threads_leave(jlong thread_id);
bool tclk_known_threads_are_left(jlong thread_id);

/* One of the times of a thread; of the calling thread's own id too, on the clock of its own reads.
 * False, with `ns` untouched: it is not known, or left to the JVM, or has ended, or the clock failed: ask the JVM. */
bool tclk_known_threads_read(JNIEnv *env, jlong thread_id, enum tclk_wanted wanted, int64_t *ns);

/* All times of a thread that lives, in one reading. The caller has a reference to it, and looks itself
 * afterwards whether it still lives: only then are they its times. False, with `times` untouched: it is
 * not known, or the clock failed. */
bool tclk_known_threads_read_all(JNIEnv *env, jlong thread_id, struct tclk_times *times);

/* The tid of a thread that lives; 0: it is not known. */
pid_t tclk_known_threads_tid(JNIEnv *env, jlong thread_id);

/* Tells each of them, at which moment the tid was certainly its, and whether or not it has ended since.
 * No call of the VM: by any thread. */
void tclk_known_threads_tell(void (*tell)(void *context, int64_t thread_id, pid_t tid,
                                          int64_t alive_at_ns),
                             void *context);

/* How many are registered now, some of which may have ended. */
uint32_t tclk_known_threads_count(void);

#endif
