# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from types import TracebackType
from typing import Optional, Type

from threadclock import _reading, _thread
from threadclock._figures import UNKNOWN, ThreadTimes


_NEVER = ThreadTimes(0, 0, 0)


class Stopwatch:
    """Measures what a piece of work costs in the thread that does it.

    with Stopwatch() as watch:
        work()
    print(watch.cpu_ns)

    It runs in one thread: another one, or a fork child, gets a RuntimeError while it runs, and if it ends the block, the
    times are UNKNOWN. Once it is stopped, every thread may read it. It may be used again, and then starts from 0. In a
    coroutine it also counts what the thread does for others during an await; an Account does not."""

    __slots__ = ("_owner", "_start", "_lap_start", "_elapsed")

    def __init__(self) -> None:
        self._owner: Optional[object] = None  # while it runs, the key of its thread
        self._start = self._lap_start = _NEVER
        self._elapsed: Optional[ThreadTimes] = None  # once it is stopped

    def __enter__(self) -> Stopwatch:
        if self._owner is not None:
            raise RuntimeError("the stopwatch runs already. Use another one for what is inside.")
        self._owner = _thread.current().key
        self._elapsed = None
        self._start = self._lap_start = _reading.thread_times()
        return self

    def __exit__(
        self,
        kind: Optional[Type[BaseException]],
        error: Optional[BaseException],
        traceback: Optional[TracebackType],
    ) -> None:
        is_elsewhere = self._owner not in (None, _thread.current().key)
        self._elapsed = ThreadTimes(UNKNOWN, UNKNOWN, UNKNOWN) if is_elsewhere else self.elapsed()
        self._owner = None

    def elapsed(self) -> ThreadTimes:
        """What the thread has used since the start, until now or until the stopwatch was stopped."""
        if self._elapsed is not None:
            return self._elapsed
        return _reading.used(self._start, self._now())

    def lap(self) -> ThreadTimes:
        """What the thread has used since the start or the last lap. The next lap starts now."""
        now = self._now()
        lap = _reading.used(self._lap_start, now)
        self._lap_start = now
        return lap

    @property
    def cpu_ns(self) -> int:
        return self.elapsed().cpu_ns

    @property
    def user_ns(self) -> int:
        return self.elapsed().user_ns

    @property
    def system_ns(self) -> int:
        return self.elapsed().system_ns

    def _now(self) -> ThreadTimes:
        if self._owner is None:
            raise RuntimeError("the stopwatch does not run. Start it: with Stopwatch() as watch:")
        if self._owner is not _thread.current().key:
            raise RuntimeError("the stopwatch runs in another thread. Use one in each thread, or an Account.")
        return _reading.thread_times()
