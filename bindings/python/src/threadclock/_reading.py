# SPDX-License-Identifier: Apache-2.0
"""The clock in use: that of the C library, or Python's own."""

from typing import Tuple

from threadclock._figures import UNKNOWN, ThreadTimes

try:
    from threadclock._clock import cpu_and_user_ns, explain, process, source
    from threadclock._clock import thread_time, thread_time_ns, thread_times, waits

    _TELLS_USER_TIME = True
except ModuleNotFoundError:  # a C module that is there and cannot be loaded is an error
    from threadclock._stdlib import cpu_and_user_ns, explain, process, source
    from threadclock._stdlib import thread_time, thread_time_ns, thread_times, waits

    _TELLS_USER_TIME = False

__all__ = ["cpu_and_user_ns", "explain", "process", "source", "thread_time", "thread_time_ns", "thread_times"]
__all__ += ["figures_of", "times_of", "used", "waits"]


def figures_of(cpu_ns: int, user_ns: int) -> Tuple[int, int, int]:
    """CPU, user and system time of this clock. Python's own one knows no user time."""
    return (cpu_ns, user_ns, cpu_ns - user_ns) if _TELLS_USER_TIME else (cpu_ns, UNKNOWN, UNKNOWN)


def times_of(cpu_ns: int, user_ns: int) -> ThreadTimes:
    return ThreadTimes(*figures_of(cpu_ns, user_ns))


def used(start: ThreadTimes, end: ThreadTimes) -> ThreadTimes:
    """What a thread has used between two readings."""
    return times_of(end.cpu_ns - start.cpu_ns, end.user_ns - start.user_ns)
