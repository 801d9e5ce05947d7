/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The header's promises about a thread's readings, by itself and by others, hold in every mode: where the kernel cannot
 * wipe memory on fork, where a thread can have no record, and at a thread's end.
 */

#include "clock/observe.h"
#include "clock/record.h"
#include "kind.h"
#include "process.h"
#include "seccomp.h"
#include "sources.h"
#include "stats.h"
#include "threads.h"
#include "witness.h"

#include <fcntl.h>
#include <string.h>
#include <tap.h>
#include <unistd.h>

#define PHASE_NS (30 * MS)
#define TEXT_BYTES 2048

static const char *mode;

/* ---- the law ---- */

struct law {
    struct tclk_times last;
    int64_t readings;
    int64_t back;
    int64_t outgrown;
};

static void law_judge(struct law *law, struct tclk_times now)
{
    law->readings++;
    law->back += now.user_ns < law->last.user_ns || now.cpu_ns < law->last.cpu_ns;
    law->outgrown += now.user_ns - law->last.user_ns > now.cpu_ns - law->last.cpu_ns || !witness_is_consistent(now);
    law->last = now;
}

static void law_holds(const struct law *law, const char *who)
{
    is_ns(law->back, 0, "%s, %s: no time steps back", mode, who);
    is_ns(law->outgrown, 0, "%s, %s: user time grows by no more than CPU time", mode, who);
    diag("%" PRId64 " readings", law->readings);
}

/* ---- a thread that computes, and works in the kernel, in turn ---- */

static void work(bool in_kernel)
{
    static _Thread_local char buffer[1 << 16];
    static int zero = -1;
    if (!in_kernel) {
        spin_wall_ns(20 * US);
        return;
    }
    if (zero < 0) {
        zero = open("/dev/zero", O_RDONLY | O_CLOEXEC);
    }
    if (read(zero, buffer, sizeof buffer) < 0) {
        exit(2);
    }
}

static struct law read_in_phases(int64_t phases)
{
    struct law law = {.last = times_now()};
    for (int64_t phase = 0; phase < phases; phase++) {
        int64_t end_ns = kernel_cpu_ns() + PHASE_NS;
        while (kernel_cpu_ns() < end_ns) {
            work(phase % 2 != 0);
            law_judge(&law, times_now());
        }
    }
    return law;
}

/* ---- and another one that reads it, always after it has read itself ---- */

#define TURNS 200

static pthread_barrier_t turn;
static pid_t watched_tid;
static struct law shared;

static void *be_watched(void *unused)
{
    watched_tid = tclk_tid_own();
    for (int i = 0; i < TURNS; i++) {
        int64_t end_ns = kernel_cpu_ns() + 500 * US;
        while (kernel_cpu_ns() < end_ns) {
            work(i / 20 % 2 != 0);
        }
        law_judge(&shared, times_now());
        pthread_barrier_wait(&turn);
        pthread_barrier_wait(&turn);
    }
    return unused;
}

static void watch_by_turns(void)
{
    struct tclk_times times = {-1, -1, -1};
    for (int i = 0; i < TURNS; i++) {
        pthread_barrier_wait(&turn);
        if (tclk_tid_read(watched_tid, &times) == 0) {
            law_judge(&shared, times);
        }
        pthread_barrier_wait(&turn);
    }
}

/* The other thread starts before anything is refused, because it needs a stack. */
static void threads_keep_the_law(bool (*refuse)(void))
{
    pthread_barrier_init(&turn, NULL, 2);
    shared = (struct law){.readings = 0};
    if (!refuse()) {
        skip("the promises hold without it", SECCOMP_MISSING);
        exit(0);
    }
    struct law law = read_in_phases(kind_rounds(10));
    law_holds(&law, "a thread alone");
}

static pthread_barrier_t refused;

static void *be_watched_then(void *unused)
{
    pthread_barrier_wait(&refused);
    return be_watched(unused);
}

static void modes_keep_the_law(bool (*refuse)(void))
{
    pthread_barrier_init(&refused, NULL, 2);
    pthread_t thread = thread_start(be_watched_then, NULL);
    threads_keep_the_law(refuse);
    pthread_barrier_wait(&refused);
    watch_by_turns();
    pthread_join(thread, NULL);
    is_ns(shared.readings, 2 * TURNS, "%s: every reading of a thread and of its watcher succeeds", mode);
    law_holds(&shared, "a thread and its watcher");
}

/* ---- without wiping ---- */

static uint64_t threads_with_records(void)
{
    return stats_now().threads;
}

static void without_wiping(void)
{
    char text[TEXT_BYTES];
    mode = "memory is not wiped on fork";
    modes_keep_the_law(seccomp_refuse_wiping);
    is_ns(threads_with_records(), 1, "%s: a thread has a record all the same", mode);
    ok(tclk_clock_source() == TCLK_SOURCE_CLOCK, "%s: nothing is extrapolated", mode);
    tclk_source_explain(TCLK_SOURCE_PERF, text, sizeof text);
    ok(strstr(text, "no memory that is wiped on fork") != NULL, "%s: it says so", mode);
    struct tclk_config config = {.split = TCLK_SPLIT_SAMPLED};
    tclk_clock_configure(&config);
    tclk_clock_explain(text, sizeof text);
    ok(strstr(text, "split sampled: no memory that is wiped on fork") != NULL, "%s: nor is anybody sampled", mode);
}

/* ---- without a record ---- */

static bool refuse_memory(void)
{
    return seccomp_refuse(SYS_mmap, ENOMEM);
}

#if !defined(TCLK_SANITIZED) /* a sanitizer needs memory itself */

static int64_t mappings;

