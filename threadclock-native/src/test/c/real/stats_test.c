/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the counts of what the clock has done. */

#include "clocks.h"
#include "kind.h"
#include "sources.h"
#include "stats.h"
#include "threads.h"

#include <tap.h>

#define READS 20000

static bool counts(enum tclk_source source)
{
    return source_is_here((struct tclk_config){.source = source, .counts_reads = true});
}

/* ---- reads ---- */

static void read_all_ways(int n)
{
    struct tclk_times times;
    for (int i = 0; i < n; i++) {
        if (i % 3 == 0) {
            tclk_thread_cpu_ns();
        } else if (i % 3 == 1) {
            tclk_thread_user_ns();
        } else {
            tclk_thread_read(&times);
        }
    }
}

static void *read_in_thread(void *unused)
{
    read_all_ways(READS);
    return unused;
}

static void counts_every_read(enum tclk_source source)
{
    if (!counts(source)) {
        return;
    }
    times_now();
    uint64_t before = stats_now().reads;
    read_all_ways(READS);
    is_ns(stats_now().reads - before, READS, "%s: every read is counted, if reads are", tclk_source_name(source));
    before = stats_now().reads;
    pthread_t first = thread_start(read_in_thread, NULL);
    pthread_t second = thread_start(read_in_thread, NULL);
    pthread_join(first, NULL);
    pthread_join(second, NULL);
    is_ns(stats_now().reads - before, 2 * READS, "%s: those of threads that have ended too", tclk_source_name(source));
}

static uint64_t resyncs(const struct tclk_stats *s)
{
    return s->resyncs_first + s->resyncs_switch + s->resyncs_window + s->resyncs_ahead + s->resyncs_overlap +
           s->resyncs_unarmed;
}

static void counts_what_asks_the_kernel(const char *source)
{
    times_now();
    struct tclk_stats before = stats_now();
    read_all_ways(READS);
    struct tclk_stats after = stats_now();
    is_ns(after.reads - before.reads, resyncs(&after) - resyncs(&before),
          "%s: else those that ask the kernel, each with its cause", source);
}

/* ---- causes ---- */

static void *read_once(void *unused)
{
    times_now();
    return unused;
}

static void first_reads(const char *source)
{
    uint64_t before = stats_now().resyncs_first;
    in_thread(read_once, NULL);
    is_ns(stats_now().resyncs_first - before, 1, "%s: a thread's first read is counted as such", source);
}

#define SLEEPS 20

static void sleeps(const char *source)
{
    times_now();
    struct tclk_stats before = stats_now();
    uint64_t switched = 0; /* on a busy machine a sleep may be over before it begins */
    for (int i = 0; i < SLEEPS; i++) {
        int64_t switches = switches_now();
        sleep_ns(100 * US);
        switched += switches_now() != switches;
        times_now();
    }
    struct tclk_stats after = stats_now();
    uint64_t seen = after.resyncs_switch - before.resyncs_switch;
    uint64_t unarmed = after.resyncs_unarmed - before.resyncs_unarmed;
    ok(switched > 0 && seen + unarmed + 2 >= switched && seen + unarmed <= SLEEPS,
       "%s: a read after a sleep asks the kernel because of it", source);
    diag("%" PRIu64 " after a switch, %" PRIu64 " without a detector, of %d, %" PRIu64 " of them real", seen, unarmed,
         SLEEPS, switched);
}

/* Steal from a virtual CPU is a jump of the thread's time, in which it could not ask. */
static int64_t worked_ns(int64_t *last_ns)
{
    int64_t since_ns = *last_ns;
    *last_ns = kernel_cpu_ns();
    return *last_ns - since_ns < MS ? *last_ns - since_ns : 0;
}

/* Counts windows of CPU time only, because a thread that is switched out asks for that reason instead. */
static void windows(const char *source)
{
    times_now();
    struct tclk_stats before = stats_now();
    int64_t last_ns = kernel_cpu_ns();
    for (int64_t ns = 0; ns < 100 * MS; ns += worked_ns(&last_ns)) {
        times_now();
    }
    struct tclk_stats after = stats_now();
    uint64_t asked = after.resyncs_window - before.resyncs_window + after.resyncs_switch - before.resyncs_switch;
    ok(asked >= 100 / 4 / 2, "%s: computing for 100 ms, a thread asks the kernel every 4 ms", source);
    diag("asked %" PRIu64 " times", asked);
}

static void windows_of(enum tclk_source source)
{
    if (source_use(source)) {
        windows(tclk_source_name(source));
    }
}

int main(void)
{
    struct tclk_stats fresh = stats_now();
    is_ns(fresh.reads + resyncs(&fresh) + fresh.threads + fresh.demotions + fresh.lost, 0,
          "a process that has not read has done nothing");
    for (enum tclk_source s = TCLK_SOURCE_RSEQ; s <= TCLK_SOURCE_IDS; s++) {
        counts_every_read(s);
    }
    with_each_source(counts_what_asks_the_kernel);
    with_each_source(first_reads);
    if (kind_judges_timing("reads after sleeps and windows ask the kernel because of them")) {
        with_each_source(sleeps);
        windows_of(TCLK_SOURCE_RSEQ);
        windows_of(TCLK_SOURCE_PERF);
        windows_of(TCLK_SOURCE_IDS);
    }
    is_ns(stats_now().demotions, 0, "no source has been given up");
    return done();
}
