# SPDX-License-Identifier: Apache-2.0
"""The clock in use: that of the C library, or Python's own."""

from threadclock._figures import UNKNOWN, ThreadTimes

try:
    from threadclock._clock import explain, process, source, thread_time, thread_time_ns, thread_times, waits

    _TELLS_USER_TIME = True
except ModuleNotFoundError:  # a C module that is there and cannot be loaded is an error
    from threadclock._stdlib import explain, process, source, thread_time, thread_time_ns, thread_times, waits

    _TELLS_USER_TIME = False

__all__ = ["explain", "process", "source", "thread_time", "thread_time_ns", "thread_times", "times_of", "used", "waits"]


def times_of(cpu_ns: int, user_ns: int) -> ThreadTimes:
    """Times of this clock, of which Python's own one knows no user time."""
    if not _TELLS_USER_TIME:
        return ThreadTimes(cpu_ns, UNKNOWN, UNKNOWN)
    return ThreadTimes(cpu_ns, user_ns, cpu_ns - user_ns)


def used(start: ThreadTimes, end: ThreadTimes) -> ThreadTimes:
    """What a thread has used between two readings."""
    return times_of(end.cpu_ns - start.cpu_ns, end.user_ns - start.user_ns)
