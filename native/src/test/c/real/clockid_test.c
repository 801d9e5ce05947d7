/* SPDX-License-Identifier: Apache-2.0 */

/* Tests CPU clockids: their bits, and how the kernel and libc treat them. */

#include "kernel/clockid.h"
#include "real.h"

static const pid_t tids[] = {0,     1,     2,     7,      8,       9,       255,     256,
                             32767, 32768, 99999, 131071, 2097151, 2097152, 4194303, 4194304};
static const enum tclk_clock_scope scopes[] = {TCLK_CLOCK_PROCESS, TCLK_CLOCK_THREAD};
static const enum tclk_clock_kind kinds[] = {TCLK_CLOCK_PROF, TCLK_CLOCK_VIRT, TCLK_CLOCK_SCHED};

#define IDS (COUNT(tids) * COUNT(scopes) * COUNT(kinds))

static clockid_t id_at(size_t i)
{
    return tclk_clockid_encode(tids[i / 6], scopes[i / 3 % 2], kinds[i % 3]);
}

static void are_distinct(void)
{
    size_t same = 0;
    for (size_t i = 0; i < IDS; i++) {
        for (size_t j = 0; j < i; j++) {
            same += id_at(i) == id_at(j);
        }
    }
    is_ns(same, 0, "no two of %zu ids are the same, tids up to 2^22", IDS);
}

/* ---- the kernel's answers ---- */

/* True if our clock's reading is between two readings of libc's clock. */
static bool lies_between(clockid_t ours, clockid_t libcs)
{
    int64_t ns = -1;
    int64_t before_ns = clock_now_ns(libcs);
    int error = tclk_clock_read(ours, &ns);
    int64_t after_ns = clock_now_ns(libcs);
    bool between = error == 0 && before_ns <= ns && ns <= after_ns;
    if (!between) {
        diag("error %d, %" PRId64 " <= %" PRId64 " <= %" PRId64, error, before_ns, ns, after_ns);
    }
    return between;
}

static clockid_t own(enum tclk_clock_kind kind)
{
    return tclk_clockid_encode(0, TCLK_CLOCK_THREAD, kind);
}

static void in_second_thread(void)
{
    clockid_t libcs;
    clockid_t ours = tclk_clockid_encode(tclk_tid_own(), TCLK_CLOCK_THREAD, TCLK_CLOCK_SCHED);
    pthread_getcpuclockid(pthread_self(), &libcs);
    ok(ours == libcs, "a thread's clock by tid is what pthread_getcpuclockid() gives");
    ok(lies_between(own(TCLK_CLOCK_SCHED), CLOCK_THREAD_CPUTIME_ID), "tid 0 is the calling thread, not the first one");
}

static void of_threads(void)
{
    spin_cpu_ns(20 * MS);
    ok(lies_between(own(TCLK_CLOCK_SCHED), CLOCK_THREAD_CPUTIME_ID), "tid 0 reads as CLOCK_THREAD_CPUTIME_ID does");
    ok(lies_between(tclk_clockid_encode(tclk_tid_own(), TCLK_CLOCK_THREAD, TCLK_CLOCK_SCHED), CLOCK_THREAD_CPUTIME_ID),
       "so does the own tid");
    test_in_thread(in_second_thread);
}

static void of_processes(void)
{
    clockid_t libcs;
    clock_getcpuclockid(getpid(), &libcs);
    ok(lies_between(tclk_clockid_encode(getpid(), TCLK_CLOCK_PROCESS, TCLK_CLOCK_SCHED), libcs),
       "the process's clock by pid reads as the one of clock_getcpuclockid()");
    ok(lies_between(tclk_clockid_encode(0, TCLK_CLOCK_PROCESS, TCLK_CLOCK_SCHED), CLOCK_PROCESS_CPUTIME_ID),
       "pid 0 is the calling process");
}

static int64_t read_own(enum tclk_clock_kind kind)
{
    int64_t ns = -1;
    tclk_clock_read(own(kind), &ns);
    return ns;
}

static void work_in_kernel(void)
{
    copy_zeroes(100);
}

static void compute(void)
{
    spin_wall_ns(MS);
}

