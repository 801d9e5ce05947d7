/* SPDX-License-Identifier: Apache-2.0 */
#include "clock/proof.h"

#include "clock/counter.h"
#include "clock/detector.h"
#include "clock/selftest.h"
#include "clock/settings.h"
#include "kernel/clockid.h"
#include "kernel/filter.h"
#include "kernel/memory.h"
#include "kernel/probe.h"
#include "kernel/proc_stat.h"
#include "kernel/release.h"
#include "kernel/sample_page.h"
#include "kernel/schedstat.h"
#include "kernel/signals.h"
#include "kernel/tid.h"

#include <errno.h>

/* Length of the first baseline. An error of 50 ns in 1 ms is 50 ppm, or 0.2 us in a window of 4 ms. */
#define BASELINE_NS UINT64_C(1000000)

/* The cost of a call is the least of this many tries. */
#define COST_TRIES 32

/* If more readings than this stand still, the kernel's own clock moves by ticks (notsc, gVisor), and the counter
 * would run ahead of it all the time. */
#define STILL_MAX (COST_TRIES / 2)

/* A kernel reading that takes longer than 4 us, and than 16 times the fastest one, has been interrupted. The moment
 * of such a reading is too uncertain for an anchor. */
#define BRACKET_MIN_NS UINT64_C(4000)
#define BRACKET_FACTOR 16

/* The cost of a sample is measured by the same work with and without samples. */
#define PROBE_PERIOD_NS INT64_C(50000)
#define PROBE_TRIES 2
#define PROBE_CALLS 150
#define PROBE_LIMIT 64

#define SAMPLE_NS_LEAST 1000
#define SAMPLE_NS_MOST 100000

static struct tclk_verdict verdicts[TCLK_SUBJECTS];
static uint64_t bracket_max;

/* Taken by the one thread that proves, selects or configures. Other threads never wait for it. It is taken until the
 * constructor has set up what proofs need: a refusal is kept for good, and the constructor of another object may read
 * earlier, by a later copy. */
static uint32_t busy = 1;

/* Holds the signals of that thread back, because a handler that jumps out of its proof would leave it begun for
 * good. */
static struct tclk_signals held;

void tclk_proof_open(void)
{
    __atomic_store_n(&busy, 0u, __ATOMIC_RELEASE);
}

bool tclk_proof_begin(void)
{
    if (tclk_filter_forbids()) {
        return false;
    }
    struct tclk_signals signals = tclk_signals_hold();
    if (__atomic_exchange_n(&busy, 1u, __ATOMIC_ACQUIRE) != 0) {
        tclk_signals_release(signals);
        return false;
    }
    held = signals;
    bool is_permitted = tclk_filter_permits_readings();
    if (!is_permitted) {
        tclk_proof_end();
    }
    return is_permitted;
}

void tclk_proof_end(void)
{
    struct tclk_signals signals = held;
    __atomic_store_n(&busy, 0u, __ATOMIC_RELEASE);
    tclk_signals_release(signals);
}

static struct tclk_verdict refuse(enum tclk_refusal refusal, int error)
{
    return (struct tclk_verdict){.refusal = refusal, .error = error};
}

static struct tclk_verdict refuse_counts(enum tclk_refusal refusal, int a, int b)
{
    return (struct tclk_verdict){.refusal = refusal, .a = a, .b = b};
}

static const struct tclk_verdict accepted = {.refusal = TCLK_ACCEPTED};

/* ---- the counter ---- */

static uint64_t least_counter_cost(void)
{
    uint64_t least = UINT64_MAX;
    for (int i = 0; i < COST_TRIES; i++) {
        uint64_t before = tclk_counter_read();
        uint64_t took = tclk_counter_read() - before;
        least = took < least ? took : least;
    }
    return least;
}

/* Returns the least cost of reading the thread's CPU clock, and counts the readings that returned the same as the
 * one before. */
static uint64_t least_call_cost(int *still)
{
    uint64_t least = UINT64_MAX;
    int64_t ns = 0;
    int64_t last_ns = -1;
    tclk_clock_read_own(TCLK_CLOCK_SCHED, &last_ns);
    *still = 0;
    for (int i = 0; i < COST_TRIES; i++) {
        uint64_t before = tclk_counter_read();
        tclk_clock_read_own(TCLK_CLOCK_SCHED, &ns);
        uint64_t took = tclk_counter_read() - before;
        least = took < least ? took : least;
        *still += ns == last_ns;
        last_ns = ns;
    }
    return least;
}

