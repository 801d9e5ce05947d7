/* SPDX-License-Identifier: Apache-2.0 */

/* Tests the split `sampled` on this machine: it is right for short stretches, falls back to `smoothed` if it is
 * refused, and disappears with its thread. */

#include "clock/settings.h"
#include "kernel/sample_page.h"
#include "perf.h"
#include "real.h"

#include <math.h>

static int use_samples_each(int64_t period_ns)
{
    struct tclk_config config = {.split = TCLK_SPLIT_SAMPLED, .sample_period_ns = period_ns};
    return tclk_clock_configure(&config);
}

static int use_samples(void)
{
    return use_samples_each(0);
}

/* ---- work that is counted ---- */

#define PIECE_NS (2 * MS)

static double spin_ns;
static double chunk_ns;

static double cost_of(void (*work)(int64_t), int64_t times)
{
    double least = INFINITY;
    for (int i = 0; i < 5; i++) {
        int64_t before_ns = kernel_cpu_ns();
        work(times);
        double cost = (double)(kernel_cpu_ns() - before_ns) / (double)times;
        least = cost < least ? cost : least;
    }
    return least;
}

static void work(bool is_user)
{
    if (is_user) {
        spin_times((int64_t)(PIECE_NS / spin_ns));
    } else {
        copy_zeroes((int64_t)(PIECE_NS / chunk_ns));
    }
}

/* For pieces of work, the mean share of their CPU time that is read as user time. Pieces of one kind may take longer
 * than those of the other. All of them together should read as much user time as the former kind took. */
struct division {
    double of_user_pieces;
    double of_system_pieces;
    double of_all;
    double expected_of_all;
    double found; /* of the samples of the former kind that were due */
};

/* A host that leaves no time for samples loses them, for every event of the thread alike. An event of the test's own,
 * with the same period, tells how many. */
struct witness_event {
    struct tclk_sample_page *page; /* NULL: there is none */
    int64_t period_ns;
    uint64_t head;
    uint64_t user_samples;
};

static struct witness_event event_open(void)
{
    struct witness_event event = {.period_ns = tclk_sample_period_ns(tclk_settings.sample_period_ns)};
    enum tclk_perf_step step;
    if (tclk_sample_page_map(&event.page, event.period_ns, 0, &step) != 0) {
        event.page = NULL;
    }
    return event;
}

static void event_look(struct witness_event *event, bool is_user)
{
    if (event->page != NULL) {
        uint64_t head = tclk_sample_page_head(event->page);
        event->user_samples += is_user ? tclk_sample_page_count(event->page, event->head, head) : 0;
        event->head = head;
    }
}

static double event_close(struct witness_event *event, int64_t user_ns)
{
    double found = (double)event->user_samples * (double)event->period_ns / (double)user_ns;
    if (event->page == NULL) {
        return 1;
    }
    tclk_sample_page_unmap(event->page);
    return found < 1 ? found : 1;
}

static double share_between(struct tclk_times a, struct tclk_times b)
{
    return (double)(b.user_ns - a.user_ns) / (double)(b.cpu_ns - a.cpu_ns);
}

/* A host that withholds the CPU takes samples and ticks from some pieces of computing, but not from all. */
#define PATIENCE_NS (60 * S)

static bool is_user_time_since(struct tclk_times before)
{
    int64_t until_ns = wall_ns() + PATIENCE_NS;
    do {
        work(true);
    } while (share_between(before, times_now()) <= 0.5 && wall_ns() < until_ns);
    return share_between(before, times_now()) > 0.5;
}

#define PIECES 200

static void *divide(void *argument)
{
    struct division *division = argument;
    struct tclk_times first = times_now();
    struct tclk_times last = first;
    int64_t user_pieces_ns = 0;
    struct witness_event event = event_open();
    for (int i = 0; i < PIECES; i++) {
        bool is_user = i % 2 == 0;
        work(is_user);
        event_look(&event, is_user);
        struct tclk_times now = times_now();
        *(is_user ? &division->of_user_pieces : &division->of_system_pieces) +=
            share_between(last, now) / (PIECES / 2.0);
        user_pieces_ns += is_user ? now.cpu_ns - last.cpu_ns : 0;
        last = now;
    }
    division->of_all = share_between(first, last);
    division->expected_of_all = (double)user_pieces_ns / (double)(last.cpu_ns - first.cpu_ns);
    division->found = event_close(&event, user_pieces_ns);
    return NULL;
}

/* The bound of a period, in points, by which pieces may be wrong. */
struct expectation {
    double least_of_user_pieces;
    double most_of_system_pieces;
};

static const struct expectation shortest = {0.9, 0.15};
static const struct expectation longer = {0.75, 0.3};
static const struct expectation *bounds = &shortest;

static bool is_right_of_user_pieces(const struct division *division)
{
    return division->of_user_pieces > bounds->least_of_user_pieces * division->found;
}

static bool is_right_of_system_pieces(const struct division *division)
{
    return division->of_system_pieces < bounds->most_of_system_pieces;
}

static bool is_right_of_all(const struct division *division)
{
    return fabs(division->of_all - division->expected_of_all * division->found) < 0.1;
}

/* A hypervisor that leaves no time for samples takes them away from some of the pieces; then this tries again. */
#define DIVISIONS 20

static void divides_requests(const char *source)
{
    struct division division;
    bool right = false;
    for (int i = 0; i < DIVISIONS && !right; i++) {
        division = (struct division){0};
        in_thread(divide, &division);
        right =
            is_right_of_user_pieces(&division) && is_right_of_system_pieces(&division) && is_right_of_all(&division);
        diag("%s: %.3f, %.3f, together %.3f of %.3f, with %.3f of the samples", source, division.of_user_pieces,
             division.of_system_pieces, division.of_all, division.expected_of_all, division.found);
    }
    ok(is_right_of_user_pieces(&division), "%s: pieces of 2 ms of computing are user time", source);
    ok(is_right_of_system_pieces(&division), "%s: pieces of 2 ms of reading are system time", source);
    ok(is_right_of_all(&division), "%s: together they are as much user time as the computing took", source);
}

