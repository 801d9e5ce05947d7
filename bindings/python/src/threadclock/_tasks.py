# SPDX-License-Identifier: Apache-2.0
"""Coroutines whose steps are charged to accounts. A step is what a coroutine does between two awaits that wait."""

from __future__ import annotations

from collections.abc import Coroutine as AbstractCoroutine
from collections.abc import Generator as AbstractGenerator
from types import CoroutineType
from types import coroutine as awaitable
from typing import TYPE_CHECKING, Any, Callable, Coroutine, Generator, Tuple, TypeVar, cast

from threadclock import _thread
from threadclock._thread import Part, open_parts

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
        try:
            return self._step(self._coroutine.throw, *error)
        finally:
            del error  # which would keep this frame, which keeps it

    def close(self) -> None:
        self._step(self._coroutine.close)

    @staticmethod
    def _step(action: Callable[..., Any], *arguments: Any) -> Any:
        former = _begin_step()
        try:
            return action(*arguments)
        finally:
            _end_step(former)
            del arguments

    def __await__(self) -> Generator[Any, Any, Any]:
        return (yield from steps(self._coroutine))

    # For those that look closer at a coroutine, as asyncio does to name a task: cr_frame, __qualname__ and so on.
    def __getattr__(self, name: str) -> Any:
        return getattr(self._coroutine, name)


# An accounted coroutine that is created in a step of another one, as an eager task is, interrupts that step.
def _begin_step() -> Tuple[Tuple[Part, ...], bool]:
    thread = _thread.current()
    former, parts = (thread.charged, thread.in_step), open_parts.get()
    if parts or thread.charged:
        thread.charge(parts)
    thread.in_step = True
    return former


def _end_step(former: Tuple[Tuple[Part, ...], bool]) -> None:
    thread = _thread.current()  # notices a fork in the step
    charged, thread.in_step = former
    if charged or thread.charged:
        thread.charge(charged)


@awaitable
def steps(coroutine: Coroutine[Any, Any, Any]) -> Generator[Any, Any, Any]:
    """What awaits a coroutine and accounts it, at the least cost."""
    step: Callable[[Any], Any] = coroutine.send
    value: Any = None
    while True:
        former = _begin_step()
        try:
            value = step(value)
        except StopIteration as ended:
            return ended.value
        except BaseException:
            value = None  # or else an error that was thrown in would keep this frame, which keeps it
            raise
        finally:
            _end_step(former)
        try:
            step, value = coroutine.send, (yield value)
        except BaseException as error:
            step, value = coroutine.throw, error


class Factory:
    """Makes tasks of accounted coroutines, by the factory that the loop had before."""

    accounts_all = True

    def __init__(self, former: Any) -> None:
        import asyncio

        self._make = former or (lambda loop, coroutine, **options: asyncio.Task(coroutine, loop=loop, **options))

    def __call__(self, loop: asyncio.AbstractEventLoop, coroutine: Any, **options: Any) -> Any:
        return self._make(loop, accounted(coroutine), **options)


def accounted(coroutine: Coroutine[Any, Any, T]) -> Coroutine[Any, Any, T]:
    """The same coroutine, in which `with account:` counts what its own steps cost.

    asyncio.run(accounted(main()))

    It works with every event loop, because it needs nothing of it. Tasks that the coroutine creates are other
    coroutines: see account_tasks()."""
    if type(coroutine) is _Accounted:
        return coroutine
    if not isinstance(coroutine, (CoroutineType, AbstractCoroutine, AbstractGenerator)):  # the first costs least
        raise TypeError(f"a coroutine was expected, got {coroutine!r}")
    return cast("Coroutine[Any, Any, T]", _Accounted(coroutine))


def account_tasks() -> None:
    """From now on, `with account:` counts rightly in all tasks that the running event loop of asyncio creates.

    Sets the loop's task factory, which goes on to use the one that was set before. A second call changes nothing. The
    task that calls it is not accounted by that."""
    import asyncio

    loop = asyncio.get_running_loop()
    former = loop.get_task_factory()
    if isinstance(former, Factory):
        former.accounts_all = True
    else:
        loop.set_task_factory(Factory(former))
