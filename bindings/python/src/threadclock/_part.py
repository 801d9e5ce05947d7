# SPDX-License-Identifier: Apache-2.0
from __future__ import annotations

from contextvars import ContextVar, Token
from typing import TYPE_CHECKING, Callable, Optional, Tuple
from weakref import ref

if TYPE_CHECKING:
    from threadclock._account import Account
    from threadclock._thread import Thread

open_parts: ContextVar[Tuple["Part", ...]] = ContextVar("threadclock.open_parts", default=())
"""The parts that were begun in this context, and have not ended. A task inherits those of its creator."""


_NONE_NS = 0, 0  # CPU and user time


def _nothing() -> None:
    return None


class Part:
    """A part of an account: what a thread or a task does between entering and leaving it. While it is open, it keeps its
    context; it never keeps the account or the thread.

    If its thread goes on in another context, that may happen inside of the block, or after the context was abandoned with
    a generator in it. Only the end of the part tells which, so until then that time is held back."""

    __slots__ = ("account", "depth", "_thread", "_token", "_held_ns")

    def __init__(self, account: ref[Account], thread: Thread, context: Tuple[Part, ...]) -> None:
        self.account: Callable[[], Optional[Account]] = account
        self.depth = 1
        """How often the account was entered, and not left."""
        self._thread = None if thread.in_step else thread.ref  # None: in the steps of a task, in whatever thread
        self._held_ns = _NONE_NS
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

    def is_doubtful(self, thread: Thread, context: Tuple[Part, ...]) -> bool:
        """Whether its thread is in a context that has not inherited it."""
        return self._thread is thread.ref and self not in context

    def hold_back(self, cpu_ns: int, user_ns: int) -> None:
        held_cpu_ns, held_user_ns = self._held_ns
        self._held_ns = held_cpu_ns + cpu_ns, held_user_ns + user_ns

    def release(self, account: Account, thread: Thread) -> None:
        """Adds what was held back."""
        if self._held_ns is not _NONE_NS:
            held_cpu_ns, held_user_ns = self._held_ns
            self._held_ns = _NONE_NS
            account._add(thread, held_cpu_ns, held_user_ns)

    def end(self) -> None:
        """In its own thread or task. Tasks that have inherited it go on to count."""
        self._token = None
        open_parts.set(without(open_parts.get(), self))

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
