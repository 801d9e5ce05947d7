# SPDX-License-Identifier: Apache-2.0
"""The account of a request of a server. It follows the request's work into tasks, thread pools and threads. Work that
it sees and cannot follow makes it unmeasured."""

from __future__ import annotations

import asyncio
import logging
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from functools import lru_cache, partial, wraps
from importlib import import_module
from typing import Any, Callable, List, Optional, Set, Tuple

from threadclock import _reading, _thread
from threadclock._account import Account
from threadclock._figures import RequestCost
from threadclock._routes import Keys, follow_django, route_of
from threadclock._tasks import Factory
from threadclock._thread import Part, open_parts

Route = Callable[[Any], Optional[str]]

UNMATCHED = "unmatched"
"""The route of all requests that the framework has matched no route with."""

_METHODS = {"GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH", "QUERY"}


class Counting:
    """What both middlewares have. Nothing in it raises."""

    def __init__(self, app: Any, on_request: Callable[[RequestCost], object], route: Optional[Route] = None) -> None:
        self.app = app
        self._on_request = on_request
        self._find = route_of if route is None else lambda keys, _: route(keys)
        follow_django(app)
        _follow_threads()

    def _route(self, keys: Keys, mounted_before: str) -> Optional[str]:
        try:
            return self._find(keys, mounted_before)
        except Exception:
            return _warn_once()

    def _tell(self, request: Request, route: Optional[str], method: Any, status: int) -> None:
        if request.pending:
            request.miss()
        try:
            name, known_method = route or UNMATCHED, method if method in _METHODS else "_OTHER"
            cpu_ns, user_ns, system_ns = _reading.figures_of(*request._sums())
            cost = name, known_method, status, cpu_ns, user_ns, system_ns, request.unmeasured_parts
            self._on_request(tuple.__new__(RequestCost, cost))
        except Exception:
            _warn_once()


@lru_cache(maxsize=None)
def _warn_once() -> None:
    logging.getLogger("threadclock").warning("on_request or route failed. Further failures are not logged.", exc_info=True)


class Request(Account):
    """An account that raises nothing, and knows which of its work goes on elsewhere."""

    __slots__ = ("pending",)

    def __init__(self) -> None:
        Account.__init__(self)
        self.pending: Set[object] = set()
        """Tasks, and functions for other threads, that have not ended."""
        if "anyio" in sys.modules and not _follow_anyio():
            self.miss()

    def begin(self) -> Optional[Part]:
        try:
            return self._begin(_thread.current(), open_parts.get())
        except Exception:
            self.miss()
            return None

    def end(self, part: Optional[Part]) -> None:
        thread, context = _thread.current(), open_parts.get()
        if part is None:
            return
        if part.is_own(thread, context):
            self._end(part, thread, context)
        else:
            part.lose(thread)

    def miss(self) -> None:
        self._unmeasured[object()] = 1


def current() -> List[Request]:
    """The requests that the calling code works for: more than one if middlewares are nested."""
    parts, charged = open_parts.get(), _thread.current().charged
    if not (parts or charged):
        return []
    return [account for account in {part.account() for part in (*parts, *charged)} if isinstance(account, Request)]


class _Following(Factory):
    """Accounts the tasks that are created in requests, and tells those of them. Others remain what they are."""

    accounts_all = False

    def __call__(self, loop: Any, coroutine: Any, **options: Any) -> Any:
        requests = current()
        if not (requests or self.accounts_all):
            return self._make(loop, coroutine, **options)
        task = super().__call__(loop, coroutine, **options)
        context = options.get("context")
        inherited = {part.account() for part in (open_parts.get() if context is None else context.get(open_parts, ()))}
        for request in requests:
            if request not in inherited:
                request.miss()
            elif not task.done():
                request.pending.add(task)
                task.add_done_callback(request.pending.discard)
        return task


def follow_tasks() -> bool:
    """Whether the tasks of the running event loop are followed. Only those of asyncio can be."""
    try:
        loop = asyncio.get_running_loop()
        former = loop.get_task_factory()
        if type(former) is not _Following:
            loop.set_task_factory(_Following(former))
        return True
    except Exception:
        return False


class _Carried:
    """A function that another thread calls once, for some requests."""

    __slots__ = ("_requests", "function")

    def __init__(self, function: Callable[..., Any], requests: List[Request]) -> None:
        self.function: Any = function  # None when it has begun, because it may be a method of what keeps this object
        self._requests = requests
        for request in requests:
            request.pending.add(self)

    def __call__(self, *arguments: Any, **options: Any) -> Any:
        function, self.function = self.function, None
        parts = [request.begin() for request in self._requests]
        try:
            return function(*arguments, **options)
        finally:
            for request, part in zip(self._requests, parts):
                request.end(part)
            self.forget()

    def forget(self, _: object = None) -> None:
        for request in self._requests:
            request.pending.discard(self)

    def __reduce__(self) -> Tuple[Any, ...]:
        """For InterpreterPoolExecutor, whose interpreters count nothing."""
        for request in self._requests:
            request.miss()
        return partial, (self.function,)


def _submitting(submit: Any) -> Any:
    @wraps(submit)
    def submit_carried(self: Any, function: Any, /, *arguments: Any, **options: Any) -> Any:
        requests = current()
        if not requests:
            return submit(self, function, *arguments, **options)
        carried = _Carried(function, requests)
        future = submit(self, carried, *arguments, **options)
        future.add_done_callback(carried.forget)  # if it is cancelled
        return future

    return submit_carried


def _starting(start: Any) -> Any:
    @wraps(start)
    def start_carried(self: threading.Thread) -> None:
        requests = current()
        if requests and not _serves_others(self):
            self.run = _Carried(self.run, requests)  # type: ignore[method-assign]
        start(self)

    return start_carried


_POOLS = {"concurrent.futures.thread", "anyio._backends._asyncio", "asgiref.sync"}


def _serves_others(thread: threading.Thread) -> bool:
    """Whether it belongs to a pool, whose functions are carried one by one; in asgiref, it waits for a pool's end."""
    return type(thread).__module__ in _POOLS or getattr(getattr(thread, "_target", None), "__module__", "") in _POOLS


def _running(run: Any) -> Any:
    @wraps(run)
    async def run_carried(function: Any, *arguments: Any, **options: Any) -> Any:
        carried = _Carried(function, current())
        try:
            return await run(carried, *arguments, **options)
        finally:
            if carried.function is not None:
                carried.forget()

    return run_carried


@lru_cache(maxsize=None)
def _follow_threads() -> None:
    ThreadPoolExecutor.submit = _submitting(ThreadPoolExecutor.submit)  # type: ignore[method-assign]
    threading.Thread.start = _starting(threading.Thread.start)  # type: ignore[method-assign]


@lru_cache(maxsize=None)
def _follow_anyio() -> bool:
    """Starlette and FastAPI call functions in threads by anyio, whose class all of its functions end in."""
    try:
        backend = import_module("anyio._backends._asyncio").AsyncIOBackend
        backend.run_sync_in_worker_thread = staticmethod(_running(backend.run_sync_in_worker_thread))
        return True
    except Exception:
        return False
