# SPDX-License-Identifier: Apache-2.0
"""What this package keeps for each thread."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Dict, Set, Tuple
from weakref import ref

from threadclock import _reading
from threadclock._figures import ThreadTimes
from threadclock._part import Part, open_parts, without

if TYPE_CHECKING:
    from threadclock._account import Account


class Thread:
    """A thread, and the parts that it is charged to at present. Only the thread itself uses it, and nothing else keeps it:
    it ends with the thread."""

    __slots__ = ("charged", "in_step", "key", "process", "ref", "_charged_since", "__weakref__")

    def __init__(self) -> None:
        self.charged: Tuple[Part, ...] = ()
        self.in_step = False
        """Whether a step of an accounted coroutine runs."""
        self.ref = ref(self)
        self.begin()

    def begin(self) -> None:
        """In a fork child, goes on with the child's own CPU time, which starts at 0."""
        self.process = _reading.process()
        self.key = object()
        """No other thread, nor this one in another process, has the same."""
        self._charged_since = ThreadTimes(0, 0, 0)

    def charge(self, parts: Tuple[Part, ...]) -> None:
        """From now on, charges these parts. What was used before is charged to the former ones."""
        if self.charged or parts:
            self.settle()
            self.charged = parts

    def settle(self) -> None:
        now = _reading.thread_times()
        since = self._charged_since
        if since.cpu_ns > now.cpu_ns:
            return  # a signal handler or finalizer that uses accounts came in between, and has settled
        self._charged_since = now
        if self.charged:
            self._share(now.cpu_ns - since.cpu_ns, now.user_ns - since.user_ns)

    def _share(self, cpu_ns: int, user_ns: int) -> None:
        """Adds to each account once, even if several of its parts are charged."""
        context = open_parts.get()
        certain: Set[Account] = set()
        doubtful: Dict[Account, Part] = {}  # one of each account
        for part in self.charged:
            account = part.account()
            if account is None:
                self.charged = without(self.charged, part)
            elif part.is_doubtful(self, context):
                doubtful.setdefault(account, part)
            else:
                part.release(account, self)
                if account not in certain:
                    certain.add(account)
                    account._add(self, cpu_ns, user_ns)
        for account, part in doubtful.items():
            if account not in certain:
                part.hold_back(cpu_ns, user_ns)

    def __del__(self) -> None:
        for part in self.charged:
            part.lose(self)


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