static struct tclk_verdict prove_counter(void)
{
    if (!tclk_probe_counter_is_enabled()) {
        return refuse(TCLK_REFUSED_COUNTER_OFF, 0);
    }
    if (!tclk_counter_is_invariant()) {
        return refuse(TCLK_REFUSED_COUNTER_VARIES, 0);
    }
    if (!tclk_counter_is_kept()) {
        return refuse(TCLK_REFUSED_COUNTER_GIVEN_UP, 0);
    }
    if (!tclk_calibration_start(BASELINE_NS)) {
        return refuse(TCLK_REFUSED_COUNTER_STOPS, 0);
    }
    uint64_t scale = tclk_calibration_scale();
    uint64_t counter_cost = least_counter_cost();
    int still;
    uint64_t call_cost =
        /* the timed part includes one reading of the counter */
        least_call_cost(&still) - counter_cost;
    if (still > STILL_MAX) {
        return refuse_counts(TCLK_REFUSED_CLOCK_COARSE, still, COST_TRIES);
    }
    if (counter_cost >= call_cost) {
        return refuse_counts(TCLK_REFUSED_COUNTER_SLOW, (int)tclk_scale_ns(counter_cost, scale),
                             (int)tclk_scale_ns(call_cost, scale));
    }
    uint64_t least_max = tclk_scale_counts(BRACKET_MIN_NS, scale);
    uint64_t max = BRACKET_FACTOR * call_cost;
    bracket_max = max > least_max ? max : least_max;
    return accepted;
}

/* ---- the detectors ---- */

static struct tclk_verdict judge(struct tclk_selftest test)
{
    if (test.missed > 0) {
        return refuse_counts(TCLK_REFUSED_SLEEPS_MISSED, test.missed, test.sleeps);
    }
    if (test.sleeps < TCLK_SELFTEST_SLEEPS_NEEDED) {
        return refuse_counts(TCLK_REFUSED_SLEEPS_FEW, test.sleeps, TCLK_SELFTEST_SLEEPS);
    }
    if (!tclk_selftest_passed(test)) {
        return refuse_counts(TCLK_REFUSED_CALLS_SEEN, TCLK_SELFTEST_CALLS - test.kept, TCLK_SELFTEST_CALLS);
    }
    return accepted;
}

/* Since commit 39a167560a61 (Linux 6.19) the kernel looks at rseq_cs only when it returns from an interrupt: a
 * switch inside a system call leaves the marker. The self-test sees that too; the version is asked in case the
 * sixteen sleeps happen to be interrupted. This check can go when source rseq is dropped. */
static struct tclk_verdict prove_rseq(void)
{
    struct tclk_release release;
    struct tclk_rseq_area *area;
    if (tclk_release_running(&release) && tclk_release_is_at_least(release, 6, 19)) {
        return refuse_counts(TCLK_REFUSED_KERNEL, release.major, release.minor);
    }
    if (tclk_rseq_descriptor() == 0) {
        return refuse(TCLK_REFUSED_DESCRIPTOR, 0);
    }
    int error = tclk_rseq_area_of_thread(&area);
    if (error != 0) {
        return refuse(TCLK_REFUSED_AREA, -error);
    }
    struct tclk_verdict verdict = judge(tclk_selftest_run(tclk_detector_of_area(area)));
    area->rseq_cs = 0;
    return verdict;
}

/* The self-test must know whether the kernel allows changed ids before it changes any. With rseq debugging on, the
 * kernel looks at rseq_cs on the way out of every system call, and clears it; without debugging, since 6.19, it does
 * not. Therefore one sleep that leaves rseq_cs alone is enough. A signal or a preemption clears it, too, and then
 * the test sleeps again. */
static struct tclk_verdict prove_no_debugging(struct tclk_rseq_area *area)
{
    int sleeps;
    bool kept = tclk_selftest_keeps(tclk_detector_of_area(area), &sleeps);
    area->rseq_cs = 0;
    return kept          ? accepted
           : sleeps == 0 ? refuse_counts(TCLK_REFUSED_SLEEPS_FEW, 0, TCLK_SELFTEST_SLEEPS)
                         : refuse_counts(TCLK_REFUSED_DEBUGGING, sleeps, sleeps);
}

