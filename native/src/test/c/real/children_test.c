/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Children, however they are made: a child reads its own time from 0, a program that was started by exec as well, and
 * its parent's goes on. A child tells by its exit status what it has found.
 */

#include "real.h"

#include <spawn.h>

#define READS_AS_CHILD "--reads-as-child"
#define CHILD_STACK_BYTES 65536

/* CPU time that the parent has used, and a child has not. */
#define USED_NS (60 * MS)

#define MANY (int)kind_rounds(60)

/* ---- the laws ---- */

enum law {
    FIRST = 1,
    LATER = 2,
    RECORDS = 4,
    FRESH = 8,
    BRACKET = 16,
    THREAD = 32,
    GRANDCHILD = 64,
    BY_TID = 128,
};

#define READS (FIRST | LATER)
#define LIVES (READS | RECORDS | BRACKET | GRANDCHILD | BY_TID)
#define ALL (LIVES | FRESH | THREAD)
#define LAWS 8

static const char *const sentences[LAWS] = {
    "the first reading is the kernel's",
    "the next ones go on from there, and not beyond the kernel's",
    "it has one thread's record, if there are any",
    "it has done nothing yet",
    "no reading is below the kernel's",
    "its second thread reads from 0",
    "so does its own child",
    "by tid it finds itself, and not its parent's thread",
};

static pid_t parent_tid;

static bool readings_go_on(struct tclk_times first)
{
    struct sequence s = {.last = first};
    bool ahead = false;
    for (int i = 0; i < 100; i++) {
        sequence_read(&s);
        ahead |= s.last.cpu_ns > kernel_cpu_ns() + ahead_most_ns();
    }
    return sequence_is_lawful(&s) && !ahead;
}

static bool is_found_by_tid(void)
{
    struct sequence s = {.last = times_now()};
    struct tclk_times times = {-1, -1, -1};
    bool found_parent = tclk_tid_read(parent_tid, &times) != -ESRCH || times.cpu_ns != -1;
    bool found = tclk_tid_read(tclk_tid_own(), &times) == 0;
    sequence_judge(&s, times);
    return found && !found_parent && sequence_is_lawful(&s);
}

static void *read_in_thread(void *right)
{
    struct tclk_times times;
    *(bool *)right = reads_as_the_kernel(&times);
    return NULL;
}

static bool second_thread_reads(void)
{
    bool right = false;
    in_thread(read_in_thread, &right);
    return right;
}

static bool stays_above_the_kernel(void)
{
    struct witness w = witness_watch(30 * MS);
    return w.readings > 0 && w.below == 0 && w.inconsistent == 0;
}

/* Where the kernel cannot wipe memory on fork there are none. */
static bool has_records = true;

static bool is_fresh(void)
{
    struct tclk_stats stats = stats_now();
    return resyncs_in(stats) + stats.threads == 0;
}

/* Returns the status of a child that ends: the laws that it has broken. All of them, if it was killed. */
static int breaches_of(pid_t child)
{
    int status = -1;
    while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
    }
    return child > 0 && WIFEXITED(status) ? WEXITSTATUS(status) : (1 << LAWS) - 1;
}

static pid_t by_fork(int laws);

/* Uses no stdio, so that any child may call it. Returns those of these laws that it breaks. */
static int broken(int laws)
{
    struct tclk_times first;
    int found = laws & FRESH && !is_fresh() ? FRESH : 0;
    found |= reads_as_the_kernel(&first) ? 0 : FIRST;
    found |= readings_go_on(first) ? 0 : LATER;
    found |= stats_now().threads == (has_records ? 1 : 0) ? 0 : RECORDS;
    found |= laws & BRACKET && !stays_above_the_kernel() ? BRACKET : 0;
    found |= laws & BY_TID && !is_found_by_tid() ? BY_TID : 0;
    found |= laws & THREAD && !second_thread_reads() ? THREAD : 0;
    if (laws & GRANDCHILD) {
        found |= breaches_of(by_fork(READS)) == 0 ? 0 : GRANDCHILD;
    }
    return found & laws;
}

/* ---- the ways ---- */

struct way {
    const char *who;
    pid_t (*spawn)(int laws);
    int laws;
    int times;
};

