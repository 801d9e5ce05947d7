/* SPDX-License-Identifier: Apache-2.0 */

/* How a thread has waited, compared with what the kernel's file and getrusage(2) tell the test itself. */

#include "kernel/schedstat.h"
#include "real.h"

#include <semaphore.h>

#define FILE_MISSING "/proc/thread-self/schedstat (CONFIG_SCHED_INFO, Linux 3.17)"

/* The kernel's figures, in the order in which they are read. */
struct kernels {
    int64_t switches;
    struct tclk_schedstat stat;
};

static struct kernels kernels_now(void)
{
    struct kernels k = {.switches = switches_now()};
    if (tclk_schedstat_read(TCLK_SCHEDSTAT_OF_CALLER, &k.stat) != 0) {
        k.stat = (struct tclk_schedstat){0, 0, 0};
    }
    return k;
}

static bool has_file(void)
{
    return kernels_now().stat.timeslices > 0;
}

static struct tclk_waits waits_now(void)
{
    struct tclk_waits waits = {-2, -2, -2};
    int error = tclk_thread_waits(&waits);
    if (error != 0) {
        ok(false, "the waits are known");
        diag("tclk_thread_waits() answers %d", error);
    }
    return waits;
}

static int64_t switches_of(struct tclk_waits waits)
{
    return waits.voluntary_switches + waits.involuntary_switches;
}

/* ---- exactly the kernel's ---- */

/* The thread may be switched out in between; then the figures lie between the two. */
static bool lies_between(struct kernels before, struct tclk_waits waits, struct kernels after)
{
    return (int64_t)before.stat.delay_ns <= waits.run_delay_ns && waits.run_delay_ns <= (int64_t)after.stat.delay_ns &&
           before.switches <= switches_of(waits) && switches_of(waits) <= after.switches;
}

struct tally {
    int64_t rounds;
    int64_t calm; /* no switch in between, so the figures must be equal */
    int64_t unequal;
    int64_t outside;
};

static void compare(struct tally *tally)
{
    struct kernels before = kernels_now();
    struct tclk_waits waits = waits_now();
    struct kernels after = kernels_now();
    bool is_calm = before.switches == switches_now();
    tally->rounds++;
    tally->calm += is_calm;
    tally->unequal +=
        is_calm && (waits.run_delay_ns != (int64_t)after.stat.delay_ns || switches_of(waits) != after.switches);
    tally->outside += !lies_between(before, waits, after);
}

static void report(struct tally tally, const char *source, const char *who)
{
    is_ns(tally.outside, 0, "%s: the waits of %s lie between two looks at the kernel's", source, who);
    is_ns(tally.unequal, 0, "%s: … and are equal if nothing was switched in between", source);
    diag("%" PRId64 " rounds, %" PRId64 " without a switch", tally.rounds, tally.calm);
}

#define ROUNDS 400

/* Computes, asks several times, and sleeps now and then. */
static struct tally compare_often(void)
{
    struct tally tally = {0, 0, 0, 0};
    for (int i = 0; i < kind_rounds(ROUNDS); i++) {
        spin_wall_ns(20 * US);
        waits_now();
        if (i % 8 == 0) {
            sleep_ns(50 * US);
        }
        compare(&tally);
    }
    return tally;
}

static void quiet_thread(const char *source)
{
    report(compare_often(), source, "a thread that sleeps now and then");
}

/* The scheduler's clock and CLOCK_MONOTONIC, which is steered, may differ by this much. */
static int64_t rates_slack_ns(int64_t took_ns)
{
    return took_ns / 1000;
}

/* ---- a thread that waits for its CPU ---- */

static const char *in_source;

static void in_second_thread(void)
{
    report(compare_often(), in_source, "a second thread");
}

static void second_thread(const char *source)
{
    in_source = source;
    test_in_thread(in_second_thread);
}

/* Until the thread has waited for 50 ms, which a CPU's other thread makes sure of. */
#define DELAY_NEEDED_NS (50 * MS)