static struct tclk_verdict prove_own_ids(void)
{
    struct tclk_rseq_area *area;
    int error = tclk_rseq_own_area_of_thread(&area);
    if (error != 0) {
        return refuse(TCLK_REFUSED_AREA, -error);
    }
    struct tclk_verdict verdict = prove_no_debugging(area);
    if (verdict.refusal == TCLK_ACCEPTED) {
        verdict = judge(tclk_selftest_run(tclk_detector_of_ids(area)));
        area->flags_and_node_id = 0;
    }
    return verdict;
}

/* The kernel's version says where the ids need no test. From 7.0 on (x86_64), the self-test finds out whether they
 * are written at every switch, because distributions give lower numbers to kernels that have the change of 7.0.10. */
static struct tclk_verdict prove_ids(void)
{
    struct tclk_release release = {0, 0};
    if (!tclk_release_running(&release) || !tclk_release_is_at_least(release, 7, TCLK_RSEQ_IDS_MINOR)) {
        bool has_rseq = !tclk_release_is_at_least(release, 6, 19);
        return refuse_counts(has_rseq ? TCLK_REFUSED_IDS_OLD : TCLK_REFUSED_IDS_KERNEL, release.major, release.minor);
    }
    if (tclk_rseq_is_libcs()) {
        return refuse(TCLK_REFUSED_LIBCS_AREA, 0);
    }
    return tclk_rseq_descriptor() != 0 ? prove_own_ids() : refuse(TCLK_REFUSED_DESCRIPTOR, 0);
}

struct tclk_verdict tclk_proof_perf_refusal(enum tclk_perf_step step, int error)
{
    return (struct tclk_verdict){
        .refusal = step == TCLK_PERF_OPEN ? TCLK_REFUSED_PERF_OPEN : TCLK_REFUSED_PERF_MMAP,
        .error = -error,
    };
}

static struct tclk_verdict prove_perf(void)
{
    struct tclk_perf_page *page;
    enum tclk_perf_step step;
    int error = tclk_perf_page_map(&page, &step);
    if (error != 0) {
        return tclk_proof_perf_refusal(step, error);
    }
    struct tclk_verdict verdict = judge(tclk_selftest_run(tclk_detector_of_page(page)));
    tclk_perf_page_unmap(page);
    return verdict;
}

/* ---- samples ---- */

static int rate_max; /* samples that the kernel allows in a second; 0 = unknown */

static int64_t least(int64_t a_ns, int64_t b_ns)
{
    return a_ns < b_ns ? a_ns : b_ns;
}

static int64_t work_ns(void)
{
    int64_t begin_ns = 0;
    int64_t now_ns = 0;
    tclk_clock_read_own(TCLK_CLOCK_SCHED, &begin_ns);
    for (int i = 0; i < PROBE_CALLS; i++) {
        for (volatile int j = 0; j < 1000; j++) {
        }
        tclk_clock_read_own(TCLK_CLOCK_SCHED, &now_ns);
    }
    return now_ns - begin_ns;
}

static int cost_of_sample_ns(int64_t plain_ns, int64_t sampled_ns)
{
    int64_t samples = sampled_ns / PROBE_PERIOD_NS;
    int64_t cost_ns = (sampled_ns - plain_ns) / (samples > 0 ? samples : 1);
    return (int)(cost_ns < SAMPLE_NS_LEAST ? SAMPLE_NS_LEAST : least(cost_ns, SAMPLE_NS_MOST));
}

static struct tclk_verdict prove_samples(void)
{
    int64_t plain_ns = INT64_MAX;
    int64_t sampled_ns = INT64_MAX;
    bool is_sampled = false;
    for (int i = 0; i < PROBE_TRIES; i++) {
        struct tclk_sample_page *page;
        enum tclk_perf_step step;
        plain_ns = least(plain_ns, work_ns());
        int error = tclk_sample_page_map(&page, PROBE_PERIOD_NS, PROBE_LIMIT, &step);
        if (error != 0) {
            return tclk_proof_perf_refusal(step, error);
        }
        sampled_ns = least(sampled_ns, work_ns());
        is_sampled |= tclk_sample_page_head(page) > 0;
        tclk_sample_page_unmap(page);
    }
    return is_sampled ? (struct tclk_verdict){.refusal = TCLK_ACCEPTED, .a = cost_of_sample_ns(plain_ns, sampled_ns)}
                      : refuse(TCLK_REFUSED_NO_SAMPLES, 0);
}

