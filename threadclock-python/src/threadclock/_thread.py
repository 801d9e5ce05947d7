# SPDX-License-Identifier: Apache-2.0
"""What this package keeps for each thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Tuple

from threadclock import _reading
from threadclock._figures import ThreadTimes

if TYPE_CHECKING:
    from threadclock._account import Account


class Thread:
    """A thread, and the accounts that it is charged to at present. Only the thread itself uses it."""

    __slots__ = ("charged", "in_step", "key", "process", "_charged_since")

    def __init__(self) -> None:
        self.charged: Tuple[Account, ...] = ()
        """An account that was entered twice is in it twice, and is charged once."""
        self.in_step = False
        """Whether a step of an accounted coroutine runs."""
        self.begin()

    def begin(self) -> None:
        """In a fork child, goes on with the child's own CPU time, which starts at 0."""
        self.process = _reading.process()
        self.key = object()
        """No other thread, nor this one in another process, has the same."""
        self._charged_since = ThreadTimes(0, 0, 0)

    def charge(self, accounts: Tuple[Account, ...]) -> None:
        """From now on, charges these accounts. What was used before is charged to the former ones."""
        if self.charged or accounts:
            self.settle()
            self.charged = accounts

    def settle(self) -> None:
        now = _reading.thread_times()
        since = self._charged_since
        if since.cpu_ns > now.cpu_ns:
            return  # a signal handler or finalizer that uses accounts came in between, and has settled
        self._charged_since = now
        cpu_ns, user_ns = now.cpu_ns - since.cpu_ns, now.user_ns - since.user_ns
        for account in self.charged if len(self.charged) < 2 else set(self.charged):
            account._add(self, cpu_ns, user_ns)


_local = threading.local()


def current() -> Thread:
    """The calling thread. No other thread gets the same object."""
    try:
        thread: Thread = _local.thread
    except AttributeError:
        thread = _local.thread = Thread()
    if thread.process != _reading.process():
        thread.begin()
    return thread
