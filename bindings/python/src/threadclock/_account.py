# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

import sys
from types import TracebackType
from typing import Dict, Optional, Tuple, Type
from weakref import ref

from threadclock import _reading, _thread
from threadclock._figures import ThreadTimes
from threadclock._thread import Part, open_parts, without

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
    calling thread it gets everything up to now, of others up to their last await or the end of their block.

    A block that another thread or context leaves, as when a generator is closed there, ends without an error. What it
    has used is not known, and unmeasured_parts says so."""

    __slots__ = ("_used_ns", "_unmeasured", "_open", "_ref", "__weakref__")

    def __init__(self) -> None:
        # Each thread replaces its own values, so that nobody needs a lock, and a value is consistent.
        self._used_ns: Dict[object, Tuple[int, int]] = {}  # CPU and user time
        self._unmeasured: Dict[object, int] = {}
        self._open: Dict[Part, None] = {}  # the oldest first
        self._ref = ref(self)

    def __enter__(self) -> Account:
        thread = _thread.current()
        if not thread.in_step and (_is_coroutine(sys._getframe(1).f_code.co_flags) or _in_task()):
            raise RuntimeError(_NOT_ACCOUNTED)
        context = open_parts.get()
        part = self._part_of(thread, context)
        if part is not None:
            part.depth += 1
            return self
        self._begin(thread, context)
        return self

    def _begin(self, thread: _thread.Thread, context: Tuple[Part, ...]) -> Part:
        thread.settle()
        part = Part(self._ref, thread, context)
        self._open[part] = None
        thread.charged += (part,)
        return part

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        thread = _thread.current()
        context = open_parts.get()
        part = self._part_of(thread, context)
        if part is None:
            self._leave_elsewhere(thread, context)
        elif part.depth > 1:
            part.depth -= 1
        else:
            self._end(part, thread, context)

    def _end(self, part: Part, thread: _thread.Thread, context: Tuple[Part, ...]) -> None:
        thread.charge(without(thread.charged, part))
        self._open.pop(part, None)
        part.end(context)

    def times(self) -> ThreadTimes:
        """CPU, user and system time so far, consistently. They never go backwards."""
        thread = _thread.current()
        if thread.charged and any(part.account is self._ref for part in thread.charged):
            thread.settle()
        return _reading.times_of(*self._sums())

    def _sums(self) -> Tuple[int, int]:
        used_ns = list(self._used_ns.values())
        if len(used_ns) == 1:
            return used_ns[0]
        return sum(cpu_ns for cpu_ns, _ in used_ns), sum(user_ns for _, user_ns in used_ns)

    @property
    def cpu_ns(self) -> int:
        return self.times().cpu_ns

    @property
    def user_ns(self) -> int:
        return self.times().user_ns

    @property
    def system_ns(self) -> int:
        return self.times().system_ns

    @property
    def unmeasured_parts(self) -> int:
        """How many blocks another thread or context has left, or whose thread ended or clock failed. If not 0, the times
        are too small."""
        return sum(list(self._unmeasured.values())) if self._unmeasured else 0

    def _part_of(self, thread: _thread.Thread, context: Tuple[Part, ...]) -> Optional[Part]:
        for part in context:
            if part.account is self._ref and part.is_own(thread, context):
                return part
        return None

    def _leave_elsewhere(self, thread: _thread.Thread, context: Tuple[Part, ...]) -> None:
        """Which part is meant is not known: the oldest is likely to be that of a generator."""
        parts = list(self._open)
        strangers = [part for part in parts if part not in context] or parts
        if strangers:
            strangers[0].lose(thread)

    def _add(self, thread: _thread.Thread, cpu_ns: int, user_ns: int) -> None:
        former_cpu_ns, former_user_ns = self._used_ns.get(thread.key, (0, 0))
        self._used_ns[thread.key] = (former_cpu_ns + cpu_ns, former_user_ns + user_ns)

    def _lose(self, part: Part, thread: _thread.Thread) -> None:
        if self._open.pop(part, self) is None:  # not if two threads do so at once
            self._unmeasured[thread.key] = self._unmeasured.get(thread.key, 0) + 1


# Of the flags of code. The module `inspect` has them too, and takes long to be loaded.
_CO_COROUTINE, _CO_ASYNC_GENERATOR = 0x80, 0x200


def _is_coroutine(code_flags: int) -> bool:
    return code_flags & (_CO_COROUTINE | _CO_ASYNC_GENERATOR) != 0


def _in_task() -> bool:
    asyncio = sys.modules.get("asyncio")
    running_loop = getattr(asyncio, "_get_running_loop", None)
    return running_loop is not None and running_loop() is not None and asyncio.current_task() is not None  # type: ignore[union-attr]
