/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the source ids where libc registers no rseq areas, as in own_area_test. */

#include "ids.h"
#include "real.h"
#include "rseq.h"

#define SENTENCE "the source ids reads right"

static _Thread_local char foreign[RSEQ_LENGTH_MAX] __attribute__((aligned(RSEQ_LENGTH_MAX)));

/* bracket_test tests how exact readings are. This one tests whether sleeps are counted. */
#define SLEEP_NS (3 * MS)
#define SLACK_NS MS

#define STARTS 50

static bool reads_right(void)
{
    int64_t before_ns = kernel_cpu_ns();
    struct tclk_times times = times_now();
    int64_t after_ns = kernel_cpu_ns();
    return before_ns - SLACK_NS <= times.cpu_ns && times.cpu_ns <= after_ns + SLACK_NS;
}

static void *read_sleep_and_end(void *wrong)
{
    for (int i = 0; i < 5; i++) {
        *(int *)wrong += !reads_right();
        sleep_ns(SLEEP_NS);
        *(int *)wrong += !reads_right();
    }
    return NULL;
}

static void is_refused(const char *reason)
{
    source_is_refused(TCLK_SOURCE_IDS, reason, "it is refused");
    ok(reads_right(), "readings are right all the same");
}

/* ---- refusals; each in a child, because a process decides once ---- */

static void older_kernel(void)
{
    diag("on an older kernel");
    is_refused(ids_kernel_is_at_least(6, 19) ? "does not write the ids" : "has the source rseq");
}

static void debugging(void)
{
    diag("with rseq debugging");
    is_refused("rseq debugging is on");
}

static void sees_sleeps(const char *source)
{
    int wrong = 0;
    read_sleep_and_end(&wrong);
    is_ns(wrong, 0, "%s reads right beside it", source);
}

static void beside(unsigned length)
{
    is_ns(rseq_register(foreign, length, TCLK_RSEQ_SIGNATURE), 0, "someone registers %u bytes", length);
    is_refused("rseq refused: EINVAL (22)");
    with_each_source(sees_sleeps);
}

static void beside_same_length(void)
{
    beside(TCLK_RSEQ_AREA_BYTES);
}

/* The kernel would kill a program that changes an id there. */
static void beside_longer(void)
{
    beside(rseq_newer_length());
}

/* ---- in use ---- */

static void chosen_without_perf(void)
{
    if (skips(!seccomp_refuse(SYS_perf_event_open, EPERM), "without perf events, auto chooses it", SECCOMP_MISSING)) {
        return;
    }
    enum tclk_source source = tclk_clock_source();
    bool serves = source_use(TCLK_SOURCE_IDS);
    ok((source == TCLK_SOURCE_IDS) == serves, "without perf events, auto chooses it if it may (got %s)",
       tclk_source_name(source));
    ok(reads_right(), "and reads right");
}

static void asks_seldom(void)
{
    uint64_t before = resyncs_in(stats_now());
    for (int i = 0; i < 100000; i++) {
        tclk_thread_cpu_ns();
    }
    uint64_t asked = resyncs_in(stats_now()) - before;
    ok(asked < 10000, "of 100000 readings few ask the kernel");
    diag("%" PRIu64 " did", asked);
}

/* Threads end with an armed detector: the kernel gets the area back with a node in it that no machine has. */
static void threads_end_armed(void)
{
    int wrong = 0;
    for (int i = 0; i < 50; i++) {
        in_thread(read_sleep_and_end, &wrong);
    }
    is_ns(wrong, 0, "threads read right until they end, and end well");
}

/* The kernel would kill the process at the move if the library had changed an id there. */
static void *read_beside_longer(void *wrong)
{
    int cpus[2];
    int n = cpus_allowed(cpus, 2);
    *(int *)wrong = rseq_register(foreign, rseq_newer_length(), TCLK_RSEQ_SIGNATURE) != 0;
    for (int i = 0; i < n; i++) {
        cpu_pin(0, cpus[i]);
        read_sleep_and_end(wrong);
    }
    rseq_unregister(foreign);
    return NULL;
}

static void thread_of_other_code(void)
{
    int wrong = 0;
    in_thread(read_beside_longer, &wrong);
    is_ns(wrong, 0, "a thread in which other code has a longer area reads right, and lives");
}

static void child_inherits(void)
{
    ok(tclk_clock_source() == TCLK_SOURCE_IDS && reads_right(), "a fork child reads from it, too");
    times_now();
    sleep_ns(SLEEP_NS);
    ok(reads_right(), "and does not count its sleep");
    asks_seldom();
}

/* On a busy emulated machine a sleep may be over before it begins. */
static void is_refused_with_reason(void)
{
    ok(!ids_must_serve() || source_says(TCLK_SOURCE_IDS, "sleeps switched the thread out"),
       "from Linux 7.1 on it is refused for want of sleeps alone");
}

static void configure_or_fail(void)
{
    _exit(source_ask(TCLK_SOURCE_IDS) == 0 ? 0 : 1);
}

/* On an idle PREEMPT_RT kernel most sleeps migrate the thread; once it was luck whether enough of them did not. */
static void serves_at_each_start(void)
{
    int refused = 0;
    for (int i = 0; i < STARTS; i++) {
        refused += process_status_of(configure_or_fail) != 0;
    }
    is_ns(refused, 0, "of %d processes each can have it", STARTS);
}

static void serves(void)
{
    in_child(chosen_without_perf);
    in_child(beside_same_length);
    in_child(beside_longer);
    if (ids_must_serve()) {
        serves_at_each_start();
    }
    if (!source_use(TCLK_SOURCE_IDS)) {
        is_refused_with_reason();
        return;
    }
    ok(reads_right(), SENTENCE);
    asks_seldom();
    threads_end_armed();
    thread_of_other_code();
    in_child(child_inherits);
    is_ns(stats_now().demotions, 0, "nothing has been given up");
}

int main(void)
{
    if (!ids_kernel_is_at_least(7, TCLK_RSEQ_IDS_MINOR)) {
        in_child(older_kernel);
        skip(SENTENCE, "Linux 7.0.10");
    } else if (!rseq_starts_without_libcs()) {
        skip(SENTENCE, "the tunable " RSEQ_OFF_TUNABLE);
    } else if (ids_are_debugged()) {
        in_child(debugging);
    } else {
        serves();
    }
    return done();
}
