/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the counts of what the clock has done. */

#include "real.h"

/* ---- causes ---- */

static void first_reads(const char *source)
{
    uint64_t before = stats_now().resyncs_first;
    test_in_thread(read_times_once);
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
    is_ns(resyncs_in(fresh) + fresh.threads + fresh.demotions + fresh.lost, 0,
          "a process that has not read has done nothing");
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
