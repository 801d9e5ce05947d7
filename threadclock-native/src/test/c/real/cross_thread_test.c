/* SPDX-License-Identifier: Apache-2.0 */

/* One thread is read by itself and by two others at the same time. A reader that begins after another one has told
 * its result does not read less, nor more user time than the CPU time allows. */

#include "clocks.h"
#include "kind.h"
#include "sources.h"
#include "threads.h"

#include <inttypes.h>
#include <string.h>
#include <tap.h>
#include <unistd.h>

#define OBSERVERS 2
#define READERS (OBSERVERS + 1)
#define OBSERVATIONS 120000

/* The newest point that a reader has told, which others may load at any time. */
struct told {
    uint64_t version; /* odd while it is written */
    struct tclk_times times;
} __attribute__((aligned(128)));

static struct told told[READERS];

static void tell(int who, struct tclk_times times)
{
    struct told *t = &told[who];
    __atomic_store_n(&t->version, t->version + 1, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_RELEASE);
    __atomic_store_n(&t->times.cpu_ns, times.cpu_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&t->times.user_ns, times.user_ns, __ATOMIC_RELAXED);
    __atomic_store_n(&t->version, t->version + 1, __ATOMIC_RELEASE);
}

/* False if it is being written; there are others to compare with. */
static bool ask(int who, struct tclk_times *times)
{
    const struct told *t = &told[who];
    uint64_t version = __atomic_load_n(&t->version, __ATOMIC_ACQUIRE);
    times->cpu_ns = __atomic_load_n(&t->times.cpu_ns, __ATOMIC_RELAXED);
    times->user_ns = __atomic_load_n(&t->times.user_ns, __ATOMIC_RELAXED);
    __atomic_thread_fence(__ATOMIC_ACQUIRE);
    return version % 2 == 0 && __atomic_load_n(&t->version, __ATOMIC_RELAXED) == version;
}

/* ---- the laws ---- */

struct breaches {
    int64_t compared;
    int64_t errors;
    int64_t cpu_back;
    int64_t user_back;
    int64_t user_too_fast;
    int64_t worst_ns;
};

static void worse(struct breaches *b, int64_t ns)
{
    b->worst_ns = ns > b->worst_ns ? ns : b->worst_ns;
}

static void compare(struct breaches *b, struct tclk_times before, struct tclk_times now)
{
    b->compared++;
    b->cpu_back += now.cpu_ns < before.cpu_ns;
    b->user_back += now.user_ns < before.user_ns;
    b->user_too_fast += now.user_ns - before.user_ns > now.cpu_ns - before.cpu_ns;
    worse(b, before.cpu_ns - now.cpu_ns);
    worse(b, before.user_ns - now.user_ns);
    worse(b, now.user_ns - before.user_ns - (now.cpu_ns - before.cpu_ns));
}

/* Loads all told points before a reading, which must not be less. */
static void read_and_compare(int who, struct breaches *b, int (*reading)(struct tclk_times *))
{
    struct tclk_times before[READERS];
    struct tclk_times now;
    bool known[READERS];
    for (int i = 0; i < READERS; i++) {
        known[i] = ask(i, &before[i]);
    }
    if (reading(&now) != 0) {
        b->errors++;
        return;
    }
    for (int i = 0; i < READERS; i++) {
        if (known[i]) {
            compare(b, before[i], now);
        }
    }
    tell(who, now);
}

/* ---- the readers ---- */

static pid_t subject_tid;
static bool ends;
static struct breaches breaches[READERS];

static int read_subject(struct tclk_times *times)
{
    return tclk_tid_read(subject_tid, times);
}

static int read_subject_in_an_array(struct tclk_times *times)
{
    const pid_t tids[] = {(pid_t)getpid(), subject_tid};
    struct tclk_times all[2];
    size_t read = tclk_tids_read(tids, 2, all);
    *times = all[1];
    return read == 2 ? 0 : -1;
}

/* Readings of CPU time alone belong to the same sequence. */
static void compare_cpu_time_alone(struct breaches *b)
{
    struct tclk_times before;
    bool known = ask(0, &before);
    int64_t cpu_ns = tclk_tid_cpu_ns(subject_tid);
    struct tclk_times now = {.cpu_ns = cpu_ns, .user_ns = before.user_ns};
    if (known) {
        b->cpu_back += now.cpu_ns < before.cpu_ns;
        worse(b, before.cpu_ns - now.cpu_ns);
    }
}

