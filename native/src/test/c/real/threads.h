/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_THREADS_H
#define TCLK_TEST_THREADS_H

#include "kernel/tid.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static inline pthread_t thread_start(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, argument) != 0) {
        abort();
    }
    return thread;
}

/* A thread with a stack of so many bytes. Returns what pthread_create() does. */
static inline int thread_start_small(pthread_t *thread, size_t stack_bytes, void *(*body)(void *), void *argument)
{
    pthread_attr_t attributes;
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, stack_bytes);
    int error = pthread_create(thread, &attributes, body, argument);
    pthread_attr_destroy(&attributes);
    return error;
}

/* Runs a thread to its end. */
static inline void in_thread(void *(*body)(void *), void *argument)
{
    pthread_join(thread_start(body, argument), NULL);
}

static inline void *thread_run_test(void *test)
{
    (*(void (**)(void))test)();
    return NULL;
}

/* The same for a test that takes nothing. */
static inline void test_in_thread(void (*test)(void))
{
    in_thread(thread_run_test, &test);
}

#define THREADS_MOST 20

/* Runs so many threads at once to their end, each with its part of an array, whose parts have this size. */
static inline void in_threads(int threads, void *(*body)(void *), void *parts, size_t bytes)
{
    pthread_t each[THREADS_MOST];
    for (int i = 0; i < threads; i++) {
        each[i] = thread_start(body, (char *)parts + (size_t)i * bytes);
    }
    for (int i = 0; i < threads; i++) {
        pthread_join(each[i], NULL);
    }
}

/* Waits for a thread that tells its tid here. */
static inline void thread_await_tid(const pid_t *tid)
{
    while (__atomic_load_n(tid, __ATOMIC_ACQUIRE) == 0) {
        sched_yield();
    }
}

/* A thread that does the same again and again until it is stopped. */
struct repeater {
    pthread_t thread;
    void (*step)(void *argument);
    void *argument;
    pid_t tid;
    bool ends;
};

static inline void *repeater_run(void *argument)
{
    struct repeater *repeater = argument;
    __atomic_store_n(&repeater->tid, tclk_tid_own(), __ATOMIC_RELEASE);
    while (!__atomic_load_n(&repeater->ends, __ATOMIC_ACQUIRE)) {
        repeater->step(repeater->argument);
    }
    return NULL;
}

static inline void repeater_start(struct repeater *repeater, void (*step)(void *), void *argument)
{
    *repeater = (struct repeater){.step = step, .argument = argument};
    repeater->thread = thread_start(repeater_run, repeater);
    thread_await_tid(&repeater->tid);
}

static inline void repeater_stop(struct repeater *repeater)
{
    __atomic_store_n(&repeater->ends, true, __ATOMIC_RELEASE);
    pthread_join(repeater->thread, NULL);
}

static inline void *thread_tell_tid(void *tid)
{
    *(pid_t *)tid = tclk_tid_own();
    return NULL;
}

/* pthread_join() returns when the kernel has cleared the thread's tid word, a moment before it removes the task. */
static inline void thread_await_gone(pid_t tid)
{
    while (syscall(SYS_tgkill, getpid(), tid, 0) == 0 || errno != ESRCH) {
        sched_yield();
    }
}

/* The tid of a thread that is gone. */
static inline pid_t thread_ended_tid(void)
{
    pid_t tid = 0;
    in_thread(thread_tell_tid, &tid);
    thread_await_gone(tid);
    return tid;
}

#define THREAD_TID_CHOICE "writing /proc/sys/kernel/ns_last_pid (root)"

/* The next thread of this system gets that tid, if nobody else starts one in between. */
static inline bool thread_choose_next_tid(pid_t wanted)
{
    FILE *last = fopen("/proc/sys/kernel/ns_last_pid", "we");
    if (last == NULL) {
        return false;
    }
    bool written = fprintf(last, "%d", (int)wanted - 1) > 0;
    return fclose(last) == 0 && written;
}

#endif
