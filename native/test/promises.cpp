/* SPDX-License-Identifier: Apache-2.0 */

/* Prints how threadclock.hpp breaks what it promises. */

#include <threadclock.hpp>

#include <cstdio>
#include <stdexcept>
#include <sys/wait.h>
#include <type_traits>
#include <unistd.h>

using namespace std::chrono_literals;
using threadclock::stopwatch;
using threadclock::times;

static_assert(noexcept(threadclock::thread_times(std::declval<std::error_code &>())));
static_assert(noexcept(stopwatch()) &&noexcept(stopwatch(std::declval<times &>())));
static_assert(noexcept(std::declval<stopwatch &>().elapsed()) &&noexcept(
    std::declval<stopwatch &>().restart()));
static_assert(std::is_nothrow_destructible_v<stopwatch>);
static_assert(!std::is_copy_constructible_v<stopwatch> && !std::is_copy_assignable_v<stopwatch>);
static_assert(std::is_trivially_copyable_v<times>);
static_assert(times{3ns, 2ns, 1ns} - times{1ns, 1ns, 0ns} == times{2ns, 1ns, 1ns});

static void expect(bool is_true, const char *law)
{
    if (!is_true) {
        std::printf("broken: %s\n", law);
    }
}

/* By the clock itself: what holds then, holds on every machine. */
static std::chrono::nanoseconds cpu_time()
{
    return threadclock::thread_times().cpu;
}

static void burn(std::chrono::nanoseconds cpu)
{
    for (auto end = cpu_time() + cpu; cpu_time() < end;) {
    }
}

static void check_sequence()
{
    times last = threadclock::thread_times();
    for (int i = 0; i < 100000; i++) {
        times now = threadclock::thread_times();
        expect(now.cpu >= last.cpu && now.user >= last.user, "no reading goes back");
        expect(now.user + now.system == now.cpu, "user + system is CPU time");
        last = now;
    }
}

static void check_stopwatch()
{
    times total;
    auto before = cpu_time();
    {
        stopwatch watch(total);
        burn(20ms);
        expect(total.cpu == 0ns, "a stopwatch adds at its end");
        expect(!watch.error(), "the clock can be read");
    }
    expect(total.cpu >= 20ms && total.cpu <= cpu_time() - before, "it adds what the scope has cost");
    expect(total.user + total.system == total.cpu, "user + system is CPU time in a sum");

    stopwatch watch;
    burn(5ms);
    before = cpu_time();
    expect(watch.restart().cpu >= 5ms, "restart() tells what had elapsed");
    auto elapsed = watch.elapsed().cpu;
    expect(elapsed <= cpu_time() - before, "it begins anew");
}

static void check_exception()
{
    times total;
    try {
        stopwatch watch(total);
        burn(2ms);
        throw std::runtime_error("planted");
    } catch (const std::runtime_error &) {
        expect(total.cpu >= 2ms, "it adds also when the scope ends by an exception");
    }
}

static void check_errors()
{
    const pid_t none = 0x7fffffff;
    std::error_code error;
    expect(threadclock::thread_times(none, error) == times{}, "an error gives zeros");
    expect(error == std::errc::no_such_process, "it tells that there is no such thread");
    threadclock::thread_times(getpid(), error);
    expect(!error, "success clears the error");
    try {
        threadclock::thread_times(none);
        expect(false, "without an argument for it, the error is thrown");
    } catch (const std::system_error &thrown) {
        expect(thrown.code() == std::errc::no_such_process, "what is thrown has the code");
    }
}

static void check_child()
{
    burn(20ms);
    times parent = threadclock::thread_times();
    std::fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
        expect(threadclock::thread_times().cpu < parent.cpu, "a child's time begins at 0");
        check_sequence();
        std::fflush(stdout);
        _exit(0);
    }
    waitpid(child, nullptr, 0);
}

int main()
{
    check_sequence();
    check_stopwatch();
    check_exception();
    check_errors();
    check_child();
    std::printf("%s, %s\n", tclk_version(), tclk_source_name(tclk_clock_source()));
}
