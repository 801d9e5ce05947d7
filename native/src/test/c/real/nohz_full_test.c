/* SPDX-License-Identifier: Apache-2.0 */

/*
 * CPUs in nohz_full= measure user time, but tell it in steps of a tick or more. Their values are no fresher than those
 * of ticking CPUs, so both are read alike.
 */

#include "real.h"
#include "ticks.h"

#define WORK_NS (300 * MS)

/* The first CPU in the kernel's list; -1: there is none. */
static int measuring_cpu(void)
{
    char list[64] = {0};
    int fd = open("/sys/devices/system/cpu/nohz_full", O_RDONLY | O_CLOEXEC);
    ssize_t got = fd < 0 ? 0 : read(fd, list, sizeof list - 1);
    close(fd);
    return got > 0 && list[0] >= '0' && list[0] <= '9' ? atoi(list) : -1;
}

struct steps {
    int64_t count;
    int64_t least_ns;
    int64_t inconsistent;
};

/* Runs user code and a system call, and reads all clocks. */
static void work_once(struct steps *steps, int64_t *user_ns, struct tclk_times *last)
{
    spin_times(2000);
    struct tclk_times now = times_now();
    steps->inconsistent += now.user_ns < last->user_ns || now.system_ns < last->system_ns;
    *last = now;
    int64_t now_ns = ticked_now_ns(TCLK_CLOCK_VIRT);
    int64_t step_ns = now_ns - *user_ns;
    *user_ns = now_ns;
    if (step_ns > 0) {
        steps->least_ns = steps->count++ == 0 || step_ns < steps->least_ns ? step_ns : steps->least_ns;
    }
}

static struct steps work_on(int cpu)
{
    struct steps steps = {0};
    cpu_pin(0, cpu);
    struct tclk_times last = times_now();
    int64_t user_ns = ticked_now_ns(TCLK_CLOCK_VIRT);
    int64_t end_ns = ticked_now_ns(TCLK_CLOCK_SCHED) + WORK_NS;
    while (ticked_now_ns(TCLK_CLOCK_SCHED) < end_ns) {
        work_once(&steps, &user_ns, &last);
    }
    diag("CPU %d: %" PRId64 " steps, the least %" PRId64 " ns", cpu, steps.count, steps.least_ns);
    return steps;
}

int main(void)
{
    int cpu = measuring_cpu();
    if (skips(cpu < 0, "a CPU that measures user time tells it in steps of a tick", "CPUs in nohz_full=")) {
        return done();
    }
    /* The coarse clock's tick is rounded. */
    tick_ns = tclk_clock_tick_ns() - 1000;
    struct steps measured = work_on(cpu);
    struct steps ticked = work_on(0);
    ok(measured.count > 0 && measured.least_ns >= tick_ns,
       "a CPU that measures user time tells it in steps of a tick, or more");
    ok(ticked.count == 0 || ticked.least_ns >= tick_ns, "a CPU that ticks tells user time in such steps, too");
    is_ns(measured.inconsistent + ticked.inconsistent, 0,
          "readings of a thread that moves between both never step back");
    return done();
}
