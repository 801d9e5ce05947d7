# SPDX-License-Identifier: Apache-2.0
"""What each request of an ASGI application costs, by route."""

from __future__ import annotations

from typing import Any

from threadclock._figures import RequestCost
from threadclock._requests import UNMATCHED, Counting, Request, follow_tasks
from threadclock._tasks import steps

__all__ = ["UNMATCHED", "Middleware", "RequestCost"]


class Middleware(Counting):
    """Calls on_request(RequestCost) after each HTTP request: in its task, when the application has returned.

    app.add_middleware(Middleware, on_request=on_request)

    Nothing is raised. `route` tells the route of a scope in place of the frameworks that are known, and has to have few
    values. What the cost has, and has not: RequestCost."""

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
        else:
            await steps(self._measured(scope, receive, send))

    async def _measured(self, scope: Any, receive: Any, send: Any) -> None:
        status, mounted_before = 500, scope.get("root_path") or ""

        def noting(message: Any) -> Any:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
            return send(message)

        request = scope["threadclock.account"] = Request()
        if not follow_tasks():
            request.miss()
        part = request.begin()
        try:
            await self.app(scope, receive, noting)
        finally:
            request.end(part)
            self._tell(request, self._route(scope, mounted_before), scope.get("method"), status)