/* The child of a thread that has just armed its detector must not take the marker for its own. */
static pid_t by_fork(int laws)
{
    pid_t child = fork();
    if (child == 0) {
        _exit(broken(laws));
    }
    return child;
}

static pid_t by_clone(int laws)
{
    pid_t child = process_clone();
    if (child == 0) {
        _exit(broken(laws));
    }
    return child;
}

static char program[] = "/proc/self/exe";
static char *child_arguments[] = {program, READS_AS_CHILD, NULL, NULL};

static int exec_child(void *unused)
{
    (void)unused;
    execv(program, child_arguments);
    _exit(READS);
}

static pid_t by_vfork(int laws)
{
    (void)laws;
    pid_t child = vfork();
    if (child == 0) {
        exec_child(NULL);
    }
    return child;
}

static pid_t by_shared_clone(int laws)
{
    (void)laws;
    static char stack[CHILD_STACK_BYTES] __attribute__((aligned(16)));
    return clone(exec_child, stack + sizeof stack, CLONE_VM | CLONE_VFORK | SIGCHLD, NULL);
}

/* Uses clone(2), as libc does it. */
static pid_t by_spawn(int laws)
{
    (void)laws;
    pid_t child = -1;
    extern char **environ;
    return posix_spawn(&child, program, NULL, NULL, child_arguments, environ) == 0 ? child : -1;
}

static int be_child(const char *source)
{
    return source_ask((enum tclk_source)atoi(source)) == 0 ? broken(READS) : READS;
}

static void tell(const char *source, const struct way *way, const int *broken_by, const struct sequence *parent)
{
    for (int law = 0; law < LAWS; law++) {
        if (way->laws >> law & 1) {
            is_ns(broken_by[law], 0, "%s, %s: %s", source, way->who, sentences[law]);
        }
    }
    sequence_holds(parent, source, "its parent");
    witness_reads_right(20 * MS, source, "its parent");
}

static void makes_children(const char *source, const struct way *way)
{
    int broken_by[LAWS] = {0};
    struct sequence parent = {.last = times_now()};
    struct leftovers before = leftovers_now();
    parent_tid = tclk_tid_own();
    for (int i = 0; i < way->times; i++) {
        sequence_read(&parent);
        int breaches = breaches_of(way->spawn(way->laws));
        sequence_read(&parent);
        for (int law = 0; law < LAWS; law++) {
            broken_by[law] += breaches >> law & 1;
        }
    }
    tell(source, way, broken_by, &parent);
    leftovers_none(before, way->who);
}

/* ---- the situations ---- */

static void *from_second_thread(void *source)
{
    static const struct way once = {"a second thread's fork()", by_fork, ALL, 1};
    const struct way many = {"a second thread's fork(), again and again", by_fork, READS, MANY};
    spin_cpu_ns(USED_NS);
    makes_children(source, &once);
    makes_children(source, &many);
    return NULL;
}

static void forks(const char *source)
{
    static const struct way fork_once = {"a child of fork()", by_fork, ALL, 1};
    static const struct way clone_once = {"a child of clone(2)", by_clone, LIVES, 1};
    spin_cpu_ns(USED_NS);
    makes_children(source, &fork_once);
    if (!has_records || process_is_wiped_on_fork()) {
        makes_children(source, &clone_once);
    } else {
        skip("a child of clone(2) reads from 0", WIPING_MISSING);
    }
    in_thread(from_second_thread, (void *)(uintptr_t)source);
}

static void execs(const char *source)
{
    static const struct way ways[] = {{"vfork() and exec", by_vfork, READS, 5},
                                      {"clone(CLONE_VM | CLONE_VFORK) and exec", by_shared_clone, READS, 5},
                                      {"posix_spawn()", by_spawn, READS, 5}};
    char number[8];
    snprintf(number, sizeof number, "%d", (int)tclk_clock_source());
    child_arguments[2] = number;
    for (size_t i = 0; i < COUNT(ways); i++) {
        makes_children(source, &ways[i]);
    }
}

/* ---- fork() in a handler, at any point of its thread ---- */

static volatile int forked;
static volatile int handlers_breaches;

static void on_alarm(int number)
{
    int saved = errno;
    (void)number;
    handlers_breaches |= breaches_of(by_fork(READS));
    forked++;
    errno = saved;
}

/* One signal at a time, so that the handler does not interrupt itself, and the thread does something other than
 * forking. */
