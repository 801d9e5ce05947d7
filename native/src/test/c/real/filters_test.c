/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Seccomp filters that refuse rseq and perf, each with the errors that a filter may answer, or that kill for them, as
 * systemd's @system-service does for perf; from the start, or once the process has proved them, so that only its new
 * threads are refused. The process lives, reads right, and says what is not used. libc's rseq is switched off by its
 * tunable, because otherwise there would be nothing to refuse.
 */

#include "ids.h"
#include "kernel/filter.h"
#include "perf.h"
#include "real.h"
#include "rseq.h"

#define THREADS 4
#define WATCH_NS (40 * MS)

#define REFUSE(error) (SECCOMP_RET_ERRNO | (error))
#define RSEQ_KILLS "rseq is not called: this process's seccomp filter kills for it"
#define PERF_KILLS "perf_event_open is not called: this process's seccomp filter kills for it"

static const struct filter {
    const char *who;
    unsigned rseq; /* what the filter does, or 0: nothing */
    unsigned perf;
    const char *rseq_says;
    const char *perf_says;
} filters[] = {
    {"nothing refused", 0, 0, NULL, NULL},
    {"rseq refused (ENOSYS)", REFUSE(ENOSYS), 0, "rseq refused: ENOSYS (38)", NULL},
    {"rseq refused (EPERM)", REFUSE(EPERM), 0, "rseq refused: EPERM (1)", NULL},
    {"perf refused (EPERM)", 0, REFUSE(EPERM), NULL, "perf_event_open refused: EPERM (1)"},
    {"perf refused (EACCES)", 0, REFUSE(EACCES), NULL, "perf_event_open refused: EACCES (13)"},
    {"perf refused (ENOSYS)", 0, REFUSE(ENOSYS), NULL, "perf_event_open refused: ENOSYS (38)"},
    {"both refused", REFUSE(ENOSYS), REFUSE(EPERM), "rseq refused: ENOSYS (38)", "perf_event_open refused: EPERM (1)"},
    {"killed for perf", 0, SECCOMP_RET_KILL_PROCESS, NULL, PERF_KILLS},
    {"killed for rseq", SECCOMP_RET_KILL_PROCESS, 0, RSEQ_KILLS, NULL},
    {"killed for both", SECCOMP_RET_KILL_PROCESS, SECCOMP_RET_KILL_PROCESS, RSEQ_KILLS, PERF_KILLS},
    {"thread killed for both", SECCOMP_RET_KILL, SECCOMP_RET_KILL, RSEQ_KILLS, PERF_KILLS},
    {"signal for both", SECCOMP_RET_TRAP, SECCOMP_RET_TRAP, RSEQ_KILLS, PERF_KILLS},
};

static const struct filter *filter;

static bool set_filter(unsigned rseq, unsigned perf)
{
    return (rseq == 0 || seccomp_act_on(SYS_rseq, rseq)) && (perf == 0 || seccomp_act_on(SYS_perf_event_open, perf));
}

static void threads_read_right(const char *who)
{
    watchers_ns = kind_rounds(WATCH_NS);
    times_now(); /* decides on a source */
    watchers_hold(THREADS, watcher_run, tclk_source_name(tclk_clock_source()), who);
}

static void is_said_of(enum tclk_source source, const char *expected, const char *who)
{
    ok(source_says(source, expected), "%s: %s says so", who, tclk_source_name(source));
}

/* ---- from the start ---- */

/* A source that auto does not reach, because a better one is sound, is asked for by name. */
static void is_not_taken(enum tclk_source source, const char *says)
{
    ok(tclk_clock_source() != source, "%s: the source is not %s", filter->who, tclk_source_name(source));
    is_ns(source_ask(source), -ENOTSUP, "%s: %s is refused by name", filter->who, tclk_source_name(source));
    is_said_of(source, says, filter->who);
}

