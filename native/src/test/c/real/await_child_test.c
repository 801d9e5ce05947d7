/* SPDX-License-Identifier: Apache-2.0 */

/* Tests how the self-test gets switched out and in again on one CPU: it waits for a child that nobody else notices. */

#include "kernel/probe.h"
#include "kernel/usage.h"
#include "real.h"

#define WAITS 64
#define NEEDED 8 /* as many as the self-test needs of sleeps */

static volatile sig_atomic_t told;

static void count_signal(int number)
{
    told += number == SIGCHLD;
}

static int64_t voluntary_switches(void)
{
    struct tclk_usage usage = {0};
    tclk_usage_read(&usage);
    return usage.voluntary_switches;
}

static bool switches_on_its_cpu(void)
{
    int64_t before = voluntary_switches();
    int cpu = sched_getcpu();
    tclk_probe_await_child();
    return sched_getcpu() == cpu && voluntary_switches() > before;
}

static void switches_and_stays(void)
{
    int found = 0;
    for (int i = 0; i < WAITS; i++) {
        found += switches_on_its_cpu();
    }
    ok(found >= NEEDED, "waits for a child switch the thread out and in again on its CPU");
    diag("%d of %d did", found, WAITS);
}

static void nobody_notices(void)
{
    sigset_t before = {0};
    sigset_t after = {0};
    signal(SIGCHLD, count_signal);
    sigprocmask(SIG_SETMASK, NULL, &before);
    bool awaited = tclk_probe_await_child();
    sigprocmask(SIG_SETMASK, NULL, &after);
    ok(awaited, "a child can be created");
    is_ns(told, 0, "its end sends no SIGCHLD");
    ok(waitpid(-1, NULL, __WALL) == -1 && errno == ECHILD, "and leaves nothing to be waited for");
    ok(memcmp(&before, &after, sizeof before) == 0, "no signal stays blocked");
}

static void refused(void)
{
    if (skips(!seccomp_refuse(SYS_clone, EPERM), "the function reports that clone(2) is refused", SECCOMP_MISSING)) {
        return;
    }
    ok(!tclk_probe_await_child(), "the function reports that clone(2) is refused");
}

int main(void)
{
    if (!tclk_probe_await_child()) {
        skip("waits for a child switch the thread out",
             "clone(2) of a child without a signal; qemu's user mode has none");
        return done();
    }
    if (kind_judges_timing("waits for a child switch the thread out and in again on its CPU")) {
        switches_and_stays();
    }
    in_child(nobody_notices);
    in_child(refused);
    return done();
}
