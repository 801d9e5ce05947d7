/* SPDX-License-Identifier: Apache-2.0 */
#ifndef THREADCLOCK_HPP
#define THREADCLOCK_HPP

/**
 * @file threadclock.hpp
 * threadclock.h for C++17 and newer: the cost of a thread, as durations of std::chrono.
 *
 * Nothing allocates, except a throw. A function throws std::system_error only if it has no argument for the error; for
 * the calling thread there is no error on any Linux, except in a process with an incompatible copy of the library
 * (threadclock.h).
 */

#include <threadclock.h>

#include <chrono>
#include <system_error>

namespace threadclock
{

/** CPU, user and system time. user + system == cpu. */
struct times {
    std::chrono::nanoseconds cpu{};
    std::chrono::nanoseconds user{};
    std::chrono::nanoseconds system{};

    constexpr times &operator+=(const times &other) noexcept
    {
        cpu += other.cpu;
        user += other.user;
        system += other.system;
        return *this;
    }

    constexpr times &operator-=(const times &other) noexcept
    {
        cpu -= other.cpu;
        user -= other.user;
        system -= other.system;
        return *this;
    }

    friend constexpr times operator+(times a, const times &b) noexcept
    {
        return a += b;
    }
    friend constexpr times operator-(times a, const times &b) noexcept
    {
        return a -= b;
    }
    friend constexpr bool operator==(const times &a, const times &b) noexcept
    {
        return a.cpu == b.cpu && a.user == b.user && a.system == b.system;
    }
    friend constexpr bool operator!=(const times &a, const times &b) noexcept
    {
        return !(a == b);
    }
};

namespace detail
{

inline times times_of(int result, const tclk_times &read, std::error_code &error) noexcept
{
    error = std::error_code(-result, std::system_category());
    if (result != 0) {
        return {};
    }
    using std::chrono::nanoseconds;
    return {nanoseconds(read.cpu_ns), nanoseconds(read.user_ns), nanoseconds(read.system_ns)};
}

inline times or_throw(const times &read, const std::error_code &error, const char *what)
{
    if (error) {
        throw std::system_error(error, what);
    }
    return read;
}

} // namespace detail

/** Times of the calling thread, as tclk_thread_read(). Zeros, and `error` set, if they cannot be read. */
inline times thread_times(std::error_code &error) noexcept
{
    tclk_times read;
    int result = tclk_thread_read(&read);
    return detail::times_of(result, read, error);
}

inline times thread_times()
{
    std::error_code error;
    times read = thread_times(error);
    return detail::or_throw(read, error, "reading the calling thread's times");
}

/** Times of a thread of this process, as tclk_tid_read(). std::errc::no_such_process: it may have ended. */
inline times thread_times(pid_t tid, std::error_code &error) noexcept
{
    tclk_times read;
    int result = tclk_tid_read(tid, &read);
    return detail::times_of(result, read, error);
}

inline times thread_times(pid_t tid)
{
    std::error_code error;
    times read = thread_times(tid, error);
    return detail::or_throw(read, error, "reading a thread's times");
}

/**
 * What the calling thread has spent since the stopwatch was made. It belongs to that thread: elsewhere, elapsed() and its
 * end compare the clocks of two threads.
 *
 *     threadclock::times total;
 *     {
 *         threadclock::stopwatch watch(total);
 *         work();
 *     } // adds what that has cost to `total`
 *
 * Nothing throws. If the clock could not be read when it was made or begun anew, error() tells why, and elapsed() is 0.
 */
class stopwatch
{
  public:
    stopwatch() noexcept = default;

    /** Adds to `total` at its end, also when that is an exception. `total` must outlive it. */
    explicit stopwatch(times &total) noexcept : total_(&total)
    {
    }

    stopwatch(const stopwatch &) = delete;
    stopwatch &operator=(const stopwatch &) = delete;

    ~stopwatch()
    {
        if (total_ != nullptr) {
            *total_ += elapsed();
        }
    }

    times elapsed() const noexcept
    {
        std::error_code error;
        times now = thread_times(error);
        return error || error_ ? times{} : now - start_;
    }

    /** Begins anew, and returns what had elapsed. */
    times restart() noexcept
    {
        bool has_start = !error_;
        times now = thread_times(error_);
        times elapsed = has_start && !error_ ? now - start_ : times{};
        start_ = now;
        return elapsed;
    }

    const std::error_code &error() const noexcept
    {
        return error_;
    }

  private:
    std::error_code error_; /* before start_, which sets it */
    times start_ = thread_times(error_);
    times *total_ = nullptr;
};

} // namespace threadclock

#endif