static void no_page_is_mapped(int error)
{
    struct tclk_perf_page *none = NULL;
    enum tclk_perf_step step = TCLK_PERF_MMAP;
    is_ns(tclk_perf_page_map(&none, &step), -error, "%s: mapping a page returns the error", filter->who);
    ok(step == TCLK_PERF_OPEN && none == NULL, "%s: … of the step of opening, and there is no page", filter->who);
}

static void from_the_start(void)
{
    if (skips(!set_filter(filter->rseq, filter->perf), filter->who, SECCOMP_MISSING)) {
        return;
    }
    threads_read_right(filter->who);
    if (filter->rseq != 0) {
        /* The library does not call rseq of a kernel on which it would not work. */
        is_not_taken(TCLK_SOURCE_RSEQ,
                     rseq_is_cleared_in_calls() ? filter->rseq_says : "keeps rseq_cs across a switch");
        is_not_taken(TCLK_SOURCE_IDS, ids_must_serve() ? filter->rseq_says : "");
    }
    if (filter->perf != 0) {
        is_not_taken(TCLK_SOURCE_PERF, filter->perf_says);
    }
    if ((filter->perf & SECCOMP_RET_ACTION) == SECCOMP_RET_ERRNO) {
        no_page_is_mapped((int)(filter->perf & SECCOMP_RET_DATA));
    }
    if (filter->rseq != 0 && filter->perf != 0) {
        ok(tclk_clock_source() == TCLK_SOURCE_CLOCK, "%s: clock is left", filter->who);
    }
}

static void sampled_is_smoothed(void)
{
    if (skips(!seccomp_kill(SYS_perf_event_open), "killed for perf: the split sampled is smoothed", SECCOMP_MISSING)) {
        return;
    }
    is_ns(split_ask(TCLK_SPLIT_SAMPLED), 0, "killed for perf: the split sampled is taken");
    threads_read_right("killed for perf, split sampled");
    ok(clock_says("split sampled: perf_event_open is not called"),
       "killed for perf: the split sampled is smoothed, and says so");
}

/* ---- a filter that kills for what any source needs ---- */

static bool refuses_children;

static void tells_own_cpu_time_alone(void)
{
    const char *who = refuses_children ? "killed for getrusage, and no child" : "killed for getrusage";
    struct tclk_times times;
    if (skips((refuses_children && !seccomp_refuse(SYS_clone, EPERM)) || !seccomp_kill(SYS_getrusage), who,
              SECCOMP_MISSING)) {
        return;
    }
    ok(tclk_thread_cpu_ns() > 0, "%s: a thread tells its CPU time", who);
    is_ns(tclk_thread_read(&times), -EPERM, "%s: its user time is refused", who);
    is_ns(tclk_tid_cpu_ns(getppid()), -EPERM, "%s: so are other threads", who);
    is_ns(source_ask(TCLK_SOURCE_AUTO), -ENOTSUP, "%s: so is a source", who);
}

/* ---- once a source was proved ---- */

static enum tclk_source proved;
static bool kills;

/* Later threads get no area, nor a page. One that has registered an area does not give it back if that would kill. */
static void later(void)
{
    char who[64];
    snprintf(who, sizeof who, "%s, %s both once it was proved", tclk_source_name(proved),
             kills ? "killed for" : "refused");
    if (!source_use(proved)) {
        return;
    }
    times_now();
    if (skips(!set_filter(kills ? SECCOMP_RET_KILL_PROCESS : REFUSE(EPERM),
                          kills ? SECCOMP_RET_KILL_PROCESS : REFUSE(EACCES)),
              who, SECCOMP_MISSING)) {
        return;
    }
    threads_read_right(who);
    ok(tclk_clock_source() == proved, "%s: it stays the source", who);
    is_ns(stats_now().demotions, 0, "%s: it is not blamed", who);
    ok(stats_now().resyncs_unarmed > 0, "%s: threads without a detector ask the kernel", who);
}

#define ENDS_WITH_FILTER "a thread that is killed for rseq since it read"

