/* SPDX-License-Identifier: Apache-2.0 */

/* Compares the source that is chosen with what is known about the running kernel: with libc's rseq area, with an
 * area of our own (musl, or glibc that was told to register none, for which this test restarts itself), without
 * privilege, and without rseq or perf events. */

#include "clock/counter.h"
#include "clock/selftest.h"
#include "ids.h"
#include "perf.h"
#include "real.h"
#include "rseq.h"

#define NOBODY 65534

static const char *whose_area;

static bool rseq_works(void)
{
    struct tclk_rseq_area *area = NULL;
    tclk_rseq_setup();
    return tclk_rseq_area_of_thread(&area) == 0;
}

static bool perf_works(void)
{
    char reason[128];
    struct tclk_perf_page *page = perf_page_or_reason(reason, sizeof reason);
    if (page == NULL) {
        return false;
    }
    tclk_perf_page_unmap(page);
    return true;
}

/* The version is enough, except 7.0, which says too little. */
static bool ids_work(void)
{
    struct tclk_rseq_area *area = NULL;
    if (ids_missing() != NULL || rseq_libc_registers() || !rseq_works()) {
        return false;
    }
    return ids_must_serve() ||
           (ids_kernel_is_at_least(7, TCLK_RSEQ_IDS_MINOR) && tclk_rseq_own_area_of_thread(&area) == 0 &&
            tclk_selftest_passed(tclk_selftest_run(tclk_detector_of_ids(area))));
}

/* Call this before the library has done anything in this process. */
static enum tclk_source expected_source(void)
{
    if (!tclk_counter_is_invariant() || !tclk_counter_is_kept()) {
        return TCLK_SOURCE_CLOCK;
    }
    if (rseq_is_cleared_in_calls() && rseq_works()) {
        return TCLK_SOURCE_RSEQ;
    }
    if (perf_works()) {
        return TCLK_SOURCE_PERF;
    }
    return ids_work() ? TCLK_SOURCE_IDS : TCLK_SOURCE_CLOCK;
}

/* Prints how the others were refused. */
static void chooses(const char *how)
{
    char reason[256];
    enum tclk_source expected = expected_source();
    enum tclk_source got = tclk_clock_source();
    ok(got == expected, "%s, the source is %s", how, tclk_source_name(expected));
    diag("chosen %s (%s; %s)", tclk_source_name(got), how, whose_area);
    if (got != TCLK_SOURCE_RSEQ) {
        tclk_source_explain(TCLK_SOURCE_RSEQ, reason, sizeof reason);
        diag("rseq: %s", reason);
    }
    if (got == TCLK_SOURCE_CLOCK) {
        tclk_source_explain(TCLK_SOURCE_PERF, reason, sizeof reason);
        diag("perf: %s", reason);
        tclk_source_explain(TCLK_SOURCE_IDS, reason, sizeof reason);
        diag("ids: %s", reason);
    }
}

/* ---- the situations ---- */

/* The kernel's default is 50 us; real-time threads have none. */
static bool take_least_slack(void)
{
    return prctl(PR_SET_TIMERSLACK, 1, 0, 0, 0) == 0;
}

static bool drop_privilege(void)
{
    return geteuid() != 0 || setuid(NOBODY) == 0;
}

static bool refuse_perf(void)
{
    return seccomp_refuse(SYS_perf_event_open, EPERM);
}

static bool refuse_rseq(void)
{
    return seccomp_refuse(SYS_rseq, ENOSYS);
}

static const struct situation {
    const char *how;
    bool (*make)(void); /* NULL: nothing is to do */
    const char *missing;
} situations[] = {
    {"as started", NULL, ""},
    {"with a timer slack of 1 ns", take_least_slack, "prctl(PR_SET_TIMERSLACK)"},
    {"without privilege", drop_privilege, "setuid"},
    {"without perf events", refuse_perf, SECCOMP_MISSING},
    {"without rseq(2)", refuse_rseq, SECCOMP_MISSING},
};

static const struct situation *situation;

static void in_situation(void)
{
    if (!skips(situation->make != NULL && !situation->make(), situation->how, situation->missing)) {
        chooses(situation->how);
    }
}

/* ---- the results of the self-test ---- */

/* The version is asked as well; this tests what would happen if it were not. */
static void selftest_tells(void)
{
    struct tclk_rseq_area *area = NULL;
    tclk_rseq_setup();
    if (skips(tclk_rseq_area_of_thread(&area) != 0, "the self-test of rseq tells what the kernel does",
              "rseq(2), Linux 4.18")) {
        return;
    }
    struct tclk_selftest test = tclk_selftest_run(tclk_detector_of_area(area));
    area->rseq_cs = 0;
    bool cleared = rseq_is_cleared_in_calls();
    ok(tclk_selftest_passed(test) == cleared, "the self-test of rseq %s with %s",
       cleared ? "is passed" : "is not passed", whose_area);
    if (!cleared && !ids_are_debugged()) {
        ok(test.missed > 0, "because sleeps went unnoticed");
    }
    diag("%d sleeps, %d unnoticed, %d of %d calls kept it", test.sleeps, test.missed, test.kept, TCLK_SELFTEST_CALLS);
}

static void is_refused_by_name(void)
{
    if (!skips(rseq_is_cleared_in_calls(), "rseq is refused by name", "a kernel that keeps rseq_cs, Linux 6.19")) {
        is_ns(source_ask(TCLK_SOURCE_RSEQ), -ENOTSUP, "rseq is refused by name");
    }
}

static void try_all(void)
{
    for (size_t i = 0; i < COUNT(situations); i++) {
        situation = &situations[i];
        in_child(in_situation);
    }
    in_child(selftest_tells);
    in_child(is_refused_by_name);
}

/* Only glibc's start-up code reads the tunable. */
static int start_anew(char **arguments)
{
    char numbers[32];
    snprintf(numbers, sizeof numbers, "%d %d", tap_number, tap_failed);
    setenv("GLIBC_TUNABLES", RSEQ_OFF_TUNABLE, 1);
    setenv("TAP_SO_FAR", numbers, 1);
    fflush(stdout);
    execv("/proc/self/exe", arguments);
    return 2;
}

int main(int count, char **arguments)
{
    struct utsname kernel;
    const char *so_far = getenv("TAP_SO_FAR");
    (void)count;
    if (so_far != NULL) {
        sscanf(so_far, "%d %d", &tap_number, &tap_failed);
    }
    uname(&kernel);
    diag("%s, %s", kernel.release, kernel.version);
    whose_area = rseq_libc_registers() ? "libc's area" : "an own area";
    try_all();
    return rseq_libc_registers() && so_far == NULL ? start_anew(arguments) : done();
}
