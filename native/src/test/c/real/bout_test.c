/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A thread that has worked in the kernel then computes in bursts that no clock tick finds. It is divided by bouts of
 * samples, which leave nothing behind.
 */

#include "real.h"
#include "ticks.h"

#define PAST_NS (100 * MS)
#define BURSTS 100

/* The number of rounds of bursts. On a busy machine it takes a while until it has had
 * undisturbed bouts. A thread that could have had them goes on for a minute. */
#define TIMES 20
#define TIMES_WITH_LATE_TIMERS 3
#define PATIENCE_NS (60 * S)

/* The share of the bursts must be at least this. The thread had 5 % of user time before, and ticks show no other
 * share. Timers that fire late, because a hypervisor or other processes have the CPU, lose samples. */
#define USER_LEAST 0.6

struct bursts {
    struct tclk_times times;
    int64_t thread_ns;
    int64_t booked_ns;
    int64_t wrong;
    uint64_t sampled;
    int tries;
};

static struct bursts bursts;

static void work_in_kernel(void)
{
    while (kernel_cpu_ns() < PAST_NS) {
        copy_zeroes(1);
        bursts.wrong += !times_are_consistent(times_now());
    }
}

static void bursts_at_a_time(void)
{
    bursts.times = (struct tclk_times){0, 0, 0};
    bursts.thread_ns = -kernel_cpu_ns();
    bursts.booked_ns = -ticked_now_ns(TCLK_CLOCK_PROF);
    for (int i = 0; i < BURSTS; i++) {
        bursts.wrong += !burst_at_phase(tick_ns / 4, &bursts.times);
    }
    bursts.thread_ns += kernel_cpu_ns();
    bursts.booked_ns += ticked_now_ns(TCLK_CLOCK_PROF);
    struct tclk_stats stats = stats_now();
    bursts.sampled = stats.threads_suspected - stats.threads_unsampled;
}

static double booked(void)
{
    return (double)bursts.booked_ns / (double)bursts.thread_ns;
}

static double user_share(void)
{
    return (double)bursts.times.user_ns / (double)bursts.times.cpu_ns;
}

/* The ticks have missed the bursts, and the thread is sampled. */
static bool is_trapped(void)
{
    return bursts.sampled != 0 && booked() <= 0.2;
}

static bool is_user_time(void)
{
    double burst_share = (double)bursts.times.cpu_ns / (double)bursts.thread_ns;
    return is_trapped() && user_share() > USER_LEAST * burst_share;
}

static bool goes_on(int64_t until_ns)
{
    bool late = kind_has_late_timers();
    return !is_user_time() &&
           (bursts.tries < (late ? TIMES_WITH_LATE_TIMERS : TIMES) || (!late && is_trapped() && wall_ns() < until_ns));
}

static void work(void)
{
    prctl(PR_SET_TIMERSLACK, 1);
    work_in_kernel();
    int64_t until_ns = wall_ns() + PATIENCE_NS;
    for (bursts.tries = 0; goes_on(until_ns); bursts.tries++) {
        bursts_at_a_time();
    }
}

static void judge_share(const char *source)
{
    diag("%.2f of the ticks that fit, %.3f user time, after %d bursts", booked(), user_share(), bursts.tries * BURSTS);
    if (booked() > 0.2) {
        skip("bursts clear of the tick are user time", "a machine on which they stay clear of it");
    } else if (bursts.sampled == 0) {
        skip("bursts clear of the tick are user time", "perf events");
    } else if (kind_has_late_timers() && !is_user_time()) {
        skip("bursts clear of the tick are user time", KIND_LATE_TIMERS);
    } else {
        ok(is_user_time(), "%s: bursts clear of the tick are user time: %.3f", source, user_share());
    }
}

static void bursts_clear_of_the_tick(const char *source)
{
    times_now();
    copy_zeroes(1); /* opens what it reads */
    struct leftovers before = leftovers_now();
    bursts = (struct bursts){.times = {.cpu_ns = 0}};
    find_tick();
    test_in_thread(work);
    is_ns(bursts.wrong, 0, "%s: no burst has more user than CPU time, or less than none", source);
    judge_share(source);
    leftovers_none(before, source);
}

int main(void)
{
    if (!skips(!KIND_IS_PLAIN, "bursts clear of the tick are user time", KIND_PLAIN_ONLY)) {
        with_each_source(bursts_clear_of_the_tick);
    }
    return done();
}
