/* SPDX-License-Identifier: Apache-2.0 */

/* A million readings of all kinds: none is less than one before it, and user time never grows faster than CPU time. */

#include "real.h"

/* The number of rounds, with four readings each. */
#define ROUNDS 250000

/* One reading of each kind, between two whole readings. If user time is read first, CPU time has grown by at least
 * as much. */
static void round_of_reads(struct sequence *s)
{
    sequence_read(s);
    struct tclk_times middle = {.user_ns = tclk_thread_user_ns()};
    middle.cpu_ns = tclk_thread_cpu_ns();
    sequence_compare(s, s->last, middle);
    sequence_read(s);
    s->cpu_back += s->last.cpu_ns < middle.cpu_ns;
    s->user_back += s->last.user_ns < middle.user_ns;
}

/* Does something of everything that disturbs a clock. */
static void disturb(int64_t round)
{
    if (round % 16 == 0) {
        getppid();
    }
    if (round % 64 == 1) {
        copy_zeroes(1);
    }
    if (round % 1024 == 2) {
        sched_yield();
    }
    if (round % 4096 == 3) {
        sleep_ns(1);
    }
}

static void read_much(int64_t rounds, const char *source, const char *how)
{
    struct sequence s = {.last = times_now()};
    for (int64_t i = 0; i < rounds; i++) {
        disturb(i);
        round_of_reads(&s);
    }
    sequence_holds(&s, source, how);
}

static void smoothed(const char *source)
{
    read_much(kind_rounds(ROUNDS), source, "smoothed");
}

/* If perf events are refused, this is smoothed, which has the same law. A process that samples goes on to its end. */
static void sampled(const char *source)
{
    read_much(kind_rounds(ROUNDS), source, "sampled");
}

/* ---- while everything is changed ---- */

struct changes {
    unsigned seed;
    int64_t made;
    int64_t refused;
};

static void configure_at_random(void *argument)
{
    struct changes *changes = argument;
    struct tclk_config config = {
        .source = consistent_sources[(size_t)rand_r(&changes->seed) % CONSISTENT_SOURCES],
        .window_ns = MS + rand_r(&changes->seed) % (20 * MS),
    };
    int error = -EBUSY;
    while (error == -EBUSY) { /* while the reading thread is in a self-test */
        error = tclk_clock_configure(&config);
    }
    changes->made += error == 0;
    changes->refused += error != 0 && error != -ENOTSUP;
    sleep_ns(200 * US);
}

static void while_configured(void)
{
    struct changes changes = {.seed = 4711};
    struct repeater repeater;
    repeater_start(&repeater, configure_at_random, &changes);
    read_much(kind_rounds(4 * ROUNDS), "all sources", "changed at random");
    repeater_stop(&repeater);
    ok(changes.made > 0, "the clock was configured anew meanwhile");
    is_ns(changes.refused, 0, "a source that is here is never refused while a thread reads");
    diag("%" PRId64 " times", changes.made);
}

int main(void)
{
    with_each_source(smoothed);
    while_configured();
    sources_split = TCLK_SPLIT_SAMPLED;
    with_each_source(sampled);
    return done();
}
