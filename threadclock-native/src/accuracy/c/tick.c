/* SPDX-License-Identifier: Apache-2.0 */
#include "tick.h"

#include "kernel/clockid.h"
#include "kernel/raw_clock.h"

#include <sched.h>
#include <sys/prctl.h>
#include <time.h>

#define NS_PER_S INT64_C(1000000000)

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return t.tv_sec * NS_PER_S + t.tv_nsec;
}

/* Each CPU has its own tick, and the phase of one need not be another's. */
static void stay_on_cpu(void)
{
    cpu_set_t here;
    CPU_ZERO(&here);
    CPU_SET((size_t)sched_getcpu(), &here);
    sched_setaffinity(0, sizeof here, &here);
}

/* How narrowly, as a part of its length, a tick has to be caught. */
#define NARROW_PARTS 400

/* A tick, as the coarse clock shows it by moving. */
static int64_t catch_tick(int64_t length_ns)
{
    int64_t before_ns;
    int64_t after_ns = 0;
    do {
        uint64_t last_ns = tclk_coarse_clock_ns();
        do {
            before_ns = now_ns();
        } while (tclk_coarse_clock_ns() == last_ns);
        after_ns = now_ns();
    } while (after_ns - before_ns > length_ns / NARROW_PARTS);
    return before_ns;
}

/* Two catches that agree are two ticks, none of which came late; of machines on which none agree, the workload's
 * own count of hits tells. Kernels start the ticks of all CPUs at one phase unless told otherwise (skew_tick=1). */
#define CATCHES 32

static bool agree(int64_t at_ns, int64_t other_at_ns, int64_t length_ns)
{
    int64_t off_ns = (at_ns - other_at_ns) % length_ns;
    int64_t narrow_ns = length_ns / NARROW_PARTS;
    return off_ns <= narrow_ns || off_ns >= length_ns - narrow_ns;
}

void tick_find(struct tick *tick)
{
    int64_t last_at_ns;
    int catches = 1;
    stay_on_cpu();
    prctl(PR_SET_TIMERSLACK, 1);
    *tick = (struct tick){.length_ns = tclk_clock_tick_ns()};
    tick->at_ns = catch_tick(tick->length_ns);
    do {
        last_at_ns = tick->at_ns;
        tick->at_ns = catch_tick(tick->length_ns);
    } while (!agree(tick->at_ns, last_at_ns, tick->length_ns) && ++catches < CATCHES);
}

/* How late, as a part of the tick, it may be woken: a burst is a little longer than two of these. The last
 * attempt is taken as it is. */
#define LATE_PARTS 80
#define ATTEMPTS 16

static int64_t sleep_once(const struct tick *tick, int64_t offset_ns)
{
    int64_t ticks = (now_ns() - tick->at_ns - offset_ns) / tick->length_ns + 1;
    int64_t ns = tick->at_ns + ticks * tick->length_ns + offset_ns;
    struct timespec t = {.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
    clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &t, NULL);
    return now_ns() - ns;
}

void tick_sleep_until(const struct tick *tick, int64_t offset_ns)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        if (sleep_once(tick, offset_ns) <= tick->length_ns / LATE_PARTS) {
            return;
        }
    }
}

static int64_t user_ticks_ns(void)
{
    int64_t ns = 0;
    tclk_clock_read_own(TCLK_CLOCK_VIRT, &ns);
    return ns;
}

void tick_watch(struct tick *tick)
{
    tick->ticked_ns = user_ticks_ns();
}

void tick_count(struct tick *tick)
{
    tick->bursts++;
    tick->hits += user_ticks_ns() != tick->ticked_ns;
}
