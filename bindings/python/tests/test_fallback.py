# SPDX-License-Identifier: Apache-2.0
import subprocess
import sys
import unittest

# A module that is None in sys.modules is not found.
PROGRAM = """
import asyncio, sys, time
sys.modules["threadclock._clock"] = None
import threadclock
from threadclock import Account, Stopwatch, UNKNOWN, ThreadTimes, Waits

def known(times):
    assert times.cpu_ns > 0 and times == ThreadTimes(times.cpu_ns, UNKNOWN, UNKNOWN), times

async def measured():
    with Account() as account:
        await asyncio.sleep(0)
        sum(range(100_000))
    return account.times()

assert threadclock.source() == "stdlib"
assert threadclock.explain().startswith("source stdlib: time.thread_time_ns()"), threadclock.explain()
assert threadclock.thread_time_ns is time.thread_time_ns
with Stopwatch() as watch, Account() as account:
    sum(range(100_000))
    known(watch.lap())
known(watch.elapsed())
known(account.times())
known(threadclock.thread_times())
known(asyncio.run(threadclock.accounted(measured())))
assert threadclock.waits() == Waits(UNKNOWN, UNKNOWN, UNKNOWN)
threadclock.install()
threadclock.uninstall()
assert time.thread_time_ns() > 0
"""


class FallbackTest(unittest.TestCase):
    def test_without_the_c_module_pythons_clock_is_read_and_user_time_is_unknown(self):
        ended = subprocess.run([sys.executable, "-W", "error", "-c", PROGRAM], stderr=subprocess.PIPE, text=True, check=False)
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
