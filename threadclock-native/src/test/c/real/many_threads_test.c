/* SPDX-License-Identifier: Apache-2.0 */

/* Eight threads that read all the time on two CPUs: each reads its own time. */

#include "cpus.h"
#include "kind.h"
#include "sources.h"
#include "threads.h"
#include "witness.h"

#define THREADS 8
#define WATCH_NS (1000 * MS)

static void *watch(void *w)
{
    *(struct witness *)w = witness_watch(kind_rounds(WATCH_NS));
    return NULL;
}

static void eight_threads(const char *source)
{
    struct witness each[THREADS];
    struct witness sum = {0};
    pthread_t threads[THREADS];
    int64_t idle = 0;
    for (int i = 0; i < THREADS; i++) {
        threads[i] = thread_start(watch, &each[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(threads[i], NULL);
        witness_add(&sum, &each[i]);
        idle += each[i].readings == 0;
    }
    witness_confirms(&sum, source, "eight threads on two CPUs");
    is_ns(idle, 0, "%s: all of them had their turn", source);
}

int main(void)
{
    int cpus[2];
    if (cpus_allowed(cpus, 2) == 2) {
        cpu_pin_to_both(cpus[0], cpus[1]);
    }
    with_each_source(eight_threads);
    return done();
}
