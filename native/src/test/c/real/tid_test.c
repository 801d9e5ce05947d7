/* SPDX-License-Identifier: Apache-2.0 */

/* A tid belongs to a thread while it lives; afterwards to none, or to another thread. */

#include "real.h"

#define BURNT_NS (2 * MS)

static pid_t tid;
static int64_t burnt_ns;
static pthread_barrier_t here;

static struct tclk_times times_of(pid_t of)
{
    struct tclk_times times = {-1, -1, -1};
    int error = tclk_tid_read(of, &times);
    if (error != 0) {
        times.cpu_ns = error;
    }
    return times;
}

/* Work, or the start of a thread alone, may take tens of ms more if the machine is emulated and held up. */
static int64_t kernel_cpu_ns_of(pthread_t thread)
{
    clockid_t clock;
    if (pthread_getcpuclockid(thread, &clock) != 0) {
        abort();
    }
    return clock_now_ns(clock);
}

/* ---- one thread ---- */

/* Uses burnt_ns of CPU time, and waits until it has been read. */
static void *burn_and_wait(void *reads_itself)
{
    tid = tclk_tid_own();
    spin_cpu_ns(burnt_ns);
    if (reads_itself != NULL) {
        times_now();
    }
    pthread_barrier_wait(&here);
    pthread_barrier_wait(&here);
    return NULL;
}

static pthread_t start(int64_t burns_ns, void *reads_itself)
{
    burnt_ns = burns_ns;
    pthread_t thread = thread_start(burn_and_wait, reads_itself);
    pthread_barrier_wait(&here);
    return thread;
}

static void end(pthread_t thread)
{
    pthread_barrier_wait(&here);
    pthread_join(thread, NULL);
}

static void tells_the_living_from_the_ended(void *reads_itself, const char *who)
{
    pthread_t thread = start(BURNT_NS, reads_itself);
    int64_t before_ns = kernel_cpu_ns_of(thread);
    struct tclk_times times = times_of(tid);
    int64_t after_ns = kernel_cpu_ns_of(thread);
    ok(times.cpu_ns >= BURNT_NS && times.cpu_ns >= before_ns && times.cpu_ns <= after_ns + ahead_most_ns(),
       "%s has used %" PRId64 " ns, as the kernel says", who, times.cpu_ns);
    ok(times.user_ns >= 0 && times.user_ns + times.system_ns == times.cpu_ns, "…%" PRId64 " ns of it in user mode",
       times.user_ns);
    is_ns(tclk_tid_cpu_ns(tid) >= times.cpu_ns && tclk_tid_user_ns(tid) >= times.user_ns, true,
          "…asked for one by one no less");
    end(thread);
    thread_await_gone(tid);
    is_ns(times_of(tid).cpu_ns, -ESRCH, "…and is not there when it has ended");
    is_ns(tclk_tid_cpu_ns(tid), -ESRCH, "…nor is its CPU time");
    is_ns(tclk_tid_user_ns(tid), -ESRCH, "…nor its user time");
}

static void reads_arrays(void)
{
    pthread_t thread = start(BURNT_NS, NULL);
    const pid_t tids[] = {tid, -1, tclk_tid_own(), tid, 1 << 22};
    struct tclk_times times[5];
    is_ns((int64_t)tclk_tids_read(tids, 5, times), 3, "three of five tids are threads of this process");
    ok(times[0].cpu_ns >= BURNT_NS && times[3].cpu_ns >= times[0].cpu_ns, "one that stands there twice is read twice");
    ok(times[2].cpu_ns > 0, "the caller is read");
    is_ns(times[1].cpu_ns, -ESRCH, "all fields of a missing thread hold the error: CPU time");
    is_ns(times[4].user_ns, -ESRCH, "all fields of a missing thread hold the error: user time");
    is_ns(times[4].system_ns, -ESRCH, "all fields of a missing thread hold the error: system time");
    is_ns((int64_t)tclk_tids_read(tids, 0, NULL), 0, "no tids give no times");
    end(thread);
}