static struct tclk_verdict prove_sample_page(void)
{
    struct tclk_sample_page *page;
    enum tclk_perf_step step;
    int error = tclk_sample_page_map(&page, TCLK_SAMPLE_PERIOD_LEAST_NS, 0, &step);
    if (error != 0) {
        return tclk_proof_perf_refusal(step, error);
    }
    struct tclk_verdict verdict = judge(tclk_selftest_run(tclk_detector_of_page(tclk_sample_page_lock(page))));
    tclk_sample_page_unmap(page);
    return verdict;
}

/* The kernel must allow twice our own rate, because it throttles events that come near its limit. */
struct tclk_verdict tclk_proof_samples_verdict(int64_t period_ns)
{
    int needed = (int)(2 * (1000000000 / period_ns));
    int rate = __atomic_load_n(&rate_max, __ATOMIC_RELAXED);
    return rate != 0 && rate < needed ? refuse_counts(TCLK_REFUSED_SAMPLE_RATE, rate, needed)
                                      : tclk_proof_verdict(TCLK_SUBJECT_SAMPLES);
}

bool tclk_proof_of_samples(int64_t period_ns)
{
    int rate = 0;
    tclk_sample_rate_max(&rate);
    __atomic_store_n(&rate_max, rate, __ATOMIC_RELAXED);
    return tclk_proof_samples_verdict(period_ns).refusal != TCLK_REFUSED_SAMPLE_RATE &&
           tclk_proof_of(TCLK_SUBJECT_SAMPLES);
}

/* ---- samples of single threads ---- */

static uint64_t last_refusal; /* refusal << 32 | errno */
static uint32_t threads_refused;

void tclk_proof_refuse_thread(struct tclk_verdict of)
{
    __atomic_store_n(&last_refusal, (uint64_t)of.refusal << 32 | (uint32_t)of.error, __ATOMIC_RELAXED);
    __atomic_fetch_add(&threads_refused, 1u, __ATOMIC_RELAXED);
}

uint32_t tclk_proof_threads_refused(struct tclk_verdict *last)
{
    uint64_t packed = __atomic_load_n(&last_refusal, __ATOMIC_RELAXED);
    *last = (struct tclk_verdict){.refusal = (enum tclk_refusal)(packed >> 32), .error = (int)(uint32_t)packed};
    return __atomic_load_n(&threads_refused, __ATOMIC_RELAXED);
}

/* ---- the sources without a detector ---- */

static struct tclk_verdict prove_clock(enum tclk_clock_kind kind)
{
    int64_t ns;
    int error = tclk_clock_read_own(kind, &ns);
    return error == 0 ? accepted : refuse(TCLK_REFUSED_NO_CLOCK, -error);
}

static struct tclk_verdict prove_proc(void)
{
    int64_t ns;
    int error = tclk_proc_stat_user_ns("/proc", tclk_tid_own(), &ns);
    return error == 0 ? accepted : refuse(TCLK_REFUSED_PROC, -error);
}

/* ---- waits ---- */

static struct tclk_verdict judge_waits(struct tclk_waits_selftest test)
{
    if (test.moved > 0) {
        return refuse_counts(TCLK_REFUSED_WAITS_MOVED, test.moved, test.calm);
    }
    if (test.missed > 0) {
        return refuse_counts(TCLK_REFUSED_WAITS_MISSED, test.missed, test.sleeps);
    }
    if (test.sleeps < TCLK_SELFTEST_SLEEPS_NEEDED) {
        return refuse_counts(TCLK_REFUSED_SLEEPS_FEW, test.sleeps, TCLK_SELFTEST_SLEEPS);
    }
    return accepted;
}

