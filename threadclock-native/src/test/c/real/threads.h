/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_TEST_THREADS_H
#define TCLK_TEST_THREADS_H

#include <pthread.h>
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

#endif
