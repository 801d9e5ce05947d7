/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Seccomp filters that kill for perf_event_open or rseq, as systemd's @system-service does for the former: the process
 * lives, reads right, and says what is not used. libc's rseq is switched off by its tunable, because otherwise nobody
 * would call it.
 */

#include "kernel/filter.h"
#include "kind.h"
#include "process.h"
#include "rseq.h"
#include "seccomp.h"
#include "sources.h"
#include "threads.h"
#include "watchers.h"

#include <string.h>
#include <tap.h>

#define THREADS 4
#define WATCH_NS (20 * MS)
#define TEXT_BYTES 2048

static const struct killer {
    const char *who;
    bool rseq;
    bool perf;
    unsigned action;
    const char *says[2];
} * killer;

#define PERF_KILLS "perf: perf_event_open is not called: this process's seccomp filter kills for it"
#define RSEQ_KILLS "rseq: rseq is not called: this process's seccomp filter kills for it"

static const struct killer killers[] = {
    {"killed for perf", false, true, SECCOMP_RET_KILL_PROCESS, {NULL, PERF_KILLS}},
    {"killed for rseq", true, false, SECCOMP_RET_KILL_PROCESS, {RSEQ_KILLS, NULL}},
    {"killed for both", true, true, SECCOMP_RET_KILL_PROCESS, {RSEQ_KILLS, PERF_KILLS}},
    {"thread killed for both", true, true, SECCOMP_RET_KILL, {RSEQ_KILLS, PERF_KILLS}},
    {"signal for both", true, true, SECCOMP_RET_TRAP, {RSEQ_KILLS, PERF_KILLS}},
};

static bool set_filter(const struct killer *of)
{
    return (!of->rseq || seccomp_act_on(SYS_rseq, of->action)) &&
           (!of->perf || seccomp_act_on(SYS_perf_event_open, of->action));
}

static void threads_read_right(const char *who)
{
    int64_t idle;
    struct witness sum = watchers_watch(THREADS, kind_rounds(WATCH_NS), &idle);
    witness_confirms(&sum, tclk_source_name(tclk_clock_source()), who);
}

static void is_said(const char *expected)
{
    char text[TEXT_BYTES];
    tclk_clock_explain(text, sizeof text);
    if (expected != NULL && !ok(strstr(text, expected) != NULL, "%s: it says so", killer->who)) {
        diag("no \"%s\" in: %s", expected, text);
    }
}

/* A source that auto does not reach, because a better one is sound, is asked for by name. */
static void is_refused_by_name(enum tclk_source source)
{
    struct tclk_config config = {.source = source};
    is_ns(tclk_clock_configure(&config), -ENOTSUP, "%s: %s is refused by name", killer->who, tclk_source_name(source));
}

static void killed_from_the_start(void)
{
    if (!set_filter(killer)) {
        skip(killer->who, SECCOMP_MISSING);
        return;
    }
    threads_read_right(killer->who);
    if (killer->rseq) {
        is_refused_by_name(TCLK_SOURCE_RSEQ);
    }
    if (killer->perf) {
        is_refused_by_name(TCLK_SOURCE_PERF);
    }
    if (rseq_is_cleared_in_calls()) {
        is_said(killer->says[0]);
    }
    is_said(killer->says[1]);
}

static void sampled_is_smoothed(void)
{
    char text[TEXT_BYTES];
    struct tclk_config config = {.split = TCLK_SPLIT_SAMPLED};
    if (!seccomp_kill(SYS_perf_event_open)) {
        skip("killed for perf: the split sampled is smoothed", SECCOMP_MISSING);
        return;
    }
    is_ns(tclk_clock_configure(&config), 0, "killed for perf: the split sampled is taken");
    threads_read_right("killed for perf, split sampled");
    tclk_clock_explain(text, sizeof text);
    ok(strstr(text, "split sampled: perf_event_open is not called") != NULL,
       "killed for perf: the split sampled is smoothed, and says so");
}

/* ---- a filter that comes later ---- */

static enum tclk_source proved;

static void *read_and_end(void *who)
{
    (void)who;
    times_now();
    return NULL;
}

/* A thread that has registered an area does not give it back; later threads get no area, nor a page. */
static void killed_later(void)
{
    char who[64];
    const struct killer both = {.rseq = true, .perf = true, .action = SECCOMP_RET_KILL_PROCESS};
    snprintf(who, sizeof who, "%s, killed for both once it was proved", tclk_source_name(proved));
    if (!source_use(proved)) {
        return;
    }
    times_now();
    if (!set_filter(&both)) {
        skip(who, SECCOMP_MISSING);
        return;
    }
    threads_read_right(who);
    ok(tclk_clock_source() == proved, "%s: it stays the source", who);
}

