# SPDX-License-Identifier: Apache-2.0
"""What a thread has cost on Linux, at the price of one time-stamp-counter read: user, system and CPU time."""

from threadclock._account import Account
from threadclock._figures import UNKNOWN, RequestCost, ThreadTimes, Waits
from threadclock._installing import install, uninstall
from threadclock._reading import explain, source, thread_time, thread_time_ns, thread_times, waits
from threadclock._stopwatch import Stopwatch
from threadclock._tasks import account_tasks, accounted

__version__ = "0.1.0"

__all__ = [
    "UNKNOWN",
    "Account",
    "RequestCost",
    "Stopwatch",
    "ThreadTimes",
    "Waits",
    "account_tasks",
    "accounted",
    "explain",
    "install",
    "source",
    "thread_time",
    "thread_time_ns",
    "thread_times",
    "uninstall",
    "waits",
]