static void beside_a_busy_thread(const char *source)
{
    int cpu;
    cpu_set_t before;
    struct spinner spinner;
    struct tally tally = {0, 0, 0, 0};
    sched_getaffinity(0, sizeof before, &before);
    cpus_allowed(&cpu, 1);
    cpu_pin(0, cpu);
    spinner_start(&spinner, cpu);
    int64_t began_ns = wall_ns();
    int64_t cpu_ns = kernel_cpu_ns();
    struct tclk_waits from = waits_now();
    struct tclk_waits to;
    do {
        spin_wall_ns(20 * US);
        compare(&tally);
        to = waits_now();
    } while (to.run_delay_ns - from.run_delay_ns < DELAY_NEEDED_NS);
    cpu_ns = kernel_cpu_ns() - cpu_ns;
    int64_t took_ns = wall_ns() - began_ns;
    int64_t delay_ns = to.run_delay_ns - from.run_delay_ns;
    spinner_stop(&spinner);
    sched_setaffinity(0, sizeof before, &before);
    report(tally, source, "a thread beside a busy one on its CPU");
    ok(delay_ns >= DELAY_NEEDED_NS, "%s: it waits for its CPU", source);
    ok(to.involuntary_switches > from.involuntary_switches, "%s: … and is switched out for that", source);
    ok(cpu_ns + delay_ns <= took_ns + rates_slack_ns(took_ns),
       "%s: CPU time and run-queue delay are within the wall time", source);
    diag("CPU %" PRId64 " ns, delay %" PRId64 " ns, wall %" PRId64 " ns", cpu_ns, delay_ns, took_ns);
}

/* ---- a thread that sleeps ---- */

#define SLEEPS 20

/* On a busy machine it may wait for its CPU after each sleep, but never while it sleeps. */
static void sleeper(const char *source)
{
    int64_t cpu_ns = kernel_cpu_ns();
    int64_t began_ns = wall_ns();
    struct tclk_waits from = waits_now();
    for (int i = 0; i < SLEEPS; i++) {
        sleep_ns(2 * MS);
    }
    struct tclk_waits to = waits_now();
    int64_t took_ns = wall_ns() - began_ns;
    cpu_ns = kernel_cpu_ns() - cpu_ns;
    ok(to.voluntary_switches - from.voluntary_switches >= SLEEPS / 2, "%s: sleeps are voluntary switches", source);
    ok(to.run_delay_ns - from.run_delay_ns <= took_ns - cpu_ns - SLEEPS * 2 * MS + rates_slack_ns(took_ns),
       "%s: … and no run-queue delay", source);
    diag("%" PRId64 " switches, delay %" PRId64 " ns, CPU %" PRId64 " ns, wall %" PRId64 " ns",
         to.voluntary_switches - from.voluntary_switches, to.run_delay_ns - from.run_delay_ns, cpu_ns, took_ns);
}

/* ---- children ---- */

static void child_waits(void)
{
    report(compare_often(), in_source, "a child");
}

static void children(const char *source)
{
    in_source = source;
    waits_now();
    in_child(child_waits);
    if (!skips(!process_is_wiped_on_fork(), "the waits of a child of clone(2) are its own", WIPING_MISSING)) {
        in_child_of(process_clone, child_waits);
    }
}

/* ---- another thread ---- */

#define NAPS 20

/* Naps while another thread asks how it waits. */
struct napper {
    pid_t tid;
    sem_t is_about_to_nap;
    sem_t may_wake;
    struct kernels before;
    struct kernels after;
};

static void await(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0 && errno == EINTR) {
    }
}

static void *nap(void *argument)
{
    struct napper *napper = argument;
    napper->tid = tclk_tid_own();
    for (int i = 0; i < NAPS; i++) {
        napper->before = kernels_now();
        sem_post(&napper->is_about_to_nap);
        await(&napper->may_wake);
        napper->after = kernels_now();
        sem_post(&napper->is_about_to_nap);
        await(&napper->may_wake);
    }
    return NULL;
}

static void others(const char *source)
{
    struct napper napper = {.tid = 0};
    int64_t failed = 0;
    int64_t outside = 0;
    sem_init(&napper.is_about_to_nap, 0, 0);
    sem_init(&napper.may_wake, 0, 0);
    pthread_t thread = thread_start(nap, &napper);
    for (int i = 0; i < NAPS; i++) {
        struct tclk_waits waits = {-2, -2, -2};
        await(&napper.is_about_to_nap);
        failed += tclk_tid_waits(napper.tid, &waits) != 0;
        sem_post(&napper.may_wake);
        await(&napper.is_about_to_nap);
        outside += !lies_between(napper.before, waits, napper.after);
        sem_post(&napper.may_wake);
    }
    pthread_join(thread, NULL);
    is_ns(failed, 0, "%s: how another thread waits is known", source);
    is_ns(outside, 0, "%s: … its figures lie between those that it has read itself", source);
}

