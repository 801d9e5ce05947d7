# SPDX-License-Identifier: Apache-2.0
"""What each request of a WSGI application costs, by route."""

from __future__ import annotations

import sys
from contextvars import copy_context
from typing import Any, Callable, Iterator, Optional

from threadclock._figures import RequestCost
from threadclock._requests import UNMATCHED, Counting, Request
from threadclock._routes import mounted_at

__all__ = ["UNMATCHED", "Middleware", "RequestCost"]


class Middleware(Counting):
    """Calls on_request(RequestCost) after each request: when the server closes the response, or at once for a list and
    for what wsgi.file_wrapper makes.

    application = Middleware(application, on_request)

    Nothing is raised. `route` tells the route of an environ in place of the frameworks that are known, and has to have
    few values. What the cost has, and has not: RequestCost."""

    def __call__(self, environ: Any, start_response: Callable[..., Any]) -> Any:
        body = _Body(self, environ)

        def noting(status: str, *rest: Any, **named: Any) -> Any:
            body.begin(status)
            return start_response(status, *rest, **named)

        try:
            return body.answer(self.app(environ, noting))
        except BaseException:
            body.report()
            raise


class _Body:
    """A request, and its response, which the server iterates over and closes; in one thread, or it is unmeasured."""

    __slots__ = "_context", "_environ", "_middleware", "_mounted", "_part", "_request", "_response", "_route", "_status"

    def __init__(self, middleware: Middleware, environ: Any) -> None:
        self._context = copy_context()  # in which a span may be current
        self._environ = environ
        self._middleware = middleware
        self._mounted = mounted_at(environ)
        self._response: Any = ()
        self._route: Optional[str] = None
        self._status = 500
        self._request: Optional[Request] = Request()
        environ["threadclock.account"] = self._request
        greenlet = sys.modules.get("greenlet")
        if greenlet is not None and greenlet.getcurrent().parent is not None:  # others share the thread
            self._request.miss()
        self._part = self._request.begin()

    def begin(self, status: str) -> None:
        """Flask forgets the route before the response is closed."""
        self._status = int(status[:3]) if status[:3].isdecimal() else 500
        self._route = self._middleware._route(self._environ, self._mounted)

    def answer(self, response: Any) -> Any:
        """What the server gets: lists and its own files as they are, because it looks at their types."""
        if isinstance(response, (list, tuple)) or _is_file(response, self._environ.get("wsgi.file_wrapper")):
            self.report()
            return response
        self._response = response
        return self

    def __iter__(self) -> Iterator[bytes]:
        return iter(self._response)

    def close(self) -> None:
        response, self._response = self._response, ()
        try:
            if hasattr(response, "close"):
                response.close()
        finally:
            self.report()

    def report(self) -> None:
        """Once."""
        request, self._request = self._request, None
        if request is not None:
            request.end(self._part)
            route = self._route or self._middleware._route(self._environ, self._mounted)
            method, tell = self._environ.get("REQUEST_METHOD"), self._middleware._tell
            self._context.run(tell, request, route, method, self._status)

    def __del__(self) -> None:
        if self._request is not None:  # the server has not closed it
            self._request.miss()
            self.report()


def _is_file(response: Any, wrapper: Any) -> bool:
    """Whether it is made by wsgi.file_wrapper, which is a class, or in uWSGI a function that returns the file itself."""
    return isinstance(response, wrapper) if isinstance(wrapper, type) else wrapper is not None and hasattr(response, "read")
