# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
from contextvars import ContextVar
from types import TracebackType
from typing import Dict, Optional, Tuple, Type

from threadclock import _reading, _thread
from threadclock._figures import ThreadTimes

open_accounts: ContextVar[Tuple["Account", ...]] = ContextVar("threadclock.open_accounts", default=())
"""The accounts that were entered in this context, and not yet left. A task inherits those of its creator."""

_NOT_ACCOUNTED = (
    "an account was entered in a coroutine that is not accounted, so that the account would also count what the thread "
    "does for others during an await. Call threadclock.account_tasks() before the task is created, or run "
    "threadclock.accounted(coroutine) in place of the coroutine."
)


class Account:
    """Adds up what a piece of work costs, in all threads and tasks that do it.

    with account:
        work()

    In a coroutine, an await does not count: the thread belongs to others meanwhile. For that, the coroutine must be
    accounted (account_tasks(), accounted()), or it gets a RuntimeError. Tasks that are created inside of the block
    count as well, and go on to count when the block has ended.

    Threads and tasks may enter at the same time, and what they use adds up. A thread or task that enters again counts
    once. Accounts may be nested: each has the whole cost of its block. Any thread may read at any time; of the
    calling thread it gets everything up to now, of others up to their last await or the end of their block."""

    __slots__ = ("_parts", "__weakref__")

    def __init__(self) -> None:
        # Each thread replaces its own value, so that nobody needs a lock, and a value is consistent.
        self._parts: Dict[object, Tuple[int, int]] = {}  # CPU and user time

    def __enter__(self) -> Account:
        thread = _thread.current()
        if not thread.in_step and (_is_coroutine(sys._getframe(1).f_code.co_flags) or _in_task()):
            raise RuntimeError(_NOT_ACCOUNTED)
        open_accounts.set(open_accounts.get() + (self,))
        thread.charge(thread.charged + (self,))
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        thread = _thread.current()
        in_context = open_accounts.get()
        if self not in thread.charged or self not in in_context:
            raise RuntimeError("an account was left in another thread or task than it was entered in.")
        open_accounts.set(_without_last(in_context, self))
        thread.charge(_without_last(thread.charged, self))

    def times(self) -> ThreadTimes:
        """CPU, user and system time so far, consistently. They never go backwards."""
        thread = _thread.current()
        if self in thread.charged:
            thread.settle()
        parts = list(self._parts.values())
        return _reading.times_of(sum(cpu_ns for cpu_ns, _ in parts), sum(user_ns for _, user_ns in parts))

    @property
    def cpu_ns(self) -> int:
        return self.times().cpu_ns

    @property
    def user_ns(self) -> int:
        return self.times().user_ns

    @property
    def system_ns(self) -> int:
        return self.times().system_ns

    def _add(self, thread: _thread.Thread, cpu_ns: int, user_ns: int) -> None:
        former_cpu_ns, former_user_ns = self._parts.get(thread.key, (0, 0))
        self._parts[thread.key] = (former_cpu_ns + cpu_ns, former_user_ns + user_ns)


def _without_last(accounts: Tuple[Account, ...], account: Account) -> Tuple[Account, ...]:
    position = len(accounts) - 1 - accounts[::-1].index(account)
    return accounts[:position] + accounts[position + 1 :]


# Of the flags of code. The module `inspect` has them too, and takes long to be loaded.
_CO_COROUTINE, _CO_ASYNC_GENERATOR = 0x80, 0x200


def _is_coroutine(code_flags: int) -> bool:
    return code_flags & (_CO_COROUTINE | _CO_ASYNC_GENERATOR) != 0


def _in_task() -> bool:
    asyncio = sys.modules.get("asyncio")
    running_loop = getattr(asyncio, "_get_running_loop", None)
    return running_loop is not None and running_loop() is not None and asyncio.current_task() is not None  # type: ignore[union-attr]
