/* SPDX-License-Identifier: Apache-2.0 */

/* Our readings lie between the kernel's: alone on a CPU, beside a busy thread, while the thread is moved, and in eight
 * threads on two CPUs. */

#include "real.h"

#define WATCH_NS (600 * MS)
#define MOVE_NS (200 * US)
#define THREADS 8

/* Longer than the spinner's turn, which would end a window of 4 ms and so hide a missed switch. */
#define LONG_WINDOW_NS (100 * MS)

static int cpus[2];

static void alone(const char *source)
{
    cpu_pin(0, cpus[0]);
    witness_reads_right(kind_rounds(WATCH_NS), source, "alone");
}

static void beside_a_spinner(const char *source)
{
    struct spinner spinner;
    cpu_pin(0, cpus[0]);
    spinner_start(&spinner, cpus[0]);
    source_is_here((struct tclk_config){.source = tclk_clock_source(), .window_ns = LONG_WINDOW_NS});
    struct witness w = witness_watch_switched(kind_rounds(WATCH_NS));
    spinner_stop(&spinner);
    witness_confirms(&w, source, "beside a spinner on its CPU");
    ok(w.switched > 0, "%s: the spinner had the CPU in between", source);
}

static void moved_between_cpus(const char *source)
{
    struct mover mover;
    mover_start(&mover, tclk_tid_own(), cpus, MOVE_NS);
    struct witness w = witness_watch_switched(kind_rounds(WATCH_NS));
    mover_stop(&mover);
    witness_confirms(&w, source, "moved between CPUs");
    ok(w.switched > 0, "%s: the thread was moved", source);
}

static void eight_threads(const char *source)
{
    int64_t idle;
    cpu_pin_to_both(cpus[0], cpus[1]);
    struct witness sum = watchers_watch(THREADS, kind_rounds(WATCH_NS), &idle);
    witness_confirms(&sum, source, "eight threads on two CPUs");
    is_ns(idle, 0, "%s: all of them had their turn", source);
}

int main(void)
{
    if (cpus_allowed(cpus, 2) < 2) {
        skip("readings lie between the kernel's when the thread is moved", CPUS_MISSING);
        cpus[1] = cpus[0];
    } else {
        cpu_pin_to_both(cpus[0], cpus[1]);
        with_each_source(moved_between_cpus);
    }
    with_each_source(eight_threads);
    with_each_source(alone);
    with_each_source(beside_a_spinner);
    return done();
}
