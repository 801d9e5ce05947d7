/* SPDX-License-Identifier: Apache-2.0 */

/* A million readings of all kinds: none is less than one before it, and user time never grows faster than CPU time. */

#include "clocks.h"
#include "kind.h"
#include "sources.h"
#include "threads.h"

#include <fcntl.h>
#include <sched.h>
#include <tap.h>
#include <unistd.h>

/* The number of rounds, with four readings each. */
#define ROUNDS 250000

static int zero_fd;

struct violations {
    int64_t errors;
    int64_t cpu_steps_back;
    int64_t user_steps_back;
    int64_t user_too_fast;
    int64_t inconsistent;
};

static void compare(struct violations *v, struct tclk_times a, struct tclk_times b)
{
    v->cpu_steps_back += b.cpu_ns < a.cpu_ns;
    v->user_steps_back += b.user_ns < a.user_ns;
    v->user_too_fast += b.user_ns - a.user_ns > b.cpu_ns - a.cpu_ns;
    v->inconsistent += b.user_ns < 0 || b.system_ns < 0 || b.user_ns + b.system_ns != b.cpu_ns;
}

/* One reading of each kind, between two whole readings. If user time is read first, CPU time has grown by at least
 * as much. */
static struct tclk_times round_of_reads(struct violations *v, struct tclk_times last)
{
    struct tclk_times a = {-1, -1, -1};
    struct tclk_times b = {-1, -1, -1};
    v->errors += tclk_thread_read(&a) != 0;
    int64_t user_ns = tclk_thread_user_ns();
    int64_t cpu_ns = tclk_thread_cpu_ns();
    v->errors += tclk_thread_read(&b) != 0;
    compare(v, last, a);
    compare(v, a, b);
    v->cpu_steps_back += cpu_ns < a.cpu_ns || cpu_ns > b.cpu_ns;
    v->user_steps_back += user_ns < a.user_ns || user_ns > b.user_ns;
    v->user_too_fast += user_ns - a.user_ns > cpu_ns - a.cpu_ns;
    return b;
}

/* Does something of everything that disturbs a clock. */
static void work(int64_t round)
{
    static char page[65536];
    if (round % 16 == 0) {
        getppid();
    }
    if (round % 64 == 1 && read(zero_fd, page, sizeof page) < 0) {
        abort();
    }
    if (round % 1024 == 2) {
        sched_yield();
    }
    if (round % 4096 == 3) {
        sleep_ns(1);
    }
}

static struct violations read_much(int64_t rounds)
{
    struct violations v = {0};
    struct tclk_times last = times_now();
    for (int64_t i = 0; i < rounds; i++) {
        work(i);
        last = round_of_reads(&v, last);
    }
    return v;
}

static void confirm(const struct violations *v, const char *source, const char *how)
{
    is_ns(v->errors, 0, "%s, %s: every reading succeeds", source, how);
    is_ns(v->cpu_steps_back, 0, "%s, %s: CPU time never steps back", source, how);
    is_ns(v->user_steps_back, 0, "%s, %s: nor does user time", source, how);
    is_ns(v->user_too_fast, 0, "%s, %s: user time grows no faster than CPU time", source, how);
    is_ns(v->inconsistent, 0, "%s, %s: user + system = CPU time", source, how);
}

static void smoothed(const char *source)
{
    struct violations v = read_much(kind_rounds(ROUNDS));
    confirm(&v, source, "smoothed");
}

static void as_the_kernel_splits(const char *source)
{
    struct tclk_config config = {.source = tclk_clock_source(), .split = TCLK_SPLIT_KERNEL};
    tclk_clock_configure(&config);
    struct violations v = read_much(kind_rounds(ROUNDS));
    confirm(&v, source, "kernel's split");
}

/* If perf events are refused, the split is `smoothed`, which has the same law. */
static void as_samples_split(const char *source)
{
    struct tclk_config config = {.source = tclk_clock_source(), .split = TCLK_SPLIT_SAMPLED};
    tclk_clock_configure(&config);
    struct violations v = read_much(kind_rounds(ROUNDS));
    confirm(&v, source, "sampled");
}

/* ---- while everything is changed ---- */

static const enum tclk_split consistent_splits[] = {TCLK_SPLIT_SMOOTHED, TCLK_SPLIT_KERNEL, TCLK_SPLIT_SAMPLED};

static bool ends;

static void *configure_at_random(void *changes)
{
    unsigned seed = 4711;
    while (!__atomic_load_n(&ends, __ATOMIC_RELAXED)) {
        struct tclk_config config = {
            .source = consistent_sources[(size_t)rand_r(&seed) % CONSISTENT_SOURCES],
            .split = consistent_splits[rand_r(&seed) % 3],
            .window_ns = MS + rand_r(&seed) % (20 * MS),
            .counts_reads = rand_r(&seed) % 2 == 0,
        };
        *(int64_t *)changes += tclk_clock_configure(&config) == 0;
        sleep_ns(200 * US);
    }
    return NULL;
}

static void while_configured(void)
{
    int64_t changes = 0;
    pthread_t thread = thread_start(configure_at_random, &changes);
    struct violations v = read_much(kind_rounds(4 * ROUNDS));
    __atomic_store_n(&ends, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    confirm(&v, "all sources", "changed at random");
    ok(changes > 0, "the clock was configured anew meanwhile");
    diag("%" PRId64 " times", changes);
}

int main(void)
{
    zero_fd = open("/dev/zero", O_RDONLY);
    with_each_source(smoothed);
    with_each_source(as_the_kernel_splits);
    with_each_source(as_samples_split);
    while_configured();
    return done();
}
