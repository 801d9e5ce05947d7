/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The tick trap: a thread that computes in bursts of 300 us, always at the same phase of the clock
 * tick. The raw tick counter, which JDK 26 reads, shows no user time at all, or a whole tick for each
 * burst: more than the CPU time.
 */

#include "real.h"
#include "ticks.h"

#define PHASES 16
#define BURSTS 15

struct phase {
    int number;
    struct tclk_times times;
    int64_t virt_ns;   /* what ticks have found in user mode */
    int64_t prof_ns;   /* … and in either */
    int64_t thread_ns; /* its CPU time from start to end */
    int64_t wrong;     /* bursts with more user than CPU time */
};

static void *burst(void *argument)
{
    struct phase *phase = argument;
    prctl(PR_SET_TIMERSLACK, 1);
    for (int i = 0; i < BURSTS; i++) {
        phase->wrong += !burst_at_phase(tick_ns * phase->number / PHASES, &phase->times);
    }
    phase->virt_ns = ticked_now_ns(TCLK_CLOCK_VIRT);
    phase->prof_ns = ticked_now_ns(TCLK_CLOCK_PROF);
    phase->thread_ns = kernel_cpu_ns();
    return NULL;
}

/* A tick may find the thread in the kernel, on its way into or out of its sleep. Such a phase then shows less user
 * time than the thread has had, but all phases together show most of it. On most machines these ways take a few
 * percent of the thread's time, on an emulated one up to half of it. */
#define USER_PERCENT 60
#define MISSED_MAX (PHASES / 8)

/* Beside threads that take turns with this one tick by tick, ticks find the thread at no phase, or on its way in and
 * out. Then the kernel itself does not know the division, and the library need not know it better. */
#define FOUND_PERCENT 60

static bool is_seen(const struct phase *sum)
{
    return sum->prof_ns * 100 >= sum->thread_ns * FOUND_PERCENT && sum->virt_ns * 100 >= sum->prof_ns * USER_PERCENT;
}

static void judge(bool is_right, const struct phase *sum, const char *source, const char *sentence)
{
    if (!is_right && !is_seen(sum)) {
        skip(sentence, "clock ticks that find the threads in their bursts");
    } else {
        ok(is_right, "%s: %s", source, sentence);
    }
}

static struct phase phases[PHASES];

static void run_phases(void)
{
    for (int i = 0; i < PHASES; i++) {
        phases[i] = (struct phase){.number = i};
        find_tick();
        in_thread(burst, &phases[i]);
    }
}

static void bursts_at_all_phases(const char *source)
{
    struct phase sum = {0};
    int64_t without = 0;
    int64_t least_virt_ns = INT64_MAX;
    int64_t most_virt_ns = 0;
    run_phases();
    for (const struct phase *phase = phases; phase < phases + PHASES; phase++) {
        sum.wrong += phase->wrong;
        sum.times.cpu_ns += phase->times.cpu_ns;
        sum.times.user_ns += phase->times.user_ns;
        sum.thread_ns += phase->thread_ns;
        sum.virt_ns += phase->virt_ns;
        sum.prof_ns += phase->prof_ns;
        without += phase->times.user_ns * 10 < phase->times.cpu_ns;
        least_virt_ns = phase->virt_ns < least_virt_ns ? phase->virt_ns : least_virt_ns;
        most_virt_ns = phase->virt_ns > most_virt_ns ? phase->virt_ns : most_virt_ns;
    }
    is_ns(sum.wrong, 0, "%s: no burst at any of %d phases has more user than CPU time", source, PHASES);
    double burst_share = (double)sum.times.cpu_ns / (double)sum.thread_ns;
    judge((double)without <= MISSED_MAX + PHASES * (1 - burst_share), &sum, source,
          "bursts at (nearly) all phases have user time");
    bool is_most = (double)sum.times.user_ns * 100 >= (double)sum.times.cpu_ns * burst_share * USER_PERCENT;
    if (!is_most && kind_has_late_timers()) {
        skip("most of all bursts is user time", KIND_LATE_TIMERS);
    } else {
        judge(is_most, &sum, source, "most of all bursts is user time");
    }
    diag("%.0f %% of the threads' time is bursts; ticks found %" PRId64 " us of %" PRId64 ", %" PRId64 " in user mode",
         burst_share * 100, sum.prof_ns / US, sum.thread_ns / US, sum.virt_ns / US);
    diag("a phase: CPU time %" PRId64 " us, user time %" PRId64 " us, missing at %" PRId64
         " phases; the raw ticks say %" PRId64 " to %" PRId64 " us",
         sum.times.cpu_ns / PHASES / US, sum.times.user_ns / PHASES / US, without, least_virt_ns / US,
         most_virt_ns / US);
}

int main(void)
{
    if (!skips(!KIND_IS_PLAIN, "bursts at any phase of the tick show their user time", KIND_PLAIN_ONLY)) {
        with_each_source(bursts_at_all_phases);
    }
    return done();
}