static void *end_with_filter(void *who)
{
    times_now();
    if (!seccomp_kill(SYS_rseq)) {
        skip(who, SECCOMP_MISSING);
    }
    return NULL;
}

static void thread_that_read_ends_with_a_filter(void)
{
    static char who[] = "a thread that is killed for rseq since it read";
    pthread_join(thread_start(end_with_filter, who), NULL);
    pthread_join(thread_start(read_and_end, NULL), NULL);
    ok(true, "%s ends, and others after it", who);
}

/* ---- a filter that allows both ---- */

static enum tclk_source without_filter;

static void has_the_source_of_no_filter(void)
{
    if (!seccomp_kill(SYS_reboot)) {
        skip("a filter that lets perf and rseq pass changes nothing", SECCOMP_MISSING);
        return;
    }
    enum tclk_source source = tclk_clock_source();
    ok(source == without_filter, "a filter that lets perf and rseq pass leaves the source %s (got %s)",
       tclk_source_name(without_filter), tclk_source_name(source));
    threads_read_right("with such a filter");
}

static void source_without_filter(void)
{
    without_filter = tclk_clock_source();
    _exit((int)without_filter);
}

static void learn_source_without_filter(void)
{
    int status = 0;
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        source_without_filter();
    }
    waitpid(child, &status, 0);
    without_filter = (enum tclk_source)WEXITSTATUS(status);
}

/* ---- a process that is too large to be copied ---- */

#define LARGE_BYTES ((TCLK_FILTER_CHILD_MAX_KB + 4096) * (size_t)1024)

static char *grow(void)
{
    long pages = sysconf(_SC_AVPHYS_PAGES);
    char *memory = mmap(NULL, LARGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages < (long)(2 * LARGE_BYTES / 4096) || memory == MAP_FAILED) {
        return NULL;
    }
    return memset(memory, 1, LARGE_BYTES);
}

static bool is_left_without_both(void)
{
    return seccomp_refuse(SYS_rseq, ENOSYS) && seccomp_refuse(SYS_perf_event_open, EACCES);
}

static void is_tried_by_name_alone(void)
{
    struct tclk_config perf = {.source = TCLK_SOURCE_PERF};
    char text[TEXT_BYTES];
    bool refused = is_left_without_both();
    if (!refused || grow() == NULL) {
        skip("a large process with a filter tries by name alone", refused ? "1 GB of free memory" : SECCOMP_MISSING);
        return;
    }
    ok(tclk_clock_source() == TCLK_SOURCE_CLOCK, "a large process with a filter reads the clock");
    tclk_source_explain(TCLK_SOURCE_PERF, text, sizeof text);
    ok(strstr(text, "is too large for a child to try") != NULL, "it says why: %s", text);
    is_ns(tclk_clock_configure(&perf), -ENOTSUP, "by name perf is tried there");
    tclk_source_explain(TCLK_SOURCE_PERF, text, sizeof text);
    ok(strstr(text, "perf_event_open refused: EACCES") != NULL, "and the kernel's word is known: %s", text);
}

/* The memory that it inherits does not count, though the kernel adds the peak of the parent to that of the program
 * that it starts. */
static void tries_once_it_is_small_again(void)
{
    char text[TEXT_BYTES];
    bool refused = is_left_without_both();
    char *memory = refused ? grow() : NULL;
    if (memory == NULL) {
        skip("a process that was large once tries", refused ? "1 GB of free memory" : SECCOMP_MISSING);
        return;
    }
    munmap(memory, LARGE_BYTES);
    tclk_clock_source();
    tclk_source_explain(TCLK_SOURCE_PERF, text, sizeof text);
    ok(strstr(text, "perf_event_open refused: EACCES") != NULL, "a process that was large once tries: %s", text);
}

int main(int count, char **arguments)
{
    (void)count;
    if (!rseq_starts_without_libcs(arguments)) {
        skip("filters that kill for rseq", "the tunable " RSEQ_OFF_TUNABLE);
        return done();
    }
    for (size_t i = 0; i < sizeof killers / sizeof killers[0]; i++) {
        killer = &killers[i];
        in_child(killed_from_the_start);
    }
    in_child(sampled_is_smoothed);
    proved = TCLK_SOURCE_RSEQ;
    in_child(killed_later);
    proved = TCLK_SOURCE_PERF;
    in_child(killed_later);
    in_child(thread_that_read_ends_with_a_filter);
    learn_source_without_filter();
    in_child(has_the_source_of_no_filter);
    in_child(is_tried_by_name_alone);
    in_child(tries_once_it_is_small_again);
    return done();
}
