/* SPDX-License-Identifier: Apache-2.0 */

/* Children of fork(2), made by libc or without it: their time starts at 0, and their parent's goes on. */

#include "process.h"
#include "seccomp.h"
#include "sources.h"
#include "stats.h"
#include "threads.h"
#include "witness.h"

#include <sys/syscall.h>
#include <tap.h>

/* A child that has read once, and hardly done anything yet. */
#define YOUNG_NS (30 * MS)

static const char *source;

/* True if the library knows that children get copies. It does not if an emulator forgets to wipe. */
static bool copies_are_known;
static const char *parent;

/* The first reading asks the kernel, and nothing may come between. */
static void first_reading_is_the_kernels(const char *who)
{
    int64_t before_ns = kernel_cpu_ns();
    struct tclk_times times = times_now();
    int64_t after_ns = kernel_cpu_ns();
    ok(before_ns <= times.cpu_ns && times.cpu_ns <= after_ns && witness_is_consistent(times),
       "%s: the first reading of %s is the kernel's", source, who);
    diag("%" PRId64 " <= %" PRId64 " <= %" PRId64, before_ns, times.cpu_ns, after_ns);
}

static uint64_t threads_now(void)
{
    return stats_now().threads;
}

static void *read_in_thread(void *unused)
{
    first_reading_is_the_kernels("a child's second thread");
    return unused;
}

static void grandchild_reads(void)
{
    first_reading_is_the_kernels("a grandchild");
}

static void child_reads(void)
{
    char who[64];
    snprintf(who, sizeof who, "a child of %s", parent);
    first_reading_is_the_kernels(who);
    struct tclk_times times = times_now();
    ok(times.cpu_ns < 2 * YOUNG_NS || times.cpu_ns <= kernel_cpu_ns(), "%s: it starts near 0", source);
    is_ns(threads_now(), 1, "%s: it has one thread's record", source);
    struct witness w = witness_watch(50 * MS);
    witness_confirms(&w, source, who);
    in_child(grandchild_reads);
}

static void forked_child_reads(void)
{
    struct tclk_stats stats = stats_now();
    is_ns(stats.reads + stats.resyncs_first + stats.threads, 0, "%s: a child of fork() has done nothing yet", source);
    child_reads();
    in_thread(read_in_thread, NULL);
}

static void goes_on(struct tclk_times before)
{
    struct tclk_times after = times_now();
    ok(after.cpu_ns >= before.cpu_ns && after.user_ns >= before.user_ns,
       "%s: its parent's readings go on from where they were", source);
    struct witness w = witness_watch(20 * MS);
    witness_confirms(&w, source, "a parent");
}

static void has_children(const char *name)
{
    source = name;
    spin_cpu_ns(2 * YOUNG_NS);
    struct tclk_times before = times_now();
    parent = "fork()";
    in_child(forked_child_reads);
    goes_on(before);
    before = times_now();
    parent = "clone(2)";
    if (!copies_are_known && !process_is_wiped_on_fork()) {
        skip("a child of clone(2) starts near 0", WIPING_MISSING);
        return;
    }
    in_child_of(process_clone, child_reads);
    goes_on(before);
}

/* ---- forks in another thread ---- */

static void *fork_here(void *unused)
{
    spin_cpu_ns(2 * YOUNG_NS);
    struct tclk_times before = times_now();
    parent = "a second thread's fork()";
    in_child(forked_child_reads);
    goes_on(before);
    return unused;
}

static void has_children_in_a_thread(const char *name)
{
    source = name;
    in_thread(fork_here, NULL);
}

/* ---- where memory is not wiped ---- */

static void has_children_with_copies(void)
{
    if (!seccomp_refuse_wiping()) {
        skip("children whose memory is not wiped read right", SECCOMP_MISSING);
        return;
    }
    copies_are_known = true;
    has_children("clock, memory is not wiped");
    has_children_in_a_thread("clock, memory is not wiped");
}

/* ---- while other threads are in the library ---- */

#define FORKS 50

static bool ends;

static void *configure_all_the_time(void *unused)
{
    struct tclk_config config = {.source = TCLK_SOURCE_CLOCK};
    while (!__atomic_load_n(&ends, __ATOMIC_RELAXED)) {
        config.window_ns = config.window_ns == MS ? 2 * MS : MS;
        tclk_clock_configure(&config);
    }
    return unused;
}

static int configure_as_child(void)
{
    struct tclk_config config = {.source = TCLK_SOURCE_CLOCK};
    struct tclk_times times;
    return tclk_clock_configure(&config) == 0 && tclk_thread_read(&times) == 0 ? 0 : 1;
}

static void configures_after_fork(void)
{
    pthread_t thread = thread_start(configure_all_the_time, NULL);
    int refused = 0;
    fflush(stdout);
    for (int i = 0; i < FORKS; i++) {
        int status = 0;
        pid_t child = fork();
        if (child == 0) {
            _exit(configure_as_child());
        }
        waitpid(child, &status, 0);
        refused += status != 0;
    }
    __atomic_store_n(&ends, true, __ATOMIC_RELAXED);
    pthread_join(thread, NULL);
    is_ns(refused, 0, "a child can configure, whatever its parent's threads were about");
}

int main(void)
{
    in_child(has_children_with_copies); /* before anything is mapped */
    with_each_source(has_children);
    with_each_source(has_children_in_a_thread);
    configures_after_fork();
    return done();
}
