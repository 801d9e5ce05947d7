# SPDX-License-Identifier: Apache-2.0
import time

from threadclock import _reading

_theirs = {name: getattr(time, name) for name in ("thread_time", "thread_time_ns")}


def install() -> None:
    """Makes time.thread_time() and time.thread_time_ns() answer from this clock, for the whole process.

    Code that has imported the functions by name before keeps the old ones. A second call changes nothing."""
    _reading.thread_time_ns()  # raises here where the clock cannot be read, and not in code that knows nothing of it
    for name in _theirs:
        setattr(time, name, getattr(_reading, name))


def uninstall() -> None:
    """Puts Python's own functions back, unless others have been put there meanwhile."""
    for name, theirs in _theirs.items():
        if getattr(time, name) is getattr(_reading, name):
            setattr(time, name, theirs)
