# SPDX-License-Identifier: Apache-2.0
"""A typed program that uses all of the package. test/package.t has mypy check it, as users do theirs."""

import asyncio
import unittest
from typing import List, Tuple

import threadclock
from threadclock import asgi, wsgi


async def measured(account: threadclock.Account) -> int:
    with account as entered:
        await asyncio.sleep(0)
    return entered.cpu_ns


def use_everything() -> Tuple[int, float, str]:
    cpu_ns: int = threadclock.thread_time_ns()
    seconds: float = threadclock.thread_time()
    times: threadclock.ThreadTimes = threadclock.thread_times()
    waits: threadclock.Waits = threadclock.waits()
    cpu_ns += times.cpu_ns + times.user_ns + times.system_ns
    cpu_ns += waits.run_delay_ns + waits.voluntary_switches + waits.involuntary_switches + threadclock.UNKNOWN
    with threadclock.Stopwatch() as watch:
        lap: threadclock.ThreadTimes = watch.lap()
    elapsed: threadclock.ThreadTimes = watch.elapsed()
    cpu_ns += lap.cpu_ns + elapsed.cpu_ns + watch.cpu_ns + watch.user_ns + watch.system_ns
    account = threadclock.Account()
    cpu_ns += asyncio.run(threadclock.accounted(measured(account)))
    cpu_ns += account.cpu_ns + account.user_ns + account.system_ns + account.times().cpu_ns + account.unmeasured_parts
    costs: List[threadclock.RequestCost] = []
    asgi.Middleware(measured, costs.append, route=lambda scope: str(scope["path"]))
    wsgi.Middleware(measured, costs.append)
    cpu_ns += sum(cost.cpu_ns + cost.unmeasured_parts + cost.status for cost in costs)
    threadclock.install()
    threadclock.uninstall()
    return cpu_ns, seconds, threadclock.explain() + threadclock.source() + threadclock.__version__


class TypingTest(unittest.TestCase):
    def test_a_typed_program_runs(self) -> None:
        cpu_ns, seconds, text = use_everything()
        self.assertEqual([type(cpu_ns), type(seconds), type(text)], [int, float, str])