/* The mmap() that the library calls, and then the kernel's. */
void *mmap(void *at, size_t bytes, int protection, int flags, int fd, off_t offset)
{
    __atomic_fetch_add(&mappings, 1, __ATOMIC_RELAXED);
    return (void *)syscall(SYS_mmap, at, bytes, protection, flags, fd, offset); // NOLINT
}

static void refused_memory_is_not_asked_for_at_each_reading(void)
{
    int64_t begin_ns = wall_ns();
    int64_t before = mappings;
    for (int i = 0; i < 1000; i++) {
        times_now();
    }
    int64_t seconds = (wall_ns() - begin_ns) / S;
    ok(mappings - before <= 2 + seconds, "%s: it is asked for once in a second at most", mode);
    diag("%" PRId64 " times in 1000 readings", mappings - before);
}

#else

static void refused_memory_is_not_asked_for_at_each_reading(void)
{
    skip("memory is asked for once in a second at most", KIND_PLAIN_ONLY);
}

#endif

static void without_memory(void)
{
    mode = "there is no memory";
    if (KIND_IS_ASAN) {
        skip("the promises hold without memory", "AddressSanitizer, which ends without memory of its own");
        return;
    }
    modes_keep_the_law(refuse_memory);
    is_ns(threads_with_records(), 0, "%s: no thread has a record", mode);
    refused_memory_is_not_asked_for_at_each_reading();
}

static struct tclk_record *last_taken;

static bool use_up_pool(void)
{
    struct tclk_record *record;
    while ((record = tclk_record_take(1, TCLK_HOLD_OBSERVERS)) != NULL) {
        last_taken = record;
    }
    return true;
}

static void beyond_the_pool(void)
{
    mode = "all records are in use";
    modes_keep_the_law(use_up_pool);
    is_ns(threads_with_records(), 0, "%s: no thread has a record", mode);
}

/* The first reader is the thread, or another one. */
static void a_record_comes_back(bool others_first)
{
    struct law law;
    mode = "a record comes back";
    use_up_pool();
    spin_cpu_ns(20 * MS); /* makes the process's share differ from the thread's */
    law = read_in_phases(2);
    tclk_record_give(last_taken);
    if (others_first) {
        struct tclk_times times;
        tclk_observe_times(tclk_tid_own(), 0, &times);
        law_judge(&law, times);
    }
    law_judge(&law, times_now());
    is_ns(threads_with_records(), 1, "%s: a thread that has begun without gets it", mode);
    for (int i = 0; i < 1000; i++) {
        work(i / 100 % 2 != 0);
        law_judge(&law, times_now());
    }
    law_holds(&law, others_first ? "through others" : "by itself");
}

static void a_record_comes_to_its_thread(void)
{
    a_record_comes_back(false);
}

static void a_record_comes_through_others(void)
{
    a_record_comes_back(true);
}

/* ---- at a thread's end ---- */

#define SHORT_LIVES 60
#define SHORT_LIFE_NS (3 * MS)

static pthread_key_t late_key;

/* Reads other threads first, which have not read this thread before. */
static void *read_ended(void *tid)
{
    struct tclk_times times;
    if (tclk_tid_read(*(pid_t *)tid, &times) == 0) {
        law_judge(&shared, times);
    }
    return NULL;
}

static void read_late(void *law)
{
    pid_t tid = tclk_tid_own();
    in_thread(read_ended, &tid);
    law_judge(law, times_now());
}

static void *live_shortly(void *in_kernel)
{
    int64_t end_ns = kernel_cpu_ns() + SHORT_LIFE_NS;
    shared.last = times_now();
    while (kernel_cpu_ns() < end_ns) {
        work(in_kernel != NULL);
        law_judge(&shared, times_now());
    }
    pthread_setspecific(late_key, &shared);
    return NULL;
}

/* Destructors run in the order of their keys: the library's has run by then. */
static void later_destructors(const char *source)
{
    mode = source;
    shared = (struct law){.readings = 0};
    for (int i = 0; i < SHORT_LIVES; i++) {
        in_thread(live_shortly, i % 2 == 0 ? NULL : &mode);
    }
    law_holds(&shared, "a thread, its later destructors and who reads it then");
}

static void with_later_destructors(void)
{
    times_now();
    pthread_key_create(&late_key, read_late);
    with_each_source(later_destructors);
}

/* ---- a child that libc does not know of ---- */

static pid_t parent_tid;

static void child_reads_by_tid(void)
{
    struct tclk_times own;
    struct tclk_times times = {-1, -1, -1};
    is_ns(tclk_tid_read(parent_tid, &times), -ESRCH, "%s: a child does not find its parent's thread", mode);
    is_ns(times.cpu_ns, -1, "%s: and gets no times of it", mode);
    own = times_now();
    is_ns(tclk_tid_read(tclk_tid_own(), &times), 0, "%s: it finds itself", mode);
    ok(times.cpu_ns >= own.cpu_ns && times.user_ns >= own.user_ns &&
           times.user_ns - own.user_ns <= times.cpu_ns - own.cpu_ns,
       "%s: and by its tid, its readings go on", mode);
}

static void unwiped_children(void)
{
    mode = "a copied record";
    if (!seccomp_refuse_wiping()) {
        skip("a child that libc does not know of reads right", SECCOMP_MISSING);
        return;
    }
    spin_cpu_ns(40 * MS);
    times_now();
    parent_tid = tclk_tid_own();
    in_child_of(process_clone, child_reads_by_tid);
    in_child(child_reads_by_tid);
}

int main(void)
{
    in_child(without_wiping);
    in_child(unwiped_children);
    in_child(with_later_destructors);
    in_child(without_memory);
    in_child(beyond_the_pool);
    in_child(a_record_comes_to_its_thread);
    in_child(a_record_comes_through_others);
    return done();
}
