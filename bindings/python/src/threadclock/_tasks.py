# SPDX-License-Identifier: Apache-2.0
"""Coroutines whose steps are charged to accounts. A step is what a coroutine does between two awaits that wait."""

from __future__ import annotations

from collections.abc import Coroutine as AbstractCoroutine
from collections.abc import Generator as AbstractGenerator
from typing import TYPE_CHECKING, Any, Callable, Coroutine, Iterator, TypeVar, cast

from threadclock import _thread
from threadclock._thread import open_parts

if TYPE_CHECKING:
    import asyncio  # which takes long to be loaded

T = TypeVar("T")


class _Accounted(AbstractCoroutine):  # type: ignore[type-arg]
    """Passes everything on to a coroutine. During each step, charges the accounts that are open in its context."""

    __slots__ = ("_coroutine",)

    def __init__(self, coroutine: Coroutine[Any, Any, Any]) -> None:
        self._coroutine = coroutine

    def send(self, value: Any) -> Any:
        return self._step(self._coroutine.send, value)

    def throw(self, *error: Any) -> Any:
        return self._step(self._coroutine.throw, *error)

    def close(self) -> None:
        self._step(self._coroutine.close)

    # An accounted coroutine that is created in a step of another one, as an eager task is, interrupts that step.
    @staticmethod
    def _step(action: Callable[..., Any], *arguments: Any) -> Any:
        thread = _thread.current()
        charged, in_step = thread.charged, thread.in_step
        thread.charge(open_parts.get())
        thread.in_step = True
        try:
            return action(*arguments)
        finally:
            thread = _thread.current()  # notices a fork in the step
            thread.in_step = in_step
            thread.charge(charged)

    def __await__(self) -> Any:
        return self

    def __iter__(self) -> Iterator[Any]:
        return self

    def __next__(self) -> Any:
        return self.send(None)

    # For those that look closer at a coroutine, as asyncio does to name a task: cr_frame, __qualname__ and so on.
    def __getattr__(self, name: str) -> Any:
        return getattr(self._coroutine, name)


class _Factory:
    """Makes tasks of accounted coroutines, by the factory that the loop had before."""

    def __init__(self, former: Any) -> None:
        self._make = former or self._make_task

    def __call__(self, loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> Any:
        return self._make(loop, accounted(coroutine), **options)

    @staticmethod
    def _make_task(loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> Any:
        import asyncio

        return asyncio.Task(coroutine, loop=loop, **options)


def accounted(coroutine: Coroutine[Any, Any, T]) -> Coroutine[Any, Any, T]:
    """The same coroutine, in which `with account:` counts what its own steps cost.

    asyncio.run(accounted(main()))

    It works with every event loop, because it needs nothing of it. Tasks that the coroutine creates are other
    coroutines: see account_tasks()."""
    if isinstance(coroutine, _Accounted):
        return coroutine
    if not isinstance(coroutine, (AbstractCoroutine, AbstractGenerator)):
        raise TypeError(f"a coroutine was expected, got {coroutine!r}")
    return cast("Coroutine[Any, Any, T]", _Accounted(coroutine))


def account_tasks() -> None:
    """From now on, `with account:` counts rightly in all tasks that the running event loop of asyncio creates.

    Sets the loop's task factory, which goes on to use the one that was set before. A second call changes nothing. The
    task that calls it is not accounted by that."""
    import asyncio

    loop = asyncio.get_running_loop()
    former = loop.get_task_factory()
    if not isinstance(former, _Factory):
        loop.set_task_factory(_Factory(former))
