/* SPDX-License-Identifier: Apache-2.0 */

/* Two threads add to one plain word: ThreadSanitizer must end it. */

#include <pthread.h>
#include <stddef.h>

static int sum;

static void *add(void *unused)
{
    sum++;
    return unused;
}

int main(void)
{
    pthread_t thread;
    if (pthread_create(&thread, NULL, add, NULL) != 0) {
        return 0;
    }
    add(NULL);
    pthread_join(thread, NULL);
    return 0;
}