static void end_with_filter(void)
{
    times_now();
    skips(!seccomp_kill(SYS_rseq), ENDS_WITH_FILTER, SECCOMP_MISSING);
}

static void thread_that_read_ends_with_a_filter(void)
{
    test_in_thread(end_with_filter);
    test_in_thread(read_times_once);
    ok(true, ENDS_WITH_FILTER " ends, and others after it");
}

/* ---- a filter that allows both ---- */

static enum tclk_source without_filter;

static void has_the_source_of_no_filter(void)
{
    if (skips(!seccomp_kill(SYS_reboot), "a filter that lets perf and rseq pass changes nothing", SECCOMP_MISSING)) {
        return;
    }
    ok(tclk_clock_source() == without_filter, "a filter that lets perf and rseq pass leaves the source %s (got %s)",
       tclk_source_name(without_filter), tclk_source_name(tclk_clock_source()));
}

static void end_with_source(void)
{
    _exit((int)tclk_clock_source());
}

/* ---- a process that is too large to be copied ---- */

#define LARGE_BYTES ((TCLK_FILTER_CHILD_MAX_KB + 4096) * (size_t)1024)

/* Refuses both, and grows. NULL after a SKIP. */
static char *grow_with_filter(const char *sentence)
{
    if (skips(!set_filter(REFUSE(ENOSYS), REFUSE(EACCES)), sentence, SECCOMP_MISSING)) {
        return NULL;
    }
    long pages = sysconf(_SC_AVPHYS_PAGES);
    char *memory = mmap(NULL, LARGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (skips(pages < (long)(2 * LARGE_BYTES / 4096) || memory == MAP_FAILED, sentence, "1 GB of free memory")) {
        return NULL;
    }
    return memset(memory, 1, LARGE_BYTES);
}

static void is_tried_by_name_alone(void)
{
    static const char who[] = "a large process with a filter";
    if (grow_with_filter("a large process with a filter tries by name alone") == NULL) {
        return;
    }
    ok(tclk_clock_source() == TCLK_SOURCE_CLOCK, "%s reads the clock", who);
    is_said_of(TCLK_SOURCE_PERF, "is too large for a child to try", who);
    is_ns(source_ask(TCLK_SOURCE_PERF), -ENOTSUP, "%s: by name perf is tried there", who);
    is_said_of(TCLK_SOURCE_PERF, "perf_event_open refused: EACCES", who);
}

/* The memory that it inherits does not count, though the kernel adds the peak of the parent to that of the program
 * that it starts. */
static void tries_once_it_is_small_again(void)
{
    static const char who[] = "a process that was large once tries";
    char *memory = grow_with_filter(who);
    if (memory != NULL) {
        munmap(memory, LARGE_BYTES);
        tclk_clock_source();
        is_said_of(TCLK_SOURCE_PERF, "perf_event_open refused: EACCES", who);
    }
}

int main(void)
{
    if (skips(!rseq_starts_without_libcs(), "rseq and perf refused", "the tunable " RSEQ_OFF_TUNABLE)) {
        return done();
    }
    for (size_t i = 0; i < COUNT(filters); i++) {
        filter = &filters[i];
        in_child(from_the_start);
    }
    in_child(sampled_is_smoothed);
    for (int i = 0; i < 2; i++) {
        refuses_children = i == 1;
        in_child(tells_own_cpu_time_alone);
    }
    for (int i = 0; i < 4; i++) {
        proved = i % 2 == 0 ? TCLK_SOURCE_RSEQ : TCLK_SOURCE_PERF;
        kills = i >= 2;
        in_child(later);
    }
    in_child(thread_that_read_ends_with_a_filter);
    without_filter = (enum tclk_source)WEXITSTATUS(process_status_of(end_with_source));
    in_child(has_the_source_of_no_filter);
    in_child(is_tried_by_name_alone);
    in_child(tries_once_it_is_small_again);
    return done();
}
