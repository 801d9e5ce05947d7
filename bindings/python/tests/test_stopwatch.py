# SPDX-License-Identifier: Apache-2.0
import unittest

from threadclock import UNKNOWN, Stopwatch, thread_time_ns
from work import MS, in_child, in_thread, knows_children, spin


class StopwatchTest(unittest.TestCase):
    def test_it_measures_its_block(self):
        before = thread_time_ns()
        with Stopwatch() as watch:
            spun_ns = spin(2 * MS)
        self.assertGreaterEqual(watch.cpu_ns, spun_ns)
        self.assertLessEqual(watch.cpu_ns, thread_time_ns() - before)
        self.assertEqual(watch.user_ns + watch.system_ns, watch.cpu_ns)

    def test_it_can_be_read_while_it_runs(self):
        with Stopwatch() as watch:
            first = watch.elapsed()
            spun_ns = spin(MS)
            self.assertGreaterEqual(watch.cpu_ns, first.cpu_ns + spun_ns)

    def test_what_it_has_measured_stays_and_every_thread_may_read_it(self):
        with Stopwatch() as watch:
            spin(MS)
        measured = watch.elapsed()
        spin(MS)
        self.assertEqual(in_thread(watch.elapsed), measured)

    def test_laps_are_the_whole(self):
        with Stopwatch() as watch:
            laps = []
            for _ in range(3):
                spin(MS)
                laps.append(watch.lap())
            spin(MS)
        for lap in laps:
            self.assertGreaterEqual(lap.cpu_ns, MS)
        self.assertGreaterEqual(watch.cpu_ns, sum(lap.cpu_ns for lap in laps) + MS)

    def test_it_starts_from_0_again(self):
        watch = Stopwatch()
        with watch:
            first_ns = spin(50 * MS)
        with watch:
            pass
        self.assertLess(watch.cpu_ns, first_ns)

    def test_it_measures_what_raises(self):
        watch = Stopwatch()
        with self.assertRaises(KeyError), watch:
            spin(MS)
            raise KeyError
        self.assertGreaterEqual(watch.cpu_ns, MS)

    def test_another_thread_is_refused_while_it_runs(self):
        with Stopwatch() as watch:
            for reading in (watch.elapsed, watch.lap, watch.__enter__):
                with self.assertRaises(RuntimeError):
                    in_thread(reading)
            self.assertGreaterEqual(watch.cpu_ns, 0)

    @knows_children
    def test_so_is_a_fork_child_whose_time_starts_at_0(self):
        def child_is_refused():
            try:
                watch.elapsed()
            except RuntimeError:
                return True

        with Stopwatch() as watch:
            self.assertTrue(in_child(child_is_refused))

    def test_a_block_that_another_thread_ends_is_unknown(self):
        watch = Stopwatch()
        watch.__enter__()
        in_thread(lambda: watch.__exit__(None, None, None))
        self.assertEqual(watch.elapsed(), (UNKNOWN, UNKNOWN, UNKNOWN))

    def test_one_that_does_not_run_has_no_time(self):
        for reading in (Stopwatch().elapsed, Stopwatch().lap):
            with self.assertRaisesRegex(RuntimeError, "does not run"):
                reading()

    def test_one_that_runs_cannot_be_started(self):
        with Stopwatch() as watch, self.assertRaisesRegex(RuntimeError, "runs already"):
            watch.__enter__()


