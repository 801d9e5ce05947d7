/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_JVM_KNOWN_THREADS_H
#define TCLK_JVM_KNOWN_THREADS_H

#include "clock/thread.h"
#include "include/threadclock.h"

#include <jni.h>
#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>

/*
 * The threads of this JVM of which the tid is known, so that they can be read by Java thread id.
 *
 * A thread registers itself, at its start (-agentpath) or at its first own read; those that were running already are
 * found by discovery (jvm/discovery.h). Nobody reports a thread's end. Each read checks afterwards whether the thread
 * still lives (jvm/java_thread.h), which makes the answer right, and removes an ended thread from the registry; so does
 * a short sweep at each registration.
 */

/* The time of a thread that is wanted. */
enum tclk_wanted { TCLK_WANTED_CPU, TCLK_WANTED_USER };

__attribute__((cold)) void tclk_known_threads_add_caller(JNIEnv *env);

/* Registers the calling thread unless it has tried already. It remembers the JNI environment in which it tried,
 * because it may have detached from the VM and attached again since. */
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

/* From now on, other threads are not told this thread's times here, even if it becomes known (at its own first
 * read). The JVM has told them one, and the two would contradict each other. */
void tclk_known_threads_leave(jlong thread_id);
bool tclk_known_threads_are_left(jlong thread_id);

/* Reads one of the times of a thread. The calling thread's own id is read on the same clock as its own reads. False,
 * with `ns` untouched: the thread is not known, or left to the JVM, or has ended, or the clock failed. Ask the JVM
 * then. */
bool tclk_known_threads_read(JNIEnv *env, jlong thread_id, enum tclk_wanted wanted, int64_t *ns);

/* Reads all times of a living thread at once. The caller has a reference to it, and checks afterwards that it still
 * lives; only then are these its times. False, with `times` untouched: it is not known, or the clock failed. */
bool tclk_known_threads_read_all(JNIEnv *env, jlong thread_id, struct tclk_times *times);

/* Returns the tid of a living thread; 0 if it is not known. */
pid_t tclk_known_threads_tid(JNIEnv *env, jlong thread_id);

/* Reports each known thread, with a moment at which the tid was certainly its own. The thread may have ended since.
 * Does not call the VM, so any thread may call this. */
void tclk_known_threads_tell(void (*tell)(void *context, int64_t thread_id, pid_t tid, int64_t alive_at_ns),
                             void *context);

/* The number of registered threads, some of which may have ended. */
uint32_t tclk_known_threads_count(void);

#endif