static void *observe(void *number)
{
    int who = *(int *)number;
    struct breaches *b = &breaches[who];
    for (int i = 0; i < (int)kind_rounds(OBSERVATIONS); i++) {
        read_and_compare(who, b, i % 3 == 0 ? read_subject_in_an_array : read_subject);
        if (i % 4 == 0) {
            compare_cpu_time_alone(b);
        }
    }
    return NULL;
}

/* The way in which the subject spends its time, and how often it reads itself. */
struct way {
    const char *what;
    void (*live)(struct breaches *b);
};

static void read_all_the_time(struct breaches *b)
{
    read_and_compare(0, b, tclk_thread_read);
}

static void read_between_calls(struct breaches *b)
{
    for (int i = 0; i < 20; i++) {
        getppid();
    }
    read_and_compare(0, b, tclk_thread_read);
}

static void read_between_sleeps(struct breaches *b)
{
    spin_wall_ns(20 * US);
    sleep_ns(10 * US);
    read_and_compare(0, b, tclk_thread_read);
}

/* The line of its anchor has long ended when the next reading comes. */
static void read_seldom(struct breaches *b)
{
    for (int i = 0; i < 40; i++) {
        spin_wall_ns(100 * US);
        getppid();
        read_and_compare(0, b, i < 3 ? tclk_thread_read : read_subject);
    }
}

static void never_read(struct breaches *b)
{
    (void)b;
    spin_wall_ns(50 * US);
    getppid();
}

static const struct way ways[] = {
    {"reads itself all the time", read_all_the_time},
    {"reads itself between system calls", read_between_calls},
    {"reads itself between sleeps", read_between_sleeps},
    {"reads itself seldom", read_seldom},
    {"never reads itself", never_read},
};

static const struct way *way;

static void *live(void *unused)
{
    __atomic_store_n(&subject_tid, tclk_tid_own(), __ATOMIC_RELEASE);
    while (!__atomic_load_n(&ends, __ATOMIC_RELAXED)) {
        way->live(&breaches[0]);
    }
    return unused;
}

static struct breaches sum_of_all(void)
{
    struct breaches sum = {0};
    for (int i = 0; i < READERS; i++) {
        sum.compared += breaches[i].compared;
        sum.errors += breaches[i].errors;
        sum.cpu_back += breaches[i].cpu_back;
        sum.user_back += breaches[i].user_back;
        sum.user_too_fast += breaches[i].user_too_fast;
        worse(&sum, breaches[i].worst_ns);
    }
    return sum;
}

static struct breaches run(void)
{
    static int numbers[READERS] = {0, 1, 2};
    pthread_t observers[OBSERVERS];
    memset(told, 0, sizeof told);
    memset(breaches, 0, sizeof breaches);
    subject_tid = 0;
    ends = false;
    pthread_t subject = thread_start(live, NULL);
    while (__atomic_load_n(&subject_tid, __ATOMIC_ACQUIRE) == 0) {
        sched_yield();
    }
    for (int i = 0; i < OBSERVERS; i++) {
        observers[i] = thread_start(observe, &numbers[i + 1]);
    }
    for (int i = 0; i < OBSERVERS; i++) {
        pthread_join(observers[i], NULL);
    }
    __atomic_store_n(&ends, true, __ATOMIC_RELAXED);
    pthread_join(subject, NULL);
    return sum_of_all();
}

static void contradicts_nobody(const char *source)
{
    for (size_t i = 0; i < sizeof ways / sizeof ways[0]; i++) {
        way = &ways[i];
        struct breaches b = run();
        diag("%s, a thread that %s: %" PRId64 " comparisons, worst %" PRId64 " ns", source, way->what, b.compared,
             b.worst_ns);
        ok(b.compared > 0, "%s, a thread that %s", source, way->what);
        is_ns(b.errors, 0, "…is read without an error");
        is_ns(b.cpu_back, 0, "…no CPU time is less than one told before");
        is_ns(b.user_back, 0, "…nor is user time");
        is_ns(b.user_too_fast, 0, "…user time grows no faster than CPU time");
    }
}

static void contradicts_nobody_when_sampled(const char *source)
{
    struct tclk_config config = {.source = tclk_clock_source(), .split = TCLK_SPLIT_SAMPLED};
    tclk_clock_configure(&config);
    diag("sampled");
    contradicts_nobody(source);
}

int main(void)
{
    with_each_source(contradicts_nobody);
    with_each_source(contradicts_nobody_when_sampled);
    return done();
}
