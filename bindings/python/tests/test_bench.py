# SPDX-License-Identifier: Apache-2.0
import os
import shutil
import statistics
import subprocess
import sys
import tempfile
import unittest

from threadclock import bench, source


def bench_without_c(*arguments):
    with tempfile.TemporaryDirectory() as folder:
        shutil.copytree(os.path.dirname(bench.__file__), os.path.join(folder, "threadclock"), ignore=shutil.ignore_patterns("_clock.*"))
        command = [sys.executable, "-W", "error", "-m", "threadclock.bench", *arguments]
        return subprocess.run(command, cwd=folder, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)


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

    def test_it_runs_without_the_c_module(self):
        ended = bench_without_c("2")
        self.assertEqual((ended.returncode, ended.stderr), (0, ""))
        self.assertIn("source stdlib, 2 rounds", ended.stdout)

    def test_rounds_that_have_no_quartiles_are_refused(self):
        for rounds in ("1", "x", "-2", ""):
            with self.assertRaisesRegex(SystemExit, f"^ROUNDS is '{rounds}'. Give an integer of 2 or more"):
                bench.rounds_of(rounds)
        self.assertEqual(bench.rounds_of("2"), 2)
