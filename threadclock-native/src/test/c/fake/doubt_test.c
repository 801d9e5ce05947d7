/* SPDX-License-Identifier: Apache-2.0 */

/* Tests which threads' clock ticks are trusted, and which are not. */

#include "random.h"

#include "clock/divide/tick_test.h"

#include <tap.h>

#define US INT64_C(1000)
#define MS INT64_C(1000000)
#define S INT64_C(1000000000)
#define TICK_NS (4 * MS)

/* A thread on a machine that ticks, and its test. */
struct thread {
    struct tclk_tick_test test;
    int64_t wall_ns;
    int64_t cpu_ns;
    int64_t booked_ns;
    int64_t looked_ns;
    uint16_t switches;
    uint16_t counted_switches; /* at the last look that counted */
    int alarms;
    int good;
};

static int64_t random_below(int64_t ns)
{
    return (int64_t)(random_next() % (uint64_t)ns);
}

static void run(struct thread *t, int64_t ns)
{
    int64_t ticks = (t->wall_ns + ns) / TICK_NS - t->wall_ns / TICK_NS;
    t->wall_ns += ns;
    t->cpu_ns += ns;
    t->booked_ns += ticks * TICK_NS;
}

static void sleep_for(struct thread *t, int64_t ns)
{
    t->wall_ns += ns;
    t->switches++;
}

/* The thread counts this as CPU time, because its kernel does not know of it. No tick comes. */
static void lose_cpu_for(struct thread *t, int64_t ns)
{
    t->wall_ns += ns;
    t->cpu_ns += ns;
}

/* Looks once per tick of the thread's CPU time, as resyncs do. */
static void look(struct thread *t)
{
    if (t->cpu_ns - t->looked_ns < TICK_NS) {
        return;
    }
    t->looked_ns = t->cpu_ns;
    uint16_t switches = (uint16_t)(t->switches - t->counted_switches);
    enum tclk_ticks ticks = tclk_tick_test_follow(&t->test, t->cpu_ns, t->booked_ns, switches, TICK_NS);
    t->counted_switches = t->test.cpu_ns == t->cpu_ns ? t->switches : t->counted_switches;
    t->good += ticks == TCLK_TICKS_GOOD;
    if (ticks == TCLK_TICKS_ABSENT || ticks == TCLK_TICKS_CROWDED) {
        t->alarms++;
        tclk_tick_test_begin_again(&t->test);
    }
}

static struct thread born(void)
{
    return (struct thread){.wall_ns = random_below(S)};
}

/* ---- steady threads ---- */

#define STEADY_THREADS 5000

static int steady_alarms(int64_t piece_ns, int64_t others_ns)
{
    int alarmed = 0;
    for (int i = 0; i < STEADY_THREADS; i++) {
        struct thread t = born();
        while (t.cpu_ns < S) {
            run(&t, 1 + random_below(piece_ns));
            look(&t);
            if (others_ns > 0 && t.wall_ns % (2 * TICK_NS) < others_ns) {
                sleep_for(&t, others_ns);
            }
        }
        alarmed += t.alarms > 0;
    }
    return alarmed;
}

static void steady_threads_are_believed(void)
{
    is_ns(steady_alarms(100 * US, 0), 0, "of %d threads that run on, none is suspected in 1 s", STEADY_THREADS);
    is_ns(steady_alarms(7 * MS, 0), 0, "nor of those that read seldom");
    is_ns(steady_alarms(3 * MS, TICK_NS), 0, "nor of those that share a CPU, and are switched out at every other tick");
}

static int alarms_beside_a_host(int64_t most_ns)
{
    int alarmed = 0;
    for (int i = 0; i < STEADY_THREADS; i++) {
        struct thread t = born();
        while (t.cpu_ns < S) {
            run(&t, 1 + random_below(5 * MS));
            look(&t);
            lose_cpu_for(&t, random_below(most_ns));
            if (random_below(10) == 0) {
                sleep_for(&t, MS);
            }
        }
        alarmed += t.alarms > 0;
    }
    return alarmed;
}

static void lost_ticks_are_the_hosts(void)
{
    is_ns(alarms_beside_a_host(40 * MS), 0, "nor of those whose host withholds the CPU, and with it most of the ticks");
}

static void steady_threads_are_good(void)
{
    struct thread t = born();
    while (t.cpu_ns < S) {
        run(&t, 1 + random_below(MS));
        look(&t);
    }
    ok(t.good >= 8, "each 100 ms of 1 s have as many ticks as fit into them: %d", t.good);
}

/* ---- in step with the tick ---- */

static int64_t cpu_until_alarm(int64_t phase_ns, int64_t burst_ns)
{
    struct thread t = born();
    while (t.alarms == 0 && t.cpu_ns < S) {
        sleep_for(&t, TICK_NS - (t.wall_ns - phase_ns) % TICK_NS);
        run(&t, burst_ns);
        look(&t);
    }
    return t.cpu_ns;
}