static void divides_by_a_longer_period(void)
{
    use_samples_each(500 * US);
    if (clock_says("split sampled: sound here")) {
        bounds = &longer;
        divides_requests("a sample each 500 us");
    }
}

/* A line is followed for two periods, but a window is 4 ms, in which time that a host takes counts as well. */
static void ask_seldom(void)
{
    struct tclk_stats before = stats_now();
    int64_t ran_ns = 0;
    while (ran_ns < 200 * MS) {
        int64_t switches = switches_now();
        int64_t from_ns = wall_ns();
        int64_t cpu_ns = kernel_cpu_ns();
        for (int i = 0; i < 1000; i++) {
            times_now();
        }
        cpu_ns = kernel_cpu_ns() - cpu_ns;
        ran_ns += switches_now() == switches ? wall_ns() - from_ns : cpu_ns;
    }
    int64_t windows = (int64_t)(stats_now().resyncs_window - before.resyncs_window);
    ok(windows <= INT64_C(2) * ran_ns / MS / 4,
       "in %" PRId64 " ms, looks at the samples end no window: %" PRId64 " have ended", ran_ns / MS, windows);
}

/* ---- what it leaves ---- */

static void ends_with_its_thread(void)
{
    int64_t mappings = leftovers_pages();
    int64_t descriptors = leftovers_descriptors();
    leftovers_page_of_thread("a thread that reads itself has one event");
    for (int i = 0; i < 3; i++) {
        in_thread(divide, &(struct division){0});
    }
    is_ns(leftovers_pages(), mappings, "…and so do those of others");
    is_ns(leftovers_descriptors(), descriptors, "and no descriptor is left");
}

static void child_has_its_own(void)
{
    is_ns(leftovers_pages(), 0, "a child inherits no event");
    struct tclk_times times = times_now();
    is_ns(leftovers_pages(), 1, "and gets its own at its first reading");
    ok(times.user_ns >= 0 && times.cpu_ns < S, "its time starts anew");
    ok(is_user_time_since(times), "the readings go on");
}

static void survives_forks(void)
{
    times_now();
    in_child(child_has_its_own);
    in_child_of(process_clone, child_has_its_own);
    struct tclk_times before = times_now();
    ok(is_user_time_since(before), "its parent's samples go on");
}

/* ---- where it is refused ---- */

static void is_smoothed(const char *why)
{
    struct tclk_times before = times_now();
    for (int i = 0; i < 100; i++) {
        work(true);
        times_now();
    }
    ok(is_user_time_since(before), "%s: the time is divided all the same", why);
}

static int answer;

static void refused_by_filter(void)
{
    const char *expected = answer == EPERM ? "split sampled: perf_event_open refused: EPERM (1)"
                                           : "split sampled: perf_event_open refused: ENOSYS (38)";
    if (skips(!seccomp_refuse(SYS_perf_event_open, answer), "a filter that refuses perf_event_open is told of",
              SECCOMP_MISSING)) {
        return;
    }
    is_ns(use_samples(), 0, "sampled may be asked for where perf events are refused");
    ok(clock_says(expected) && clock_says("smoothed is used instead"), "the refusal is explained");
    is_smoothed(expected);
}

/* The filter comes after the process has been found able to sample. */
static void refused_to_thread(void)
{
    use_samples();
    if (skips(!seccomp_refuse_with(SYS_mmap, 3, MAP_SHARED, EPERM), "a thread that is refused its ring is told of",
              SECCOMP_MISSING)) {
        return;
    }
    int64_t descriptors = leftovers_descriptors();
    is_smoothed("a thread that is refused its ring");
    is_ns(leftovers_descriptors(), descriptors, "no descriptor is left");
    ok(clock_says("split sampled, 1 threads: mmap of the perf page refused: EPERM (1)"), "it is explained");
}

static void disabled_by_prctl(void)
{
    use_samples();
    times_now();
    prctl(PR_TASK_PERF_EVENTS_DISABLE);
    int64_t end_ns = kernel_cpu_ns() + 500 * MS;
    while (kernel_cpu_ns() < end_ns) {
        work(true);
        times_now();
    }
    if (skips(kernel_user_ns() < 250 * MS, "samples that stay away are noticed", "clock ticks that find the thread")) {
        return;
    }
    ok(clock_says("its perf event takes no samples"), "samples that stay away are noticed");
    is_smoothed("PR_TASK_PERF_EVENTS_DISABLE");
}

int main(void)
{
    copy_zeroes(100);
    spin_ns = cost_of(spin_times, 1000000);
    chunk_ns = cost_of(copy_zeroes, 500);
    answer = EPERM;
    in_child(refused_by_filter);
    answer = ENOSYS;
    in_child(refused_by_filter);
    if (KIND_IS_PLAIN) {
        in_child(divides_by_a_longer_period);
    }
    use_samples();
    if (skips(!clock_says("split sampled: sound here"), "a thread is sampled", "sampling perf events")) {
        return done();
    }
    in_child(refused_to_thread);
    in_child(disabled_by_prctl);
    in_child(survives_forks);
    ends_with_its_thread();
    if (!skips(!KIND_IS_PLAIN, "requests are divided rightly", KIND_PLAIN_ONLY)) {
        test_in_thread(ask_seldom);
        sources_split = TCLK_SPLIT_SAMPLED;
        with_each_source(divides_requests);
    }
    return done();
}
