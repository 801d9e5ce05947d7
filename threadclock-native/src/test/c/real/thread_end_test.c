/* SPDX-License-Identifier: Apache-2.0 */

/* Threads start and end: their records come back, and nobody gets another thread's time. */

#include "clocks.h"
#include "kind.h"
#include "sources.h"
#include "stats.h"
#include "threads.h"

#include <semaphore.h>
#include <signal.h>
#include <tap.h>
#include <time.h>

#define THREADS 200
#define AT_ONCE 20

static bool first_reading_is_right(void)
{
    int64_t before_ns = kernel_cpu_ns();
    struct tclk_times times = times_now();
    int64_t after_ns = kernel_cpu_ns();
    bool right =
        before_ns <= times.cpu_ns && times.cpu_ns <= after_ns && times.user_ns >= 0 && times.user_ns <= times.cpu_ns;
    if (!right) {
        diag("%" PRId64 " <= %" PRId64 " <= %" PRId64 ", user %" PRId64, before_ns, times.cpu_ns, after_ns,
             times.user_ns);
    }
    return right;
}

/* ---- many ---- */

static pthread_barrier_t all_here;
static int64_t wrong;

static void *read_and_end(void *unused)
{
    bool right = first_reading_is_right();
    spin_cpu_ns(200 * US);
    times_now();
    __atomic_fetch_add(&wrong, !right, __ATOMIC_RELAXED);
    pthread_barrier_wait(&all_here);
    pthread_barrier_wait(&all_here);
    return unused;
}

/* Returns how many threads had a record while all of a batch were there. */
static uint64_t run_batch(void)
{
    pthread_t threads[AT_ONCE];
    for (int i = 0; i < AT_ONCE; i++) {
        threads[i] = thread_start(read_and_end, NULL);
    }
    pthread_barrier_wait(&all_here);
    uint64_t at_once = stats_now().threads;
    pthread_barrier_wait(&all_here);
    for (int i = 0; i < AT_ONCE; i++) {
        pthread_join(threads[i], NULL);
    }
    return at_once;
}

static void come_and_go(const char *source)
{
    wrong = 0;
    int64_t miscounted = 0;
    times_now();
    uint64_t threads_before = stats_now().threads;
    uint64_t firsts_before = stats_now().resyncs_first;
    for (int i = 0; i < THREADS / AT_ONCE; i++) {
        miscounted += run_batch() != threads_before + AT_ONCE;
    }
    is_ns(wrong, 0, "%s: the first reading of each of %d threads is its own time", source, THREADS);
    is_ns(miscounted, 0, "%s: each has a record while it is there", source);
    is_ns(stats_now().threads, threads_before, "%s: all records have come back", source);
    is_ns(stats_now().resyncs_first - firsts_before, THREADS, "%s: what ended threads have done is still counted",
          source);
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

static void *read_once(void *unused)
{
    times_now();
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
        in_thread(read_once, NULL);
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

static pthread_key_t late_key;
static int rounds;
static int64_t cpu_at_end_ns;

/* Rounds of destructors follow the order of the keys. This one, made after the library's, reads when the library has
 * given the record back. */
static void read_at_end(void *first_round)
{
    rounds++;
    wrong += !first_reading_is_right();
    struct tclk_times times = times_now();
    wrong += times.cpu_ns < cpu_at_end_ns;
    if (first_round == &late_key) {
        pthread_setspecific(late_key, &rounds);
    }
}

static void *read_and_set_key(void *unused)
{
    times_now();
    spin_cpu_ns(MS);
    cpu_at_end_ns = times_now().cpu_ns;
    pthread_setspecific(late_key, &late_key);
    return unused;
}

static void read_in_destructors(const char *source)
{
    uint64_t threads_before = stats_now().threads;
    wrong = 0;
    rounds = 0;
    in_thread(read_and_set_key, NULL);
    is_ns(rounds, 2, "%s: a destructor that reads runs twice", source);
    is_ns(wrong, 0, "%s: its readings are right and go on", source);
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
    if (timer_create(CLOCK_MONOTONIC, &event, &timer) != 0) {
        skip("a thread of libc's own reads right", "timers that start threads");
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
