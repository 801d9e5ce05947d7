# SPDX-License-Identifier: Apache-2.0
import gc
import importlib.util
import pickle
import resource
import time
import unittest

import threadclock
from threadclock import UNKNOWN, ThreadTimes, Waits
from work import MS, in_child, in_thread, in_threads, spin


def never_goes_back(readings):
    former = threadclock.thread_times()
    for _ in range(readings):
        times = threadclock.thread_times()
        cpu_ns, user_ns = times.cpu_ns - former.cpu_ns, times.user_ns - former.user_ns
        if not (0 <= user_ns <= cpu_ns and times.user_ns + times.system_ns == times.cpu_ns):
            return f"{former}, then {times}"
        former = times
    return None


class ClockPromisesTest(unittest.TestCase):
    def test_readings_never_go_back_and_user_and_system_time_are_cpu_time(self):
        self.assertIsNone(never_goes_back(200_000))

    def test_nor_do_they_in_many_threads_at_once(self):
        self.assertEqual(in_threads(8, lambda: never_goes_back(20_000)), [None] * 8)

    def test_nor_do_they_in_a_fork_child(self):
        spin(20 * MS)
        self.assertTrue(in_child(lambda: never_goes_back(20_000) is None))

    def test_a_fork_child_starts_at_0(self):
        parent_ns = spin(100 * MS)
        self.assertTrue(in_child(lambda: threadclock.thread_time_ns() < parent_ns))

    def test_a_thread_starts_at_0(self):
        own_ns = spin(100 * MS)
        self.assertLess(in_thread(threadclock.thread_time_ns), own_ns)

    def test_seconds_are_the_same_clock(self):
        before = threadclock.thread_time_ns()
        seconds = threadclock.thread_time()
        self.assertIsInstance(seconds, float)
        self.assertLessEqual(before / 1e9, seconds)
        self.assertLessEqual(seconds, threadclock.thread_time_ns() / 1e9)


class ClockTest(unittest.TestCase):
    def test_the_c_module_is_loaded_and_not_the_fallback(self):
        self.assertIn(threadclock.source(), ("rseq", "perf", "ids", "clock"))
        self.assertIn(f"source {threadclock.source()}", threadclock.explain())

    def test_the_collector_may_see_the_c_module_before_it_has_its_state(self):
        module = importlib.util.module_from_spec(importlib.util.find_spec("threadclock._clock"))
        gc.collect()
        del module
        gc.collect()

    def test_cpu_time_is_that_of_the_kernels_clock(self):
        before = time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID)
        spin(5 * MS)
        cpu_ns = threadclock.thread_time_ns()
        after = time.clock_gettime_ns(time.CLOCK_THREAD_CPUTIME_ID)
        self.assertGreaterEqual(cpu_ns, before)
        # Readings are extrapolated for 4 ms at most, and then asked of the kernel.
        self.assertLessEqual(cpu_ns, after + 4 * MS)

    def test_sleep_costs_nothing(self):
        start = threadclock.thread_time_ns()
        time.sleep(0.2)
        self.assertLess(threadclock.thread_time_ns() - start, 100 * MS)

    def test_times_are_a_named_tuple_like_any_other(self):
        times = threadclock.thread_times()
        self.assertIs(type(times), ThreadTimes)
        self.assertEqual(times, ThreadTimes(*times))
        self.assertEqual(hash(times), hash(tuple(times)))
        self.assertEqual(times, pickle.loads(pickle.dumps(times)))
        self.assertEqual(times._fields, ("cpu_ns", "user_ns", "system_ns"))

    def test_waits_are_the_kernels_counts(self):
        before = resource.getrusage(resource.RUSAGE_THREAD)
        time.sleep(0.001)
        waits = threadclock.waits()
        after = resource.getrusage(resource.RUSAGE_THREAD)
        self.assertIs(type(waits), Waits)
        self.assertGreater(waits.voluntary_switches, before.ru_nvcsw)
        self.assertLessEqual(waits.voluntary_switches, after.ru_nvcsw)
        self.assertLessEqual(waits.involuntary_switches, after.ru_nivcsw)
        self.assertGreaterEqual(waits.run_delay_ns, UNKNOWN)


class InstallTest(unittest.TestCase):
    def setUp(self):
        self.addCleanup(threadclock.uninstall)

    def test_installed_pythons_functions_answer_from_the_clock(self):
        threadclock.install()
        threadclock.install()
        self.assertIs(time.thread_time, threadclock.thread_time)
        self.assertIs(time.thread_time_ns, threadclock.thread_time_ns)

    def test_uninstalled_they_are_pythons_own(self):
        own = time.thread_time, time.thread_time_ns
        threadclock.install()
        threadclock.uninstall()
        self.assertEqual((time.thread_time, time.thread_time_ns), own)

    def test_what_others_have_put_there_stays(self):
        own = time.thread_time
        threadclock.install()
        time.thread_time = others = lambda: 0.0
        threadclock.uninstall()
        self.assertIs(time.thread_time, others)
        time.thread_time = own


