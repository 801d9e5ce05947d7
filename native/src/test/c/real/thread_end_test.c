/* SPDX-License-Identifier: Apache-2.0 */

/* Threads start and end: their records come back, and nobody gets another thread's time. */

#include "real.h"

#include <semaphore.h>

/* ---- many ---- */

#define BATCHES (int)kind_rounds(400)
#define AT_ONCE 20

/* One record for the main thread, those of a batch, and one for each thread that ended after the next batch began, or
 * that others have read and that is not swept yet. */
#define RECORDS_MAX (4 * AT_ONCE)

/* The growth of the whole process after the first tenth. With a record for each further thread it would be 1.8 MB. */
#define GROWTH_BYTES (512 * 1024)

static pthread_barrier_t all_here;
static pid_t tids[AT_ONCE];
static int64_t wrong;

static void *read_and_end(void *tid)
{
    bool right = first_reading_is_right();
    *(pid_t *)tid = tclk_tid_own();
    spin_cpu_ns(100 * US);
    times_now();
    __atomic_fetch_add(&wrong, !right, __ATOMIC_RELAXED);
    pthread_barrier_wait(&all_here);
    pthread_barrier_wait(&all_here);
    return NULL;
}

/* Others also read each third batch, so that its records outlive its threads. */
static struct tclk_stats run_batch(int batch)
{
    pthread_t threads[AT_ONCE];
    struct tclk_times times[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++) {
        threads[i] = thread_start(read_and_end, &tids[i]);
    }
    pthread_barrier_wait(&all_here);
    struct tclk_stats at_once = stats_now();
    if (batch % 3 == 0) {
        wrong += tclk_tids_read(tids, AT_ONCE, times) != AT_ONCE;
    }
    pthread_barrier_wait(&all_here);
    for (int i = 0; i < AT_ONCE; i++) {
        pthread_join(threads[i], NULL);
    }
    return at_once;
}

/* Counts page by page, because since Linux 6.2 each CPU adds to statm's sum only now and then, 32 pages or more at
 * once. -1: there is no such file. */
static int64_t memory_bytes(void)
{
    int64_t kib = file_number("/proc/self/smaps_rollup", "Rss:"); /* Linux 4.14 */
    return kib < 0 ? -1 : kib * 1024;
}

static void does_not_grow(const char *source, int64_t early_bytes)
{
    if (skips(!KIND_IS_PLAIN || kind_is_emulated() || early_bytes < 0, "the process does not grow with its threads",
              "/proc/self/smaps_rollup, Linux 4.14, no sanitizer, and no "
              "emulator (QEMU 7.2 keeps 284 KB of each thread)")) {
        return;
    }
    int64_t growth_bytes = memory_bytes() - early_bytes;
    ok(growth_bytes <= GROWTH_BYTES, "%s: the process does not grow with its threads", source);
    diag("memory grew by %" PRId64 " bytes", growth_bytes);
}

static void come_and_go(const char *source)
{
    int64_t miscounted = 0;
    int64_t too_many = 0;
    int64_t early_bytes = -1;
    wrong = 0;
    times_now();
    struct tclk_stats before = stats_now();
    for (int i = 0; i < BATCHES; i++) {
        if (i == BATCHES / 10) {
            early_bytes = memory_bytes();
        }
        struct tclk_stats at_once = run_batch(i);
        miscounted += at_once.threads != before.threads + AT_ONCE;
        too_many += at_once.threads + at_once.threads_observed > RECORDS_MAX;
    }
    is_ns(wrong, 0, "%s: the first reading of each of %d threads is its own time", source, BATCHES * AT_ONCE);
    is_ns(miscounted, 0, "%s: each has a record while it is there", source);
    is_ns(too_many, 0, "%s: %d records are enough for them", source, RECORDS_MAX);
    is_ns(stats_now().threads, before.threads, "%s: all records have come back", source);
    is_ns(stats_now().resyncs_first - before.resyncs_first, BATCHES * AT_ONCE,
          "%s: what ended threads have done is still counted", source);
    if (kind_judges_timing("the process does not grow with its threads")) {
        does_not_grow(source, early_bytes);
    }
}

/* ---- what ended threads leave ---- */

/* Not every number shows it: with main, the number of records is even, and the sweep checks two at a time. */
#define ALIVE 51
#define SHORT_LIVES 1000

static pthread_barrier_t until_counted;

static void *read_and_stay(void *unused)
{
    times_now();
    pthread_barrier_wait(&until_counted);
    return unused;
}