/* A clockid has room for 29 bits of a tid. Larger numbers would name the caller, or a clock of another kind. */
static void refuses_what_is_no_tid(void)
{
    static const pid_t none[] = {
        1 << 22, (1 << 29) - 1, 1 << 29, (1 << 29) + 1, INT_MAX - 1, INT_MAX, INT_MIN, INT_MIN + 1, -(1 << 29), -1, 0};
    static const enum tclk_source all[] = {TCLK_SOURCE_CLOCK, TCLK_SOURCE_TICKS, TCLK_SOURCE_PROC, TCLK_SOURCE_AUTO};
    for (size_t s = 0; s < COUNT(all); s++) {
        int64_t found = 0;
        source_ask(all[s]);
        for (size_t i = 0; i < COUNT(none); i++) {
            struct tclk_times times = {-7, -7, -7};
            int error = tclk_tid_read(none[i], &times);
            bool right = error == -ESRCH && times.cpu_ns == -7 && tclk_tid_cpu_ns(none[i]) == -ESRCH &&
                         tclk_tid_user_ns(none[i]) == -ESRCH;
            found += !right;
            if (!right) {
                diag("tid %d: %d", (int)none[i], error);
            }
        }
        is_ns(found, 0, "%s: what can be no tid is no thread", tclk_source_name(all[s]));
    }
}

/* ---- tids that the kernel gives again ---- */

static bool start_with_tid(pid_t wanted, pthread_t *thread)
{
    for (int attempt = 0; attempt < 50; attempt++) {
        if (!thread_choose_next_tid(wanted)) {
            return false;
        }
        *thread = start(0, NULL);
        if (tid == wanted) {
            return true;
        }
        end(*thread);
    }
    return false;
}

static void gives_the_new_threads_times(void *reads_itself, int64_t after_ns, const char *who)
{
    pthread_t thread = start(BURNT_NS, reads_itself);
    pid_t reused = tid;
    times_of(reused);
    end(thread);
    thread_await_gone(reused);
    sleep_ns(after_ns);
    if (skips(!start_with_tid(reused, &thread), who, THREAD_TID_CHOICE)) {
        return;
    }
    int64_t before_ns = kernel_cpu_ns_of(thread);
    struct tclk_times times = times_of(reused);
    int64_t after_reading_ns = kernel_cpu_ns_of(thread);
    ok(times.cpu_ns >= before_ns && times.cpu_ns <= after_reading_ns,
       "%s: who gets its tid %" PRId64 " ms later has used %" PRId64 " ns, as the kernel says", who, after_ns / MS,
       times.cpu_ns);
    ok(times.user_ns <= times.cpu_ns, "…and no more in user mode");
    end(thread);
}

/* ---- records ---- */

#define ENDED 300

/* Threads that have been read once, and never again. */
static void gives_records_back(void *reads_itself, const char *who)
{
    uint64_t most = 0;
    for (int i = 0; i < ENDED; i++) {
        pthread_t thread = start(0, reads_itself);
        times_of(tid);
        uint64_t observed = stats_now().threads_observed;
        most = observed > most ? observed : most;
        end(thread);
        thread_await_gone(tid);
    }
    ok(most < 30, "%d %s that others have read one after the other leave %" PRIu64 " records at most", ENDED, who,
       most);
}

int main(void)
{
    int reads_itself;
    pthread_barrier_init(&here, NULL, 2);
    tells_the_living_from_the_ended(NULL, "a thread that does not read itself");
    tells_the_living_from_the_ended(&reads_itself, "a thread that does");
    reads_arrays();
    refuses_what_is_no_tid();
    for (int64_t after_ns = 0; after_ns <= 40 * MS; after_ns += 20 * MS) {
        gives_the_new_threads_times(NULL, after_ns, "a thread that did not read itself");
        gives_the_new_threads_times(&reads_itself, after_ns, "a thread that did");
    }
    gives_records_back(NULL, "threads that do not read themselves and");
    gives_records_back(&reads_itself, "threads that do and");
    return done();
}
