# SPDX-License-Identifier: Apache-2.0
"""What this package keeps for each thread, and for each part of an account that is open in it."""

from __future__ import annotations

import threading
from contextvars import ContextVar, Token
from typing import Callable, List, Optional, Protocol, Tuple
from weakref import ref

from threadclock import _reading
from threadclock._reading import process

open_parts: ContextVar[Tuple["Part", ...]] = ContextVar("threadclock.open_parts", default=())
"""The parts that were begun in this context, and have not ended. A task inherits those of its creator."""

_NONE_NS = 0, 0  # CPU and user time


class Payer(Protocol):
    """An account, as its parts see it."""

    def _add(self, thread: Thread, cpu_ns: int, user_ns: int) -> None: ...
    def _lose(self, part: Part, thread: Thread) -> None: ...


def _nothing() -> None:
    return None


class Part:
    """A part of an account: what a thread or a task does between entering and leaving it. While it is open, it keeps its
    context; it never keeps the account or the thread.

    If its thread goes on in another context, that may happen inside of the block, or after the context was abandoned with
    a generator in it. Only the end of the part tells which, so until then that time is held back."""

    __slots__ = ("account", "depth", "_thread", "_token", "held_ns")

    def __init__(self, account: Callable[[], Optional[Payer]], thread: Thread, context: Tuple[Part, ...]) -> None:
        self.account = account
        self.depth = 1
        """How often the account was entered, and not left."""
        self._thread = None if thread.in_step else thread.ref  # None: in the steps of a task, in whatever thread
        self.held_ns = _NONE_NS
        opened = (*_living(context), self) if context else (self,)
        self._token: Optional[Token[Tuple[Part, ...]]] = open_parts.set(opened)

    def is_own(self, thread: Thread, context: Tuple[Part, ...]) -> bool:
        """Whether the calling thread, or the task that it runs, is the one that has begun this part."""
        if self._thread is not (None if thread.in_step else thread.ref):
            return False
        try:
            open_parts.reset(self._token)  # type: ignore[arg-type]  # which tells whether this is its context
        except (TypeError, ValueError, RuntimeError):
            return False
        self._token = open_parts.set(context)
        return True

    def is_doubtful(self, thread: Thread) -> bool:
        """Whether its thread, if in a context that has not inherited it, may have abandoned it."""
        return self._thread is thread.ref

    def hold_back(self, cpu_ns: int, user_ns: int) -> None:
        held_cpu_ns, held_user_ns = self.held_ns
        self.held_ns = held_cpu_ns + cpu_ns, held_user_ns + user_ns

    def release(self, account: Payer, thread: Thread) -> None:
        """Adds what was held back."""
        held_cpu_ns, held_user_ns = self.held_ns
        self.held_ns = _NONE_NS
        account._add(thread, held_cpu_ns, held_user_ns)

    def end(self, context: Tuple[Part, ...]) -> None:
        """In its own thread or task. Tasks that have inherited it go on to count."""
        self._token = None
        open_parts.set(without(context, self))

    def lose(self, thread: Thread) -> None:
        """Ends it in another thread or context, in which nobody knows what it has used."""
        account = self.account()
        self.account = _nothing
        self._token = None
        if account is not None:
            account._lose(self, thread)


def _living(parts: Tuple[Part, ...]) -> Tuple[Part, ...]:
    """Without those that others have ended."""
    return tuple([part for part in parts if part.account() is not None])


def without(parts: Tuple[Part, ...], part: Part) -> Tuple[Part, ...]:
    return parts[:-1] if parts and parts[-1] is part else tuple([other for other in parts if other is not part])


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
        self.process = process()
        self.key = object()
        """No other thread, nor this one in another process, has the same."""
        self._charged_since = _NONE_NS

    def charge(self, parts: Tuple[Part, ...]) -> None:
        """From now on, charges these parts. What was used before is charged to the former ones. If the clock cannot be
        read, which nobody could handle between two steps of a task, all of them are unmeasured."""
        try:
            self.settle()
            self.charged = parts
        except Exception:
            lost, self.charged = {*self.charged, *parts}, ()
            for part in lost:
                part.lose(self)

    def settle(self) -> None:
        cpu_ns, user_ns = now = _reading.cpu_and_user_ns()
        former_cpu_ns, former_user_ns = self._charged_since
        if former_cpu_ns > cpu_ns:
            return  # a signal handler or finalizer that uses accounts came in between, and has settled
        self._charged_since = now
        if self.charged:
            self._share(cpu_ns - former_cpu_ns, user_ns - former_user_ns)

    def _share(self, cpu_ns: int, user_ns: int) -> None:
        """Adds to each account once, even if several of its parts are charged."""
        context = open_parts.get()
        certain: List[Payer] = []
        doubtful: List[Part] = []
        for part in self.charged:
            account = part.account()
            if account is None:
                self.charged = without(self.charged, part)
            elif part not in context and part.is_doubtful(self):
                doubtful.append(part)
            else:
                if part.held_ns is not _NONE_NS:
                    part.release(account, self)
                if account not in certain:
                    certain.append(account)
                    account._add(self, cpu_ns, user_ns)
        for part in doubtful:
            account = part.account()
            if account is not None and account not in certain:
                certain.append(account)
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
    if thread.process != process():
        thread.begin()
    return thread