static struct tclk_verdict prove_waits(void)
{
    struct tclk_schedstat stat;
    int error = tclk_schedstat_read(TCLK_SCHEDSTAT_OF_CALLER, &stat);
    if (error == -ENODATA) {
        return refuse(TCLK_REFUSED_NO_SCHED_INFO, 0);
    }
    return error == 0 ? judge_waits(tclk_selftest_run_waits()) : refuse(TCLK_REFUSED_SCHEDSTAT, -error);
}

static struct tclk_verdict try_subject(unsigned subject);

static enum tclk_refusal refusal_of(unsigned subject)
{
    return (enum tclk_refusal)__atomic_load_n((const uint32_t *)&verdicts[subject].refusal, __ATOMIC_ACQUIRE);
}

/* Stores the refusal last, so that a thread that sees it sees the rest. */
static void enter(unsigned subject, struct tclk_verdict verdict)
{
    verdicts[subject].error = verdict.error;
    verdicts[subject].a = verdict.a;
    verdicts[subject].b = verdict.b;
    __atomic_store_n((uint32_t *)&verdicts[subject].refusal, (uint32_t)verdict.refusal, __ATOMIC_RELEASE);
}

/* A trial that was too expensive is made when the subject is asked for by name. */
static bool is_open(unsigned subject)
{
    enum tclk_refusal refusal = refusal_of(subject);
    return refusal == TCLK_NOT_TRIED ||
           (refusal != TCLK_ACCEPTED && verdicts[subject].error == TCLK_FILTER_UNTRIED && tclk_filter_insists());
}

bool tclk_proof_of(unsigned subject)
{
    if (is_open(subject)) {
        enter(subject, try_subject(subject));
    }
    return refusal_of(subject) == TCLK_ACCEPTED;
}

static struct tclk_verdict prove_extrapolation(struct tclk_verdict (*detector)(void))
{
    if (!tclk_proof_of(TCLK_SOURCE_CLOCK)) {
        return verdicts[TCLK_SOURCE_CLOCK];
    }
    if (!tclk_proof_of(TCLK_SUBJECT_COUNTER)) {
        return verdicts[TCLK_SUBJECT_COUNTER];
    }
    return tclk_memory_can_be_wiped_on_fork() ? detector() : refuse(TCLK_REFUSED_NO_RECORDS, 0);
}

static struct tclk_verdict try_subject(unsigned subject)
{
    switch (subject) {
    case TCLK_SUBJECT_COUNTER:
        return prove_counter();
    case TCLK_SOURCE_RSEQ:
        return prove_extrapolation(prove_rseq);
    case TCLK_SOURCE_PERF:
        return prove_extrapolation(prove_perf);
    case TCLK_SOURCE_IDS:
        return prove_extrapolation(prove_ids);
    case TCLK_SOURCE_CLOCK:
        return prove_clock(TCLK_CLOCK_SCHED);
    case TCLK_SOURCE_TICKS:
        return prove_clock(TCLK_CLOCK_VIRT);
    case TCLK_SUBJECT_WAITS:
        return prove_waits();
    case TCLK_SUBJECT_SAMPLES:
        return tclk_memory_can_be_wiped_on_fork() ? prove_samples() : refuse(TCLK_REFUSED_NO_RECORDS, 0);
    case TCLK_SUBJECT_SAMPLE_PAGE:
        return prove_sample_page();
    default:
        return prove_proc();
    }
}

bool tclk_proof_try(unsigned subject)
{
    if (refusal_of(subject) == TCLK_NOT_TRIED && tclk_proof_begin()) {
        tclk_proof_of(subject);
        tclk_proof_end();
    }
    return refusal_of(subject) == TCLK_ACCEPTED;
}

bool tclk_proof_revoke(unsigned subject, enum tclk_refusal refusal)
{
    uint32_t from = TCLK_ACCEPTED;
    return __atomic_compare_exchange_n((uint32_t *)&verdicts[subject].refusal, &from, (uint32_t)refusal, false,
                                       __ATOMIC_ACQ_REL, __ATOMIC_RELAXED);
}

struct tclk_verdict tclk_proof_verdict(unsigned subject)
{
    struct tclk_verdict verdict = {.refusal = refusal_of(subject)};
    verdict.error = verdicts[subject].error;
    verdict.a = verdicts[subject].a;
    verdict.b = verdicts[subject].b;
    return verdict;
}

uint64_t tclk_proof_bracket_max(void)
{
    return bracket_max;
}
