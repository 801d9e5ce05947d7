# SPDX-License-Identifier: Apache-2.0
import statistics
import unittest

from threadclock import bench, source


class BenchTest(unittest.TestCase):
    # The figures themselves are in docs/python.md. This bound is generous, and catches the loss of the fast path.
    def test_a_reading_is_at_least_3_times_as_fast_as_pythons_own(self):
        if source() == "clock":
            self.skipTest("no source without a system call works here")
        results = bench.measure(15)
        gains = bench.ratios(results[bench.STOCK], results[bench.OURS])
        empty = statistics.median(bench.ratios(results[bench.OURS], results[bench.EMPTY]))
        print(f"\na reading: {empty:.2f} x an empty call; Python's own clock: {statistics.median(gains):.1f} x a reading")
        self.assertGreaterEqual(statistics.median(gains), 3)
