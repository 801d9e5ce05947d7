/* SPDX-License-Identifier: Apache-2.0 */

/* Eight threads that read all the time on two CPUs: each reads its own time. */

#include "cpus.h"
#include "kind.h"
#include "sources.h"
#include "watchers.h"

#define THREADS 8
#define WATCH_NS (1000 * MS)

static void eight_threads(const char *source)
{
    int64_t idle;
    struct witness sum = watchers_watch(THREADS, kind_rounds(WATCH_NS), &idle);
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