static void set_alarm(int us)
{
    struct itimerval timer = {{0, 0}, {0, us}};
    setitimer(ITIMER_REAL, &timer, NULL);
}

static void forks_in_handler(const char *source)
{
    struct sigaction action = {.sa_handler = on_alarm, .sa_flags = SA_RESTART};
    struct sequence parent = {.last = times_now()};
    struct leftovers before = leftovers_now();
    forked = handlers_breaches = 0;
    sigaction(SIGALRM, &action, NULL);
    for (int seen = -1; seen < MANY;) {
        if (seen != forked) {
            seen = forked;
            set_alarm(300 + seen % 7 * 50);
        }
        sequence_read(&parent);
    }
    set_alarm(0);
    is_ns(handlers_breaches, 0, "%s: each of %d children that a handler forks reads from 0", source, MANY);
    sequence_holds(&parent, source, "a thread whose handler forks");
    leftovers_none(before, "forked in a handler");
}

/* ---- a child that reads in its parent's memory, including the words of its parent's thread ---- */

static bool vfork_child_reads(void)
{
    pid_t child = vfork();
    if (child == 0) {
        struct tclk_times times;
        _exit(tclk_thread_read(&times) == 0 ? 0 : 1);
    }
    return breaches_of(child) == 0;
}

static void *parent_reads_first_after_child(void *right)
{
    bool read = vfork_child_reads();
    spin_cpu_ns(MS);
    int64_t before_ns = kernel_cpu_ns();
    struct tclk_times own = times_now();
    struct tclk_times observed = {-1, -1, -1};
    struct sequence s = {.last = own};
    tclk_tid_read(tclk_tid_own(), &observed);
    sequence_judge(&s, observed);
    *(bool *)right = read && own.cpu_ns >= before_ns && sequence_is_lawful(&s) &&
                     (kind_is_gate() || kernel_cpu_ns() >= observed.cpu_ns - MS);
    return NULL;
}

static void reads_in_parents_memory(const char *source)
{
    struct leftovers before = leftovers_now();
    int wrong = 0;
    for (int i = 0; i < 20; i++) {
        bool right = false;
        in_thread(parent_reads_first_after_child, &right);
        wrong += !right;
    }
    is_ns(wrong, 0, "%s: a thread whose vfork() child has read first reads its own times", source);
    leftovers_none(before, "a vfork() child that has read");
}

/* ---- where memory is not wiped ---- */

static void without_wiping(void)
{
    static const char where[] = "clock, memory is not wiped";
    if (skips(!seccomp_refuse_wiping(), "children whose memory is not wiped read right", SECCOMP_MISSING)) {
        return;
    }
    has_records = false;
    forks(where);
    is_ns((int64_t)stats_now().threads, 0, "%s: no thread has a record", where);
    ok(vfork_child_reads(), "%s: a vfork() child reads", where);
}

/* ---- while another thread is in the library ---- */

static void configure_another_window(void *argument)
{
    struct tclk_config *config = argument;
    config->window_ns = config->window_ns == MS ? 2 * MS : MS;
    tclk_clock_configure(config);
}

static void configure_and_read(void)
{
    struct tclk_times times;
    _exit(source_ask(TCLK_SOURCE_CLOCK) == 0 && tclk_thread_read(&times) == 0 ? 0 : 1);
}

static void configures_after_fork(void)
{
    struct tclk_config config = {.source = TCLK_SOURCE_CLOCK};
    struct repeater repeater;
    int refused = 0;
    repeater_start(&repeater, configure_another_window, &config);
    for (int i = 0; i < 50; i++) {
        refused += process_status_of(configure_and_read) != 0;
    }
    repeater_stop(&repeater);
    is_ns(refused, 0, "a child can configure, whatever its parent's threads were about");
}

int main(int count, char **arguments)
{
    if (count == 3 && strcmp(arguments[1], READS_AS_CHILD) == 0) {
        return be_child(arguments[2]);
    }
    in_child(without_wiping); /* before anything is mapped */
    with_each_source(forks);
    if (kind_is_emulated()) {
        skip("children of handlers, of vfork() and by exec read from 0", KIND_EMULATED);
    } else {
        with_each_source(forks_in_handler);
        with_each_source(execs);
        with_each_source(reads_in_parents_memory);
    }
    configures_after_fork();
    return done();
}
