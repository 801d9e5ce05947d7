/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_THREADS_H
#define TCLK_TEST_THREADS_H

#include "kernel/tid.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdlib.h>

static inline pthread_t thread_start(void *(*body)(void *), void *argument)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, body, argument) != 0) {
        abort();
    }
    return thread;
}

/* Runs a thread to its end. */
static inline void in_thread(void *(*body)(void *), void *argument)
{
    pthread_join(thread_start(body, argument), NULL);
}

static inline void *thread_tell_tid(void *tid)
{
    *(pid_t *)tid = tclk_tid_own();
    return NULL;
}

/* The tid of a thread that is gone. pthread_join() returns when the kernel has cleared the thread's tid
 * word, which it does a moment before it lets go of the task. */
static inline pid_t thread_ended_tid(void)
{
    pid_t tid = 0;
    in_thread(thread_tell_tid, &tid);
    while (syscall(SYS_tgkill, getpid(), tid, 0) == 0 || errno != ESRCH) {
        sched_yield();
    }
    return tid;
}

#endif
