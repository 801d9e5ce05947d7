# SPDX-License-Identifier: Apache-2.0
"""What a call costs from Python: python -m threadclock.bench [ROUNDS]

Prints a table in Markdown. All calls take turns in each round, so that a ratio is that of one moment; the figures are
medians over the rounds, and in brackets the quartiles."""

from __future__ import annotations

import asyncio
import datetime
import itertools
import platform
import statistics
import sys
import time
from functools import partial
from typing import Any, Callable, ContextManager, Coroutine, Dict, Iterator, List, Tuple

import threadclock
from threadclock import asgi, wsgi

CALLS = 20_000
SLOW_CALLS = 1_000  # of what takes microseconds
ROUNDS = 101
STOCK = "`time.thread_time_ns()`, Python's own"
EMPTY = "an empty call of C"
REQUEST = "a request of {}, by a middleware that does nothing"
COUNTED = "a request of {}, by that of threadclock"
OURS = "`threadclock.thread_time_ns()`"


def _call(function: Callable[[], object]) -> None:
    for _ in itertools.repeat(None, CALLS):
        function()


def _enter(make: Callable[[], ContextManager[object]]) -> None:
    for _ in itertools.repeat(None, SLOW_CALLS):
        with make():
            pass


async def _awaits() -> None:
    for _ in itertools.repeat(None, SLOW_CALLS):
        await asyncio.sleep(0)


async def _awaits_in_block() -> None:
    with threadclock.Account():
        await _awaits()


async def _asgi_app(scope: Any, receive: Any, send: Any) -> None:
    await send({"type": "http.response.start", "status": 200})
    await send({"type": "http.response.body"})


async def _asgi_requests(middleware: Any) -> None:
    async def send(message: Any) -> None:
        return None

    for _ in itertools.repeat(None, SLOW_CALLS):
        await asyncio.ensure_future(middleware({"type": "http", "method": "GET"}, None, send))


async def _asgi_nothing(*request: Any) -> None:
    await _asgi_app(*request)


def _wsgi_app(environ: Any, start_response: Any) -> Iterator[bytes]:
    start_response("200 OK", [])
    yield b""


def _wsgi_requests(middleware: Any) -> None:
    for _ in itertools.repeat(None, SLOW_CALLS):
        response = middleware({"REQUEST_METHOD": "GET"}, lambda *_: None)
        list(response)
        response.close()


def contenders() -> Dict[str, Tuple[Callable[[], None], int]]:
    """What makes the calls, and how many."""
    account = threadclock.Account()
    calls: Dict[str, Callable[[], object]] = {}
    try:
        from threadclock import _clock
    except ImportError:  # Python's own clock is read
        calls[EMPTY] = int
    else:
        calls[EMPTY] = _clock._empty
        calls["a call of C that returns an int of a clock's size"] = _clock._constant
    calls[OURS] = threadclock.thread_time_ns
    calls["`threadclock.thread_times()`"] = threadclock.thread_times
    calls["`time.perf_counter_ns()`"] = time.perf_counter_ns
    calls[STOCK] = time.thread_time_ns
    blocks: Dict[str, Callable[[], ContextManager[object]]] = {
        "`with Stopwatch():`": threadclock.Stopwatch,
        "`with account:`": lambda: account,
    }
    tasks: Dict[str, Callable[[], Coroutine[Any, Any, None]]] = {
        "`await asyncio.sleep(0)` in a task": _awaits,
        "the same, accounted": lambda: threadclock.accounted(_awaits()),
        "the same, in `with account:`": lambda: threadclock.accounted(_awaits_in_block()),
        REQUEST.format("ASGI"): lambda: _asgi_requests(_asgi_nothing),
        COUNTED.format("ASGI"): lambda: _asgi_requests(asgi.Middleware(_asgi_app, id)),
    }
    rows: Dict[str, Tuple[Callable[[], None], int]] = {}
    rows.update((name, (partial(_call, function), CALLS)) for name, function in calls.items())
    rows.update((name, (partial(_enter, make), SLOW_CALLS)) for name, make in blocks.items())
    rows.update((name, (partial(_run, make), SLOW_CALLS)) for name, make in tasks.items())
    rows[REQUEST.format("WSGI")] = partial(_wsgi_requests, lambda *request: _wsgi_app(*request)), SLOW_CALLS
    rows[COUNTED.format("WSGI")] = partial(_wsgi_requests, wsgi.Middleware(_wsgi_app, id)), SLOW_CALLS
    return rows


def _run(make: Callable[[], Coroutine[Any, Any, None]]) -> None:
    asyncio.run(make())


def measure(rounds: int) -> Dict[str, List[float]]:
    """Nanoseconds a call, of each contender in each round."""
    rows = contenders()
    results: Dict[str, List[float]] = {name: [] for name in rows}
    for _ in range(rounds):
        for name, (make_calls, calls) in rows.items():
            start = threadclock.thread_time_ns()
            make_calls()
            results[name].append((threadclock.thread_time_ns() - start) / calls)
    return results


def ratios(of: List[float], to: List[float]) -> List[float]:
    return [one / other for one, other in zip(of, to)]


def _spread(values: List[float], digits: int) -> str:
    low, median, high = statistics.quantiles(values, n=4)
    return f"{median:,.{digits}f} ({low:,.{digits}f}–{high:,.{digits}f})"


def _processor() -> str:
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            return next(line.partition(":")[2].strip() for line in lines if line.startswith("model name"))
    except (OSError, StopIteration):
        return platform.machine()


def main(rounds: int = ROUNDS) -> None:
    results = measure(rounds)
    print("| one call | ns | ratio to the empty call |\n|---|---:|---:|")
    for name, values in results.items():
        print(f"| {name} | {_spread(values, 1)} | {_spread(ratios(values, results[EMPTY]), 2)} |")
    for kind in "ASGI", "WSGI":
        pairs = zip(results[COUNTED.format(kind)], results[REQUEST.format(kind)])
        print(f"\nA request of {kind} costs {_spread([ours - nothing for ours, nothing in pairs], 0)} ns more.")
    print(
        f"\nPython's own clock takes {_spread(ratios(results[STOCK], results[OURS]), 1)} times as long as this one. "
        f"Measured by `python -m threadclock.bench` on {platform.python_implementation()} {platform.python_version()}, "
        f"{_processor()}, {platform.system()} {platform.release()}, source {threadclock.source()}, "
        f"{rounds} rounds, {datetime.date.today()}. In brackets are the quartiles."
    )


def rounds_of(argument: str) -> int:
    if not argument.isdecimal() or int(argument) < 2:
        sys.exit(f"ROUNDS is {argument!r}. Give an integer of 2 or more, because one round has no quartiles.")
    return int(argument)


if __name__ == "__main__":
    main(*map(rounds_of, sys.argv[1:2]))
