/* SPDX-License-Identifier: Apache-2.0 */

/*
 * The header's promises about a thread's readings, by itself and by others, hold in every mode: where the kernel cannot
 * wipe memory on fork, and where a thread can have no record.
 */

#include "clock/observe.h"
#include "clock/record.h"
#include "real.h"

#define PHASE_NS (30 * MS)

static const char *mode;

/* ---- a thread that computes, and works in the kernel, in turn ---- */

static struct sequence read_in_phases(int64_t phases)
{
    struct sequence s = {.last = times_now()};
    for (int64_t phase = 0; phase < phases; phase++) {
        int64_t end_ns = kernel_cpu_ns() + PHASE_NS;
        while (kernel_cpu_ns() < end_ns) {
            work_shortly(phase % 2 != 0);
            sequence_read(&s);
        }
    }
    return s;
}

/* ---- and another one that reads it, always after it has read itself ---- */

#define TURNS 200

static pthread_barrier_t turn;
static pid_t watched_tid;
static struct sequence shared;

static void *be_watched(void *unused)
{
    watched_tid = tclk_tid_own();
    for (int i = 0; i < TURNS; i++) {
        int64_t end_ns = kernel_cpu_ns() + 500 * US;
        while (kernel_cpu_ns() < end_ns) {
            work_shortly(i / 20 % 2 != 0);
        }
        sequence_read(&shared);
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
            sequence_judge(&shared, times);
        }
        pthread_barrier_wait(&turn);
    }
}

static pthread_barrier_t refused;

static void *be_watched_then(void *unused)
{
    pthread_barrier_wait(&refused);
    return be_watched(unused);
}

/* The other thread starts before anything is refused, because it needs a stack. */
static void modes_keep_the_law(bool (*refuse)(void))
{
    pthread_barrier_init(&turn, NULL, 2);
    pthread_barrier_init(&refused, NULL, 2);
    pthread_t thread = thread_start(be_watched_then, NULL);
    if (!refuse()) {
        skip("the promises hold without it", SECCOMP_MISSING);
        exit(0);
    }
    struct sequence s = read_in_phases(kind_rounds(10));
    sequence_holds(&s, mode, "a thread alone");
    pthread_barrier_wait(&refused);
    watch_by_turns();
    pthread_join(thread, NULL);
    is_ns(shared.readings, 2 * TURNS, "%s: every reading of a thread and of its watcher succeeds", mode);
    sequence_holds(&shared, mode, "a thread and its watcher");
}

/* ---- without wiping ---- */

static uint64_t threads_with_records(void)
{
    return stats_now().threads;
}

static void without_wiping(void)
{
    mode = "memory is not wiped on fork";
    modes_keep_the_law(seccomp_refuse_wiping);
    is_ns(threads_with_records(), 0, "%s: no thread has a record", mode);
    ok(tclk_clock_source() == TCLK_SOURCE_CLOCK, "%s: nothing is extrapolated", mode);
    ok(source_says(TCLK_SOURCE_PERF, "no memory that is wiped on fork"), "%s: it says so", mode);
    split_ask(TCLK_SPLIT_SAMPLED);
    ok(clock_says("split sampled: no memory that is wiped on fork"), "%s: nor is anybody sampled", mode);
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
    if (skips(KIND_IS_ASAN, "the promises hold without memory",
              "AddressSanitizer, which ends without memory of its own")) {
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
static bool others_first;

static void a_record_comes_back(void)
{
    struct sequence s;
    mode = "a record comes back";
    use_up_pool();
    spin_cpu_ns(20 * MS); /* makes the process's share differ from the thread's */
    s = read_in_phases(2);
    tclk_record_give(last_taken);
    if (others_first) {
        struct tclk_point now;
        tclk_observe_times(tclk_tid_own(), &now);
        sequence_judge(&s, (struct tclk_times){now.cpu_ns, now.user_ns, now.cpu_ns - now.user_ns});
    }
    sequence_read(&s);
    is_ns(threads_with_records(), 1, "%s: a thread that has begun without gets it", mode);
    for (int i = 0; i < 1000; i++) {
        work_shortly(i / 100 % 2 != 0);
        sequence_read(&s);
    }
    sequence_holds(&s, mode, others_first ? "through others" : "by itself");
}

int main(void)
{
    in_child(without_wiping);
    in_child(without_memory);
    in_child(beyond_the_pool);
    in_child(a_record_comes_back);
    others_first = true;
    in_child(a_record_comes_back);
    return done();
}
