# SPDX-License-Identifier: Apache-2.0
"""Which route the framework has matched a request with, by what it leaves in the ASGI scope or the WSGI environ."""

from __future__ import annotations

from typing import Any, Dict, Optional

Keys = Dict[str, Any]  # a scope or environ

_DJANGO = "threadclock.django"


def follow_django(application: Any) -> None:
    """Has Django's handler leave its request, because nothing else knows the route."""
    if not hasattr(application, "resolve_request"):
        return
    make = application.request_class

    def make_known(keys: Keys, *arguments: Any) -> Any:
        request = keys[_DJANGO] = make(keys, *arguments)
        return request

    application.request_class = make_known


def mounted_at(keys: Keys) -> str:
    return keys.get("root_path") or keys.get("SCRIPT_NAME") or ""


def route_of(keys: Keys, mounted_before: str) -> Optional[str]:
    """Of Django; or of Starlette, FastAPI or Flask, below what the server has mounted the application at."""
    if _DJANGO in keys:
        matched = keys.pop(_DJANGO).resolver_match  # popped, because each has the other
        return None if matched is None else "/" + matched.route
    route, flask = keys.get("route"), keys.get("werkzeug.request")
    path = getattr(getattr(flask, "url_rule", None), "rule", None) if route is None else _template(route, keys)
    if path is None or any("{" + name not in path for name in keys.get("path_params", ())):
        return None  # a mount's path has parameters, and only their values are known
    return mounted_at(keys)[len(mounted_before) :].rstrip("/") + path


def _template(route: Any, keys: Keys) -> str:
    if hasattr(route, "routes"):  # a mount, in which nothing has matched, or no Starlette is
        return ""
    included = keys.get("fastapi", {}).get("effective_route_context")
    if included is not None and included.original_route is route:
        route = included
    return getattr(route, "path_format", None) or route.path  # type: ignore[no-any-return]