/* Some thirty ticks find this thread at work. With ten, half of them once fell on the way into the kernel. Beside
 * threads that take turns with it tick by tick, ticks may be rare, but they come. */
#define ENOUGH_NS (120 * MS)
#define MOST_NS (10 * S)

static int64_t user_of_work(void (*work)(void), int64_t *all_ns)
{
    int64_t virt_ns = read_own(TCLK_CLOCK_VIRT);
    int64_t prof_ns = read_own(TCLK_CLOCK_PROF);
    int64_t start_ns = kernel_cpu_ns();
    do {
        work();
        *all_ns = read_own(TCLK_CLOCK_PROF) - prof_ns;
    } while (*all_ns < ENOUGH_NS && kernel_cpu_ns() - start_ns < MOST_NS);
    return read_own(TCLK_CLOCK_VIRT) - virt_ns;
}

static void of_kinds(void)
{
    int64_t all_ns;
    int64_t user_ns = user_of_work(work_in_kernel, &all_ns);
    ok(all_ns >= ENOUGH_NS && user_ns < all_ns / 2, "work in the kernel counts in PROF, and hardly in VIRT");
    diag("PROF %" PRId64 " us, VIRT %" PRId64 " us", all_ns / US, user_ns / US);
    user_ns = user_of_work(compute, &all_ns);
    ok(all_ns >= ENOUGH_NS && user_ns > all_ns / 2, "computing counts in PROF and VIRT");
    diag("PROF %" PRId64 " us, VIRT %" PRId64 " us", all_ns / US, user_ns / US);
}

/* ---- errors ---- */

static void of_nobody(void)
{
    pid_t tid = thread_ended_tid();
    int64_t ns = 4711;
    is_ns(tclk_clock_read(tclk_clockid_encode(tid, TCLK_CLOCK_THREAD, TCLK_CLOCK_SCHED), &ns), -EINVAL,
          "a thread that has ended has no clock");
    is_ns(tclk_clock_read(tclk_clockid_encode(getppid(), TCLK_CLOCK_THREAD, TCLK_CLOCK_SCHED), &ns), -EINVAL,
          "another process's thread has none for us");
    is_ns(ns, 4711, "the result is left alone on error");
}

/* ---- the clock tick ---- */

#define STEPS 20
#define STEPS_PATIENCE_NS (60 * S)

static bool is_near(int64_t ns, int64_t expected_ns)
{
    return ns > expected_ns * 99 / 100 && ns < expected_ns * 101 / 100;
}

/* The coarse clock moves by whole ticks. A late tick moves it by several at once, and a thread that sleeps in between
 * may miss some. Where others have the CPU, this goes on until it has seen a step of a single tick. */
static int64_t least_step_ns(int64_t tick_ns)
{
    int64_t least_ns = INT64_MAX;
    int64_t last_ns = clock_now_ns(CLOCK_MONOTONIC_COARSE);
    int64_t until_ns = wall_ns() + STEPS_PATIENCE_NS;
    for (int i = 0; i < STEPS || (!is_near(least_ns, tick_ns) && wall_ns() < until_ns);) {
        sleep_ns(200 * US);
        int64_t now_ns = clock_now_ns(CLOCK_MONOTONIC_COARSE);
        int64_t step_ns = now_ns - last_ns;
        if (step_ns > 0) {
            least_ns = step_ns < least_ns ? step_ns : least_ns;
            last_ns = now_ns;
            i++;
        }
    }
    return least_ns;
}

static void tick_is_the_coarse_clocks_step(void)
{
    int64_t tick_ns = tclk_clock_tick_ns();
    int64_t least_ns = least_step_ns(tick_ns);
    ok(tick_ns >= 900 * US && tick_ns <= 10 * MS, "a tick is 1 to 10 ms long");
    ok(is_near(least_ns, tick_ns), "the coarse clock moves by ticks");
    diag("tick %" PRId64 " ns, least step %" PRId64 " ns", tick_ns, least_ns);
}

int main(void)
{
    are_distinct();
    of_threads();
    of_processes();
    of_nobody();
    if (kind_judges_timing("work counts in PROF and VIRT, and the coarse clock moves by ticks")) {
        of_kinds();
        tick_is_the_coarse_clocks_step();
    }
    return done();
}