/* If most records belong to living threads, the sweep must still find the others. */
static void leave_few_records(void)
{
    pthread_t staying[ALIVE];
    uint64_t most = 0;
    pthread_barrier_init(&until_counted, NULL, ALIVE + 1);
    for (int i = 0; i < ALIVE; i++) {
        staying[i] = thread_start(read_and_stay, NULL);
    }
    for (int i = 0; i < SHORT_LIVES; i++) {
        test_in_thread(read_times_once);
        uint64_t left = stats_now().threads_observed;
        most = left > most ? left : most;
    }
    pthread_barrier_wait(&until_counted);
    for (int i = 0; i < ALIVE; i++) {
        pthread_join(staying[i], NULL);
    }
    ok(most <= 4 * ALIVE, "a thousand threads that come and go leave no more records than some");
    diag("at most %" PRIu64 ", beside %d threads that stay", most, ALIVE);
}

/* ---- the end ---- */

#define LIVES 60

static pthread_key_t late_key;
static int rounds;
static struct sequence life;

static void *read_ended(void *tid)
{
    struct tclk_times times;
    if (tclk_tid_read(*(pid_t *)tid, &times) == 0) {
        sequence_judge(&life, times);
    }
    return NULL;
}

/* It is not the thread's first: what readings have told before may be ahead of the kernel. */
static void read_beside_the_kernel(void)
{
    int64_t before_ns = kernel_cpu_ns();
    sequence_read(&life);
    wrong += life.last.cpu_ns < before_ns || life.last.cpu_ns > kernel_cpu_ns() + ahead_most_ns();
}

/* Rounds of destructors follow the order of the keys. This one, made after the library's, reads when the library has
 * given the record back. Then another thread reads this one first, which it has not read before. */
static void read_at_end(void *first_round)
{
    pid_t tid = tclk_tid_own();
    rounds++;
    read_beside_the_kernel();
    in_thread(read_ended, &tid);
    sequence_read(&life);
    if (first_round == &late_key) {
        pthread_setspecific(late_key, &rounds);
    }
}

static void *live_and_set_key(void *in_kernel)
{
    life.last = times_now();
    for (int i = 0; i < 20; i++) {
        work_shortly(in_kernel != NULL);
        sequence_read(&life);
    }
    pthread_setspecific(late_key, &late_key);
    return NULL;
}

static void read_in_destructors(const char *source)
{
    uint64_t threads_before = stats_now().threads;
    wrong = 0;
    rounds = 0;
    life = (struct sequence){.readings = 0};
    for (int i = 0; i < LIVES; i++) {
        in_thread(live_and_set_key, i % 2 == 0 ? NULL : &life);
    }
    is_ns(rounds, 2 * LIVES, "%s: a destructor that reads runs twice", source);
    is_ns(wrong, 0, "%s: its readings are not below the kernel's", source);
    sequence_holds(&life, source, "a thread, its later destructors and who reads it then");
    is_ns(stats_now().threads, threads_before, "%s: its records come back as well", source);
}

static void *wait_for_cancellation(void *unused)
{
    times_now();
    for (;;) {
        sleep_ns(S);
    }
    return unused;
}

static void *leave_early(void *unused)
{
    times_now();
    pthread_exit(unused);
}

static void end_otherwise(const char *source)
{
    uint64_t threads_before = stats_now().threads;
    pthread_t thread = thread_start(wait_for_cancellation, NULL);
    pthread_cancel(thread);
    pthread_join(thread, NULL);
    is_ns(stats_now().threads, threads_before, "%s: a cancelled thread gives its record back", source);
    in_thread(leave_early, NULL);
    is_ns(stats_now().threads, threads_before, "%s: so does one that ends by pthread_exit()", source);
}

/* ---- threads that nobody has announced ---- */

static sem_t timer_has_read;
static bool timer_right;

static void on_timer(union sigval unused)
{
    (void)unused;
    timer_right = first_reading_is_right();
    sem_post(&timer_has_read);
}

/* libc creates the thread that runs on_timer(), at any time. */
static void libc_makes(const char *source)
{
    struct sigevent event = {.sigev_notify = SIGEV_THREAD, .sigev_notify_function = on_timer};
    struct itimerspec soon = {.it_value = {.tv_nsec = 1000000}};
    timer_t timer;
    sem_init(&timer_has_read, 0, 0);
    if (skips(timer_create(CLOCK_MONOTONIC, &event, &timer) != 0, "a thread of libc's own reads right",
              "timers that start threads")) {
        return;
    }
    timer_settime(timer, 0, &soon, NULL);
    sem_wait(&timer_has_read);
    timer_delete(timer);
    ok(timer_right, "%s: a thread of libc's own reads right", source);
}

int main(void)
{
    times_now();
    pthread_barrier_init(&all_here, NULL, AT_ONCE + 1);
    pthread_key_create(&late_key, read_at_end);
    leave_few_records();
    with_each_source(come_and_go);
    with_each_source(read_in_destructors);
    with_each_source(end_otherwise);
    if (KIND_IS_TSAN) {
        skip("a thread of libc's own reads right", "ThreadSanitizer, which does not know such threads");
    } else {
        with_each_source(libc_makes);
    }
    return done();
}
