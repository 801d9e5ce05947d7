/* SPDX-License-Identifier: Apache-2.0 */

/*
 * One thread is read by itself and by two others at the same time, while other threads come, read and go, and the clock
 * is asked all that it may be asked. A reader that begins after another one has told its result does not read less, nor
 * more user time than the CPU time allows. ThreadSanitizer sees races.
 */

#include "real.h"

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

/* Loads all told points before a reading, which must not be less. */
static void read_and_compare(int who, struct sequence *b, int (*reading)(struct tclk_times *))
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
            sequence_compare(b, before[i], now);
        }
    }
    tell(who, now);
}

/* ---- the readers ---- */

static struct repeater subject;
static struct sequence seen[READERS];

static int read_subject(struct tclk_times *times)
{
    return tclk_tid_read(subject.tid, times);
}

static int read_subject_in_an_array(struct tclk_times *times)
{
    const pid_t tids[] = {(pid_t)getpid(), subject.tid};
    struct tclk_times all[2];
    size_t read = tclk_tids_read(tids, 2, all);
    *times = all[1];
    return read == 2 ? 0 : -1;
}

/* Readings of CPU time alone belong to the same sequence. */
static void compare_cpu_time_alone(struct sequence *b)
{
    struct tclk_times before;
    bool known = ask(0, &before);
    int64_t cpu_ns = tclk_tid_cpu_ns(subject.tid);
    if (known) {
        sequence_note(b, &b->cpu_back, before.cpu_ns - cpu_ns);
    }
}

static void *observe(void *number)
{
    int who = *(int *)number;
    struct sequence *b = &seen[who];
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
    void (*live)(void *b);
};

static void read_all_the_time(void *b)
{
    read_and_compare(0, b, tclk_thread_read);
}

static void read_between_calls(void *b)
{
    for (int i = 0; i < 20; i++) {
        getppid();
    }
    read_and_compare(0, b, tclk_thread_read);
}

static void read_between_sleeps(void *b)
{
    spin_wall_ns(20 * US);
    sleep_ns(10 * US);
    read_and_compare(0, b, tclk_thread_read);
}

/* The line of its anchor has long ended when the next reading comes. */
static void read_seldom(void *b)
{
    for (int i = 0; i < 40; i++) {
        spin_wall_ns(100 * US);
        getppid();
        read_and_compare(0, b, i < 3 ? tclk_thread_read : read_subject);
    }
}

static void never_read(void *b)
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

/* ---- what goes on beside them ---- */

static int64_t wrong;

static void *read_itself(void *unused)
{
    struct tclk_times times = {-1, -1, -1};
    __atomic_fetch_add(&wrong, tclk_thread_read(&times) != 0 || !times_are_consistent(times), __ATOMIC_RELAXED);
    return unused;
}

static void come_and_go_and_ask(void *unused)
{
    char text[1024];
    times_now(); /* makes this thread one that is counted, whenever the others begin */
    in_thread(read_itself, unused);
    bool right = stats_now().threads >= 1 && tclk_clock_source() != TCLK_SOURCE_AUTO &&
                 tclk_clock_explain(text, sizeof text) > 0;
    __atomic_fetch_add(&wrong, !right, __ATOMIC_RELAXED);
}

static struct sequence run(const struct way *way)
{
    static int numbers[READERS] = {0, 1, 2};
    struct sequence sum = {.readings = 0};
    struct repeater others;
    memset(told, 0, sizeof told);
    memset(seen, 0, sizeof seen);
    repeater_start(&subject, way->live, &seen[0]);
    repeater_start(&others, come_and_go_and_ask, NULL);
    in_threads(OBSERVERS, observe, &numbers[1], sizeof numbers[0]);
    repeater_stop(&subject);
    repeater_stop(&others);
    for (int i = 0; i < READERS; i++) {
        sequence_add(&sum, &seen[i]);
    }
    return sum;
}

static void contradicts_nobody(const char *source)
{
    for (size_t i = 0; i < COUNT(ways); i++) {
        char who[96];
        snprintf(who, sizeof who, "%sa thread that %s", sources_split == TCLK_SPLIT_SAMPLED ? "sampled, " : "",
                 ways[i].what);
        struct sequence s = run(&ways[i]);
        sequence_holds(&s, source, who);
    }
    is_ns(wrong, 0, "%s: what short threads read meanwhile is right, and what is told of the clock", source);
}

/* ---- the first readings of a process ---- */

static pthread_barrier_t all_here;

static void *read_first(void *unused)
{
    pthread_barrier_wait(&all_here);
    return read_itself(unused);
}

static void all_first(void)
{
    pthread_barrier_init(&all_here, NULL, READERS);
    in_threads(READERS, read_first, NULL, 0);
    is_ns(wrong, 0, "the first readings of a process may be several at once");
}

int main(void)
{
    all_first();
    with_each_source(contradicts_nobody);
    sources_split = TCLK_SPLIT_SAMPLED;
    with_each_source(contradicts_nobody);
    return done();
}