static void nobodys(void)
{
    struct tclk_waits waits = {-2, -2, -2};
    is_ns(tclk_tid_waits(thread_ended_tid(), &waits), -ESRCH, "a thread that has ended is gone");
    is_ns(tclk_tid_waits(0, &waits), -ESRCH, "nor is there one with tid 0");
    is_ns(tclk_tid_waits(-1, &waits), -ESRCH, "… or -1");
    is_ns(tclk_tid_waits(1, &waits), -ESRCH, "… or in this process one of another");
    ok(waits.run_delay_ns == -2 && waits.voluntary_switches == -2, "… and the result is left alone");
}

/* ---- what it leaves, and what is unknown ---- */

static void leaves_nothing(const char *source)
{
    int64_t before = leftovers_descriptors();
    for (int i = 0; i < 10; i++) {
        waits_now();
        sleep_ns(100 * US);
    }
    is_ns(leftovers_descriptors(), before, "%s: no descriptor stays open", source);
}

/* ---- without any ---- */

static void without_descriptors(void)
{
    struct tclk_waits waits = {0, 0, 0};
    process_limit(RLIMIT_NOFILE, 0);
    is_ns(tclk_thread_waits(&waits), -EMFILE, "without a descriptor the reason is returned");
    is_ns(waits.run_delay_ns, TCLK_UNKNOWN, "… run-queue delay is unknown");
    ok(waits.voluntary_switches >= 0 && waits.involuntary_switches >= 0, "… switches are known");
    ok(clock_says("waits: /proc/thread-self/schedstat refused: EMFILE (24)"), "… and the clock says why");
}

/* ---- the file's line ---- */

static void parses(const char *line, int expected, const char *sentence)
{
    struct tclk_schedstat stat = {4711, 4711, 4711};
    is_ns(tclk_schedstat_parse(line, strlen(line), &stat), expected, "%s", sentence);
    ok((expected == 0) != (stat.delay_ns == 4711), "… and the result is %s", expected == 0 ? "set" : "left alone");
}

static void lines(void)
{
    struct tclk_schedstat stat;
    const char *line = "18446744073709551615 123456789012 7\n";
    ok(tclk_schedstat_parse(line, strlen(line), &stat) == 0 && stat.run_ns == UINT64_MAX &&
           stat.delay_ns == 123456789012 && stat.timeslices == 7,
       "a line is run time, run-queue delay and time slices");
    int64_t accepted = 0;
    for (size_t len = 0; len < strlen(line); len++) {
        accepted += tclk_schedstat_parse(line, len, &stat) == 0;
    }
    is_ns(accepted, 0, "a line that is cut anywhere is refused");
    parses("0 0 0\n", -ENODATA, "a kernel that counts nothing");
    parses("5 6 0\n", -ENODATA, "so is a thread that has never had a CPU, and reads");
    parses("1 2 x\n", -EBADMSG, "a letter is refused");
    parses("1  2 3\n", -EBADMSG, "two spaces are");
    parses("-1 2 3\n", -EBADMSG, "a sign is");
    parses("1 18446744073709551616 3\n", -EBADMSG, "more than 64 bits are");
    parses("1 2 3\n", 0, "a short line is a line");
}

int main(void)
{
    lines();
    if (skips(!has_file(), "the waits of a thread are the kernel's", FILE_MISSING)) {
        return done();
    }
    in_child(without_descriptors);
    with_each_source(quiet_thread);
    with_each_source(second_thread);
    with_each_source(children);
    with_each_source(leaves_nothing);
    with_each_source(others);
    nobodys();
    if (kind_judges_timing("run-queue delay is no time in which the thread sleeps or runs")) {
        with_each_source(sleeper);
        if (kind_is_emulated()) {
            skip("a thread waits for its CPU", KIND_EMULATED);
        } else {
            with_each_source(beside_a_busy_thread);
        }
    }
    return done();
}
