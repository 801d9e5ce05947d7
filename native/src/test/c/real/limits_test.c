/* SPDX-License-Identifier: Apache-2.0 */

/*
 * A process at its limits: of locked memory, which includes perf pages; of threads; of descriptors. It runs as another
 * user, because root is exempt from the first two.
 */

#include "real.h"

#define STACK_BYTES (65536 + (size_t)PTHREAD_STACK_MIN)

static const char *situation;

static void reads_right(const char *source)
{
    witness_reads_right(30 * MS, source, situation);
}

/* ---- locked memory ---- */

#define CROWD 2000

static pthread_barrier_t crowd_step;
static int64_t crowd_wrong;

static void *read_in_crowd(void *unused)
{
    bool right = first_reading_is_right();
    int64_t last_ns = tclk_thread_cpu_ns();
    for (int i = 0; i < 50; i++) {
        int64_t now_ns = tclk_thread_cpu_ns();
        right &= now_ns >= last_ns;
        last_ns = now_ns;
    }
    __atomic_fetch_add(&crowd_wrong, !right, __ATOMIC_RELAXED);
    pthread_barrier_wait(&crowd_step);
    pthread_barrier_wait(&crowd_step);
    __atomic_fetch_add(&crowd_wrong, tclk_thread_cpu_ns() < last_ns, __ATOMIC_RELAXED);
    return unused;
}

/* Starts as many as possible, because a machine may not let a user have so many. */
static int start_crowd(pthread_t *crowd)
{
    int n = 0;
    while (n < CROWD && thread_start_small(&crowd[n], STACK_BYTES, read_in_crowd, NULL) == 0) {
        n++;
    }
    return n;
}

/* The pages that a user may have in addition to locked memory: a number for each CPU. */
static int64_t pages_allowed(void)
{
    int64_t kib = file_number("/proc/sys/kernel/perf_event_mlock_kb", "");
    return (kib < 0 ? 516 : kib) * 1024 / sysconf(_SC_PAGESIZE) * sysconf(_SC_NPROCESSORS_ONLN);
}

static void crowd_reads(void)
{
    static pthread_t crowd[CROWD];
    struct leftovers before = leftovers_now();
    pthread_barrier_init(&crowd_step, NULL, CROWD + 1);
    int n = start_crowd(crowd);
    if (skips(n < CROWD, "2000 threads read without locked memory", "a machine that lets a user have 2000")) {
        return;
    }
    pthread_barrier_wait(&crowd_step);
    int64_t pages = leftovers_pages() - before.pages;
    pthread_barrier_wait(&crowd_step);
    for (int i = 0; i < CROWD; i++) {
        pthread_join(crowd[i], NULL);
    }
    is_ns(crowd_wrong, 0, "each of %d threads without locked memory reads its own time", CROWD);
    if (!skips(pages_allowed() >= CROWD, "some of the threads have no perf page",
               "fewer CPUs: each brings a budget of pages")) {
        ok(pages < CROWD, "some of the threads have no perf page");
    }
    diag("%" PRId64 " of %d had one", pages, CROWD);
    leftovers_none(before, "2000 threads beyond the limit of locked memory");
}

static void no_locked_memory(void)
{
    if (skips(!process_be_ordinary(), "2000 threads read without locked memory", PROCESS_ORDINARY_MISSING)) {
        return;
    }
    process_limit(RLIMIT_MEMLOCK, 0);
    if (source_use(TCLK_SOURCE_PERF)) {
        times_now();
        crowd_reads();
        ok(tclk_clock_source() == TCLK_SOURCE_PERF, "perf stays the source");
        witness_reads_right(30 * MS, "perf", "after them");
    }
}

/* ---- threads ---- */

static pthread_barrier_t step;

static void *wait_at_barrier(void *unused)
{
    pthread_barrier_wait(&step);
    return unused;
}

static bool cannot_fork(void)
{
    pid_t child = fork();
    if (child == 0) {
        _exit(0);
    }
    return child < 0;
}

/* A pids cgroup does the same to a container: clone(2) answers EAGAIN. */
static void no_more_threads(void)
{
    pthread_t last;
    char text[512];
    if (skips(!process_be_ordinary() || !process_limit(RLIMIT_NPROC, 1),
              "a process that may have no thread more reads right", PROCESS_ORDINARY_MISSING)) {
        return;
    }
    int error = thread_start_small(&last, STACK_BYTES, wait_at_barrier, NULL);
    if (skips(error == 0, "a process that may have no thread more reads right",
              "a limit of processes that holds for this user")) {
        return;
    }
    is_ns(error, EAGAIN, "a process may have no thread more");
    tclk_clock_explain(text, sizeof text);
    times_now();
    struct leftovers before = leftovers_now();
    situation = "a process that may have no thread more";
    with_each_source(reads_right);
    source_ask(TCLK_SOURCE_CLOCK);
    ok(cannot_fork(), "the process may still not fork");
    is_ns(leftovers_threads(), before.threads, "the library has not wanted one");
}

/* ---- descriptors ---- */

static bool limit_descriptors(int *descriptors, int max)
{
    int n = 0;
    while (n < max && (descriptors[n] = dup(STDOUT_FILENO)) >= 0) {
        n++;
    }
    return n < max && errno == EMFILE;
}

/* Runs in a process that has proved nothing yet, because a proof is kept. */
static void no_more_descriptors(void)
{
    static int descriptors[256];
    process_limit(RLIMIT_NOFILE, 64);
    if (skips(!limit_descriptors(descriptors, 256), "a process without a free descriptor reads right",
              "a limit of descriptors")) {
        return;
    }
    source_is_refused(TCLK_SOURCE_PERF, "perf_event_open refused: EMFILE (24)",
                      "without a free descriptor perf is refused");
    source_is_refused(TCLK_SOURCE_PROC, "EMFILE (24)", "so is proc");
    situation = "a process without a free descriptor";
    with_each_source_but(TCLK_SOURCE_PERF, reads_right);
}

int main(void)
{
    if (!skips(!KIND_IS_PLAIN, "2000 threads read without locked memory", KIND_PLAIN_ONLY)) {
        in_child(no_locked_memory);
    }
    in_child(no_more_threads);
    in_child(no_more_descriptors);
    return done();
}
