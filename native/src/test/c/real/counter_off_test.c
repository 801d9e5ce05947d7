/* SPDX-License-Identifier: Apache-2.0 */

/* A thread may be forbidden to read the time-stamp counter, by prctl(PR_SET_TSC). Reading it would then end in
 * SIGSEGV, as would the vDSO's clocks, which these tests therefore avoid. */

#include "real.h"

#define TSC_MISSING "prctl(PR_SET_TSC), Linux 2.6.26 on x86_64, 6.12 on aarch64"

#define STARTED_WITHOUT_COUNTER "--started-without-counter"

static bool counter_off(void)
{
    return prctl(PR_SET_TSC, PR_TSC_SIGSEGV) == 0;
}

static int64_t kernel_ns(void)
{
    return kernel_clock_ns(CLOCK_THREAD_CPUTIME_ID);
}

/* Every reading is then the kernel's. */
static void readings_are_the_kernels(const char *who)
{
    int64_t wrong = 0;
    for (int i = 0; i < 1000; i++) {
        int64_t before_ns = kernel_ns();
        struct tclk_times times = times_now();
        int64_t cpu_ns = tclk_thread_cpu_ns();
        int64_t user_ns = tclk_thread_user_ns();
        int64_t after_ns = kernel_ns();
        wrong += times.cpu_ns < before_ns || cpu_ns < times.cpu_ns || after_ns < cpu_ns;
        wrong += times.user_ns < 0 || user_ns < times.user_ns || user_ns > after_ns;
    }
    is_ns(wrong, 0, "%s without the counter reads the kernel's time", who);
}

static const char *source;

static void thread_without_counter(void)
{
    if (!skips(!counter_off(), "a thread without the counter reads the kernel's time", TSC_MISSING)) {
        readings_are_the_kernels(source);
    }
}

static void beside_others(const char *name)
{
    char who[64];
    snprintf(who, sizeof who, "%s: a thread", name);
    source = who;
    times_now();
    test_in_thread(thread_without_counter);
    int64_t before_ns = kernel_ns();
    ok(tclk_thread_cpu_ns() >= before_ns, "%s: the others' readings go on", name);
}

static void thread_of_such_a_process(void)
{
    readings_are_the_kernels("a thread of a process");
}

static void whole_process(void)
{
    if (skips(!counter_off(), "a process without the counter reads the kernel's time", TSC_MISSING)) {
        return;
    }
    readings_are_the_kernels("a process");
    test_in_thread(thread_of_such_a_process);
    ok(tclk_clock_source() == TCLK_SOURCE_CLOCK, "its source is clock");
    source_is_refused(TCLK_SOURCE_RSEQ, "disabled by prctl(PR_SET_TSC)", "rseq is refused");
    is_ns(source_ask(TCLK_SOURCE_PERF), -ENOTSUP, "so is perf");
    is_ns(source_ask(TCLK_SOURCE_CLOCK), 0, "clock is not");
}

/* ---- inheritance ---- */

static void child_of_such_a_thread(void)
{
    readings_are_the_kernels("a child of a thread");
}

static void fork_without_counter(void)
{
    if (!skips(!counter_off(), "a child of a thread without the counter reads the kernel's time", TSC_MISSING)) {
        times_now();
        in_child(child_of_such_a_thread);
    }
}

static void forks(const char *name)
{
    (void)name;
    test_in_thread(fork_without_counter);
}

static void exec_without_counter(void)
{
    char *arguments[] = {"/proc/self/exe", STARTED_WITHOUT_COUNTER, NULL};
    counter_off();
    execv(arguments[0], arguments);
    _exit(127);
}

/* This depends on what libc does before main(); the program may not get that far. */
static void execs(void)
{
    static const char sentence[] = "a program that is started without the counter reads the kernel's time";
    if (skips(kind_is_emulated(), sentence, "a kernel that starts programs of this architecture")) {
        return;
    }
    int status = process_status_of(exec_without_counter);
    if (skips(!WIFEXITED(status), sentence, "a libc that starts programs without the counter")) {
        return;
    }
    is_ns(WEXITSTATUS(status), 0, "a program that is started by a thread without the counter reads the kernel's time");
}

static int be_started_without_counter(void)
{
    int64_t before_ns = kernel_ns();
    struct tclk_times times = {-1, -1, -1};
    int error = tclk_thread_read(&times);
    return error == 0 && before_ns <= times.cpu_ns && times.cpu_ns <= kernel_ns() ? 0 : 1;
}

/* ---- disabling it later ---- */

/* This is what docs/extrapolation.md says: SIGSEGV, as from any rdtsc, and not a wrong time. Allowing the counter
 * again helps. */
static void off_and_on_again(const char *name)
{
    times_now();
    int64_t before_ns = kernel_ns();
    counter_off();
    prctl(PR_SET_TSC, PR_TSC_ENABLE);
    struct tclk_times times = times_now();
    ok(times.cpu_ns >= before_ns - 100000 && times.cpu_ns <= kernel_ns() + ahead_most_ns(),
       "%s: a thread that has its counter back reads on", name);
}

static void read_when_it_is_off(void)
{
    times_now();
    counter_off();
    int64_t ns = tclk_thread_cpu_ns();
    _exit(ns >= 0 ? 0 : 1);
}

static void off_later(const char *name)
{
    int status = process_status_of(read_when_it_is_off);
    if (strcmp(name, "clock") == 0) {
        ok(WIFEXITED(status) && WEXITSTATUS(status) == 0,
           "%s: a thread that disables its counter after it has read reads on", name);
        return;
    }
    ok(WIFSIGNALED(status) && WTERMSIG(status) == SIGSEGV,
       "%s: a thread that disables its counter after it has read gets SIGSEGV, not a wrong time", name);
}

static void later(const char *name)
{
    if (skips(!counter_off(), "a thread disables its counter later", TSC_MISSING)) {
        return;
    }
    prctl(PR_SET_TSC, PR_TSC_ENABLE);
    off_and_on_again(name);
    off_later(name);
}

int main(int count, char **arguments)
{
    if (count == 2 && strcmp(arguments[1], STARTED_WITHOUT_COUNTER) == 0) {
        return be_started_without_counter();
    }
    setrlimit(RLIMIT_CORE, &(struct rlimit){0, 0}); /* some children must get SIGSEGV */
    if (skips(KIND_IS_ASAN, "without the counter a thread reads the kernel's time",
              "AddressSanitizer, whose allocator reads the vDSO's clock")) {
        return done();
    }
    in_child(whole_process);
    with_each_source(beside_others);
    with_each_source(forks);
    with_each_source(later);
    in_child(execs);
    return done();
}
