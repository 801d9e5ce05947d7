/* SPDX-License-Identifier: Apache-2.0 */

/* Tests that the wall time of a reading is CLOCK_MONOTONIC, goes as the CPU time does, and never goes back. */

#include "clock/thread.h"
#include "clock/waits.h"
#include "clock/wall.h"
#include "machine.h"

#include <tap.h>

static int64_t monotonic_ns(void)
{
    return machine.raw_ns + machine.monotonic_ahead_ns;
}

struct reading {
    struct tclk_point point;
    int64_t wall_ns;
    int64_t off_ns; /* ahead of the kernel's clock when the reading had ended */
};

/* As jvm/java_clock.c reads. */
static struct reading read_with_wall(void)
{
    static int64_t told_ns;
    struct reading r;
    struct tclk_waits waits;
    r.wall_ns = tclk_wall_ns();
    tclk_thread_waits(&waits);
    if (!tclk_waits_recall_with_point(tclk_thread.counting, &r.point, &waits, &r.wall_ns)) {
        r.point = read_now();
    }
    r.off_ns = r.wall_ns - monotonic_ns();
    ok(r.wall_ns >= told_ns, "wall time does not go back: %" PRId64 " after %" PRId64, r.wall_ns, told_ns);
    told_ns = tclk_wall_ns();
    ok(told_ns >= r.wall_ns, "…nor does it for a thread that asks the kernel");
    return r;
}

static void is_the_kernels(const char *when)
{
    int64_t off_ns = read_with_wall().off_ns;
    ok(-MACHINE_LOOK_NS - ROUNDING_NS <= off_ns && off_ns <= ROUNDING_NS, "%s, it is the kernel's, but for %" PRId64,
       when, off_ns);
}

static void use_rseq(void)
{
    USE(.source = TCLK_SOURCE_RSEQ);
    read_with_wall();
}

TEST(of_a_thread_that_runs_and_waits)
{
    use_rseq();
    for (int i = 0; i < 20; i++) {
        struct reading before = read_with_wall();
        machine_run(10 * US, USER_MODE);
        struct reading after = read_with_wall();
        is_ns(after.wall_ns - before.wall_ns, after.point.cpu_ns - before.point.cpu_ns, "it grows as CPU time does");
        machine_run(3 * MS, USER_MODE);
        is_the_kernels("while the thread runs");
        machine_preempt(2 * MS);
        is_the_kernels("after a preemption");
    }
    machine_sleep(60 * S);
    is_the_kernels("after a sleep");
    machine_run(20 * MS, USER_MODE);
    is_the_kernels("after several windows");
}

/* CPU time goes at half its speed until the kernel is there. */
TEST(after_a_steal)
{
    use_rseq();
    machine_run(MS, USER_MODE);
    machine_steal(2 * MS);
    read_with_wall();
    machine_run(1500 * US, USER_MODE);
    for (int i = 0; i < 20; i++) {
        is_the_kernels("after a steal");
        machine_run(50 * US, USER_MODE);
    }
}

/* As fast as a crystal never is. */
TEST(by_a_counter_that_is_fast)
{
    USE(.source = TCLK_SOURCE_RSEQ, .window_ns = 100 * MS);
    read_with_wall();
    machine.counter_rate_ppm = 400;
    for (int i = 0; i < 20; i++) {
        machine_sleep(MS);
        read_with_wall();
        machine_run(90 * MS, USER_MODE);
        int64_t off_ns = read_with_wall().off_ns;
        ok(off_ns > -US && off_ns < 90 * MS / 2000, "it is ahead by %" PRId64 ", which is one window's error", off_ns);
    }
}

TEST(without_a_detector)
{
    USE(.source = TCLK_SOURCE_CLOCK);
    int64_t before_ns = monotonic_ns();
    int64_t wall_ns = read_with_wall().wall_ns;
    ok(before_ns <= wall_ns && wall_ns <= monotonic_ns(), "without a detector, it is the kernel's");
}

TEST(after_a_suspend)
{
    use_rseq();
    machine_run(100 * US, USER_MODE);
    read_with_wall();
    machine_sleep(MS);
    machine_jump(3600 * S);
    is_the_kernels("after a suspend in which only the counter went on");
    machine_sleep(MS);
    machine_jump(-3600 * S);
    is_the_kernels("after one in which it has begun anew");
}

/* The other machine's clock is behind by an hour, or ahead by half of one. */
TEST(after_a_restore)
{
    machine.monotonic_ahead_ns = 7200 * S;
    use_rseq();
    int64_t before_ns = read_with_wall().wall_ns;
    machine_restore(10 * MS, 0);
    machine.monotonic_ahead_ns = 3600 * S;
    int64_t restored_ns = read_with_wall().wall_ns;
    int64_t from_ns = monotonic_ns();
    ok(restored_ns - before_ns < MS, "after a restore on a machine that is behind, it goes on");
    machine_sleep(5 * MS);
    int64_t wall_ns = read_with_wall().wall_ns;
    int64_t off_ns = wall_ns - restored_ns - (monotonic_ns() - from_ns);
    ok(-MS / 10 < off_ns && off_ns < MS / 10, "…as the new one's does, but for %" PRId64, off_ns);
    machine_restore(10 * MS, 0);
    machine.monotonic_ahead_ns = 5400 * S;
    ok(read_with_wall().wall_ns - wall_ns >= 1800 * S, "on one that is ahead, it is, too");
}
