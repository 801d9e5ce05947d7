/* SPDX-License-Identifier: Apache-2.0 */

/* Preloaded, it ends the first thread of the java launcher, which would otherwise wait for the thread of main(). */

#include <pthread.h>
#include <stddef.h>

int pthread_join(pthread_t thread, void **result)
{
    (void)thread;
    (void)result;
    pthread_exit(NULL);
}
