/* SPDX-License-Identifier: Apache-2.0 */

/* A process is stopped and resumed by signals, as a shell or a debugger does it. The time in between belongs to no
 * thread. */

#include "real.h"

#define STOPS (int)kind_amount(20)
#define STOPPED_NS (6 * MS)
#define RUNNING_NS (3 * MS)
#define READERS 3
#define PATIENCE_NS (60 * S)

static bool ends;

/* The bursts of all readers, in memory that the process that stops them shares. */
static int64_t *bursts;

static bool becomes(pid_t child, int option, int expected)
{
    siginfo_t info = {0};
    return waitid(P_PID, (id_t)child, &info, option | WEXITED) == 0 && info.si_code == expected;
}

/* Where others have the CPUs, a process that is continued may not run for a while. */
static bool read_on(int64_t read)
{
    int64_t until_ns = wall_ns() + PATIENCE_NS;
    while (__atomic_load_n(bursts, __ATOMIC_RELAXED) == read && wall_ns() < until_ns) {
        sleep_ns(100 * US);
    }
    return __atomic_load_n(bursts, __ATOMIC_RELAXED) != read;
}

static int wrong;

static void stop_again_and_again(pid_t child)
{
    int64_t read = 0;
    wrong = 0;
    for (int i = 0; i < STOPS && wrong == 0; i++) {
        wrong += !read_on(read);
        sleep_ns(RUNNING_NS);
        kill(child, SIGSTOP);
        wrong += !becomes(child, WSTOPPED, CLD_STOPPED);
        read = __atomic_load_n(bursts, __ATOMIC_RELAXED);
        sleep_ns(STOPPED_NS);
        kill(child, SIGCONT);
        wrong += !becomes(child, WCONTINUED, CLD_CONTINUED);
    }
    read_on(*bursts); /* so that the last stop has been seen */
    kill(child, SIGTERM);
}

static void *watch(void *argument)
{
    struct witness *w = argument;
    witness_begin_epoch(w);
    while (!__atomic_load_n(&ends, __ATOMIC_ACQUIRE)) {
        witness_read(w);
        __atomic_fetch_add(bursts, 1, __ATOMIC_RELAXED);
    }
    return NULL;
}

static void on_end(int number)
{
    (void)number;
    __atomic_store_n(&ends, true, __ATOMIC_RELEASE);
}

static void read_until_told(void)
{
    const char *source = tclk_source_name(tclk_clock_source());
    struct sigaction action = {.sa_handler = on_end};
    ends = false;
    sigaction(SIGTERM, &action, NULL);
    times_now();
    int64_t kernel_began_ns = kernel_cpu_ns();
    struct tclk_times began = times_now();
    struct witness sum = watchers_hold(READERS, watch, source, "stopped and continued");
    int64_t used_ns = times_now().cpu_ns - began.cpu_ns;
    ok(used_ns < kernel_cpu_ns() - kernel_began_ns + STOPS * STOPPED_NS / 4,
       "%s: a thread that waits all the time has used next to none", source);
    /* A stop may also come while a reader begins an epoch, which is no burst. */
    ok(sum.switched >= STOPS / 2, "%s: … the readers were stopped", source);
}

static void is_stopped(const char *source)
{
    *bursts = 0;
    in_child_while(fork, read_until_told, stop_again_and_again);
    is_ns(wrong, 0, "%s: it was stopped %d times", source, STOPS);
}

int main(void)
{
    bursts = mmap(NULL, sizeof *bursts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (bursts == MAP_FAILED) {
        return 2;
    }
    /* Longer than the stop, so that the window's end does not hide a wrong reading. */
    sources_window_ns = 100 * MS;
    with_each_source(is_stopped);
    return done();
}
