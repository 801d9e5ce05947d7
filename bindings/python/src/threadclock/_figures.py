# SPDX-License-Identifier: Apache-2.0
"""The figures of a thread."""

from typing import NamedTuple

UNKNOWN = -1
"""A figure that is not known. It is never told as 0."""


class ThreadTimes(NamedTuple):
    """What a thread has cost, in nanoseconds. CPU time = user time + system time.

    Where only Python's own clock is available, user and system time are UNKNOWN."""

    cpu_ns: int
    user_ns: int
    system_ns: int


class Waits(NamedTuple):
    """How a thread has waited since it started. A figure that the kernel does not tell is UNKNOWN."""

    run_delay_ns: int
    """Time in which the thread was runnable and had no CPU."""
    voluntary_switches: int
    """Times that the thread gave up its CPU itself: it slept, blocked or stopped."""
    involuntary_switches: int
    """Times that it was switched out while it could have gone on."""


class RequestCost(NamedTuple):
    """What threadclock.asgi and threadclock.wsgi tell of a request. In labels, the first three have few values.

    The times are those of the request's coroutine or thread, of the tasks that it creates, and of functions and threads
    that it starts. They have nothing of callbacks of the event loop, of other processes, and of threads that take work
    from a queue, and nothing tells that; threads count if they enter the account scope["threadclock.account"], or
    environ's."""

    route: str
    """The template that the framework has matched, as in '/items/{id}', or UNMATCHED."""
    method: str
    """One of the methods of HTTP, or '_OTHER'."""
    status: int
    """500 if the application has begun no response."""
    cpu_ns: int
    user_ns: int
    system_ns: int
    unmeasured_parts: int
    """If not 0, the times are too small, or UNKNOWN."""