static void in_step_is_suspected(void)
{
    for (int64_t phase_ns = 100 * US; phase_ns < TICK_NS - 300 * US; phase_ns += 500 * US) {
        int64_t cpu_ns = cpu_until_alarm(phase_ns, 300 * US);
        ok(cpu_ns < 20 * MS, "bursts %d us after the tick, and clear of it, after %.1f ms", (int)(phase_ns / US),
           (double)cpu_ns / 1e6);
    }
    int64_t cpu_ns = cpu_until_alarm(TICK_NS - 150 * US, 300 * US);
    ok(cpu_ns < 20 * MS, "bursts across the tick after %.1f ms", (double)cpu_ns / 1e6);
    cpu_ns = cpu_until_alarm(TICK_NS - 150 * US, 1800 * US);
    ok(cpu_ns < 250 * MS, "longer ones, of twice the ticks that fit, after %.1f ms", (double)cpu_ns / 1e6);
}

/* ---- bursts at random times ---- */

static void random_bursts(struct thread *t, int64_t cpu_ns)
{
    while (t->cpu_ns < cpu_ns) {
        sleep_for(t, 1 + random_below(8 * MS));
        run(t, 300 * US);
        look(t);
    }
}

static void chance_is_forgiven(void)
{
    int most = 0;
    int good = 0;
    for (int i = 0; i < 100; i++) {
        struct thread t = born();
        random_bursts(&t, 60 * S);
        most = t.alarms > most ? t.alarms : most;
        good += t.good;
    }
    ok(most <= 10, "bursts of 300 us at random times are suspected %d times in 60 s at most", most);
    ok(good > 100 * 400, "and most of their stretches are good: %d of 60000", good);
}

/* ---- the times of wake-ups ---- */

static int wakes_until_in_step(struct tclk_tick_test test, int64_t wait_ns, int64_t late_ns, int64_t cpu_ns)
{
    int wakes = 0;
    while (!tclk_tick_test_is_in_step(&test) && wakes < 1000) {
        int64_t wall_ns = wait_ns + random_below(2 * late_ns + 1) - late_ns;
        tclk_tick_test_note_wake(&test, wall_ns, cpu_ns, TICK_NS);
        wakes++;
    }
    return wakes;
}

static void wakes_show_the_step(void)
{
    struct tclk_tick_test test = {.patience = 0};
    is_ns(wakes_until_in_step(test, TICK_NS, 60 * US, 300 * US), 4, "four bursts that begin a tick apart are in step");
    is_ns(wakes_until_in_step(test, 25 * TICK_NS, 60 * US, 300 * US), 4, "or 100 ms");
    is_ns(wakes_until_in_step(test, TICK_NS + 65 * US, 0, 300 * US), 1000, "those that drift are not");
    is_ns(wakes_until_in_step(test, 3 * TICK_NS, 60 * US, 2 * MS), 1000, "nor those of half a tick and more");
    is_ns(wakes_until_in_step(test, 2 * MS, 2 * MS, 300 * US), 1000, "waits of less than half a tick say nothing");
    tclk_tick_test_begin_again(&test);
    is_ns(wakes_until_in_step(test, TICK_NS, 60 * US, 300 * US), 7,
          "a thread that was suspected before is given seven");
}

static void wakes_at_random_are_believed(void)
{
    int in_step = 0;
    for (int i = 0; i < STEADY_THREADS; i++) {
        struct tclk_tick_test test = {.patience = 0};
        bool was = false;
        for (int wake = 0; wake < 200; wake++) {
            tclk_tick_test_note_wake(&test, 3 * MS + random_below(10 * MS), 300 * US, TICK_NS);
            was |= tclk_tick_test_is_in_step(&test);
        }
        in_step += was;
    }
    ok(in_step * 1000 < STEADY_THREADS, "of %d threads that wake 200 times at random %d are found in step",
       STEADY_THREADS, in_step);
}

static void silence_is_longer_each_time(void)
{
    struct tclk_tick_test test = {.patience = 0};
    ok(!tclk_tick_test_is_silence(&test, TICK_NS, TICK_NS) && tclk_tick_test_is_silence(&test, 2 * TICK_NS, TICK_NS),
       "no tick in two is silence");
    for (int i = 0; i < 10; i++) {
        tclk_tick_test_begin_again(&test);
    }
    ok(!tclk_tick_test_is_silence(&test, 15 * TICK_NS, TICK_NS) &&
           tclk_tick_test_is_silence(&test, 16 * TICK_NS, TICK_NS),
       "after many alarms no tick in 16");
}

int main(void)
{
    steady_threads_are_believed();
    lost_ticks_are_the_hosts();
    steady_threads_are_good();
    in_step_is_suspected();
    chance_is_forgiven();
    wakes_show_the_step();
    wakes_at_random_are_believed();
    silence_is_longer_each_time();
    return done();
}
