/* SPDX-License-Identifier: Apache-2.0 */

/*
 * Signals whose handler reads the clock come at every moment of short threads' lives: while they take their records,
 * while they give them back, and after that. Each reading is the thread's own time, and a thread leaves nothing behind,
 * whatever its handlers did at its end.
 */

#include "real.h"

#define LANES 3
#define TRY_NS kind_amount(700 * MS)

/* Fewer threads would prove nothing; a busy machine takes longer for as many. */
#define THREADS_NEEDED 100
#define HANDLERS_NEEDED 100
#define PATIENCE_NS (120 * S)

static int64_t handled;
static int64_t wrong;
static int64_t ended;

/* The thread's last reading, below which no later one may be. */
static _Thread_local volatile int64_t read_ns;

static void read_own_time(void)
{
    struct tclk_times times;
    int64_t least_ns = read_ns;
    int error = tclk_thread_read(&times);
    int64_t now_ns = kernel_cpu_ns();
    bool right =
        error == 0 && times_are_consistent(times) && times.cpu_ns >= least_ns && times.cpu_ns <= now_ns + 10 * MS;
    __atomic_fetch_add(&wrong, !right, __ATOMIC_RELAXED);
    if (right && times.cpu_ns > read_ns) {
        read_ns = times.cpu_ns;
    }
}

static void on_signal(int number)
{
    int saved = errno;
    __atomic_fetch_add(&handled, number != 0, __ATOMIC_RELAXED);
    read_own_time();
    errno = saved;
}

static void *live_shortly(void *unused)
{
    read_own_time();
    __atomic_fetch_add(&ended, 1, __ATOMIC_RELAXED);
    return unused;
}

/* Runs one thread after the other. They take the signals that this one does not take. */
static void lane(void *unused)
{
    signal_mask(SIG_UNBLOCK, SIGUSR1);
    pthread_t thread = thread_start(live_shortly, unused);
    signal_mask(SIG_BLOCK, SIGUSR1);
    pthread_join(thread, NULL);
}

/* A pending signal is not sent a second time, so this sends as many as are taken. */
static void storm(void *process)
{
    kill(*(pid_t *)process, SIGUSR1);
}

static bool has_tried(int64_t began_ns)
{
    bool enough = __atomic_load_n(&handled, __ATOMIC_RELAXED) >= HANDLERS_NEEDED &&
                  __atomic_load_n(&ended, __ATOMIC_RELAXED) >= THREADS_NEEDED;
    int64_t since_ns = wall_ns() - began_ns;
    return since_ns > PATIENCE_NS || (enough && since_ns > TRY_NS);
}

static void handlers_at_the_end(const char *source)
{
    struct repeater lanes[LANES];
    struct repeater sender;
    pid_t process = getpid();
    times_now();
    struct leftovers before = leftovers_now();
    handled = wrong = ended = 0;
    for (int i = 0; i < LANES; i++) {
        repeater_start(&lanes[i], lane, NULL);
    }
    repeater_start(&sender, storm, &process);
    for (int64_t began_ns = wall_ns(); !has_tried(began_ns);) {
        sleep_ns(10 * MS);
    }
    repeater_stop(&sender);
    for (int i = 0; i < LANES; i++) {
        repeater_stop(&lanes[i]);
    }
    is_ns(wrong, 0, "%s: every reading of a thread and its handlers is its own time", source);
    ok(handled >= HANDLERS_NEEDED && ended >= THREADS_NEEDED, "%s: there were threads and handlers", source);
    leftovers_none(before, source);
    diag("%" PRId64 " threads, %" PRId64 " handlers", ended, handled);
}

int main(void)
{
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigaction(SIGUSR1, &action, NULL);
    signal_mask(SIG_BLOCK, SIGUSR1);
    with_each_source(handlers_at_the_end);
    return done();
}
