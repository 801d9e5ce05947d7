/* SPDX-License-Identifier: Apache-2.0 */

/* Waiting costs a thread nothing, however it waits. */

#include "real.h"

#define WAIT_NS (50 * MS)
#define MOST_NS MS
#define TRIES 3

static int ends[2];
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static pthread_barrier_t held;

static void *write_later(void *unused)
{
    sleep_ns(WAIT_NS);
    return write(ends[1], "x", 1) == 1 ? unused : NULL;
}

static void *hold_mutex(void *unused)
{
    pthread_mutex_lock(&mutex);
    pthread_barrier_wait(&held);
    sleep_ns(WAIT_NS);
    pthread_mutex_unlock(&mutex);
    return unused;
}

static void in_sleep(void)
{
    sleep_ns(WAIT_NS);
}

static void for_a_pipe(void)
{
    char byte;
    pthread_t writer = thread_start(write_later, NULL);
    if (read(ends[0], &byte, 1) != 1) {
        ok(false, "the pipe can be read");
    }
    pthread_join(writer, NULL);
}

static void for_a_mutex(void)
{
    pthread_t holder = thread_start(hold_mutex, NULL);
    pthread_barrier_wait(&held);
    pthread_mutex_lock(&mutex);
    pthread_mutex_unlock(&mutex);
    pthread_join(holder, NULL);
}

/* The kernel itself counts more than the bound where the CPU is emulated, or others have it: there even a wait has
 * its cost. */
static int64_t excess_ns(int64_t kernel_ns)
{
    return kernel_ns > MOST_NS / 2 ? kernel_ns - MOST_NS / 2 : 0;
}

/* If a host takes the CPU of this thread alone, the other one may be done before this one waits. Then this thread is
 * not switched out, and its readings count that time. */
static void costs_nothing(const char *source, void (*waits)(void), const char *how)
{
    int64_t most_ns = 0;
    int64_t least_wait_ns = INT64_MAX;
    for (int tries = 0; tries < TRIES;) {
        int64_t switches = switches_now();
        int64_t start_ns = wall_ns();
        int64_t kernel_start_ns = kernel_cpu_ns();
        struct tclk_times before = times_now();
        waits();
        struct tclk_times after = times_now();
        int64_t kernel_ns = kernel_cpu_ns() - kernel_start_ns;
        int64_t cost_ns = after.cpu_ns - before.cpu_ns - excess_ns(kernel_ns);
        int64_t wait_ns = wall_ns() - start_ns;
        if (switches_now() == switches) {
            continue;
        }
        tries++;
        most_ns = cost_ns > most_ns ? cost_ns : most_ns;
        least_wait_ns = wait_ns < least_wait_ns ? wait_ns : least_wait_ns;
    }
    ok(least_wait_ns >= WAIT_NS && most_ns < MOST_NS, "%s: waiting %s for 50 ms adds less than 1 ms", source, how);
    diag("waited %" PRId64 " us or more, CPU time grew by up to %" PRId64 " us beyond the kernel's", least_wait_ns / US,
         most_ns / US);
}

static void waits(const char *source)
{
    costs_nothing(source, in_sleep, "in a sleep");
    costs_nothing(source, for_a_pipe, "for a pipe");
    costs_nothing(source, for_a_mutex, "for a mutex");
}

/* Longer than the wait, so that only the detector can tell that the thread was not running. */
#define WINDOW_NS (100 * MS)

int main(void)
{
    pthread_barrier_init(&held, NULL, 2);
    if (pipe(ends) != 0) {
        return 2;
    }
    sources_window_ns = WINDOW_NS;
    with_each_source(waits);
    return done();
}
