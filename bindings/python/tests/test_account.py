# SPDX-License-Identifier: Apache-2.0
import asyncio
import contextlib
import contextvars
import os
import sys
import unittest
import weakref
from concurrent.futures import ThreadPoolExecutor

from threadclock import Account, _thread, account_tasks, accounted, thread_time_ns
from work import CLONE, MS, clone, in_child, in_thread, in_threads, knows_children, spin

# What tests and loops may cost beside the work that is counted. What must not be counted costs twice as much.
OVERHEAD_NS = 100 * MS


def assert_counted(test, account_ns, spun_ns):
    test.assertTrue(spun_ns <= account_ns < spun_ns + OVERHEAD_NS, f"{account_ns} ns counted, {spun_ns} ns spun")


class AccountPromisesTest(unittest.TestCase):
    def test_it_measures_its_block_and_no_more(self):
        account = Account()
        spin(50 * MS)
        before = thread_time_ns()
        with account:
            spun_ns = spin(2 * MS)
        block_ns = thread_time_ns() - before
        spin(50 * MS)
        self.assertTrue(spun_ns <= account.cpu_ns <= block_ns, (spun_ns, account.cpu_ns, block_ns))

    def test_user_and_system_time_are_cpu_time_and_0_before_the_first_block(self):
        account = Account()
        self.assertEqual(account.times(), (0, 0, 0))
        with account:
            spin(MS)
        times = account.times()
        self.assertEqual((times.cpu_ns, times.user_ns, times.system_ns), (account.cpu_ns, account.user_ns, account.system_ns))
        self.assertEqual(times.user_ns + times.system_ns, times.cpu_ns)

    def test_blocks_add_up(self):
        account = Account()
        for _ in range(3):
            with account:
                spin(MS)
        self.assertGreaterEqual(account.cpu_ns, 3 * MS)

    def test_the_own_thread_reads_it_up_to_now(self):
        with Account() as account:
            first = account.cpu_ns
            spun_ns = spin(MS)
            self.assertGreaterEqual(account.cpu_ns, first + spun_ns)

    def test_who_enters_twice_counts_once(self):
        account = Account()
        before = thread_time_ns()
        with account, account:
            spin(5 * MS)
            with account:
                pass
            spin(5 * MS)
        self.assertTrue(10 * MS <= account.cpu_ns <= thread_time_ns() - before)

    def test_nested_accounts_have_the_whole_cost_of_their_blocks(self):
        with Account() as outer:
            spin(5 * MS)
            with Account() as inner:
                spin(5 * MS)
        self.assertGreaterEqual(outer.cpu_ns, inner.cpu_ns + 5 * MS)

    def test_a_block_that_another_thread_leaves_ends_without_strangers_work_and_is_unmeasured(self):
        thread, accounts = _thread.current(), []
        for _ in range(10):  # as FastAPI does with a dependency that yields
            account = Account()
            generator = block(account)
            contextvars.copy_context().run(next, generator)
            with Account():
                spin(MS)
            in_thread(generator.close)
            self.assertEqual((account.times(), account.unmeasured_parts), ((0, 0, 0), 1))
            accounts.append(weakref.ref(account))
            del account, generator
        self.assertEqual([account() for account in accounts], [None] * 10)
        self.assertLessEqual(len(thread.charged), 1)

    def test_a_block_that_another_context_leaves_is_unmeasured(self):
        with Account() as account:
            contextvars.copy_context().run(account.__exit__, None, None, None)
        self.assertEqual(account.unmeasured_parts, 1)

    def test_a_block_in_which_its_thread_ends_is_unmeasured(self):
        account = Account()
        in_thread(account.__enter__)
        self.assertEqual(account.unmeasured_parts, 1)

    def test_what_its_thread_does_in_another_context_counts_when_the_block_ends(self):
        account, context, spun = Account(), contextvars.copy_context(), []

        def work():
            with Account():
                spun.append(spin(MS))

        with account:
            context.run(work)
        self.assertGreaterEqual(account.cpu_ns, spun[0])
        self.assertEqual(account.unmeasured_parts, 0)

    @unittest.skipUnless(CLONE, "the number of clone(2) is not known here")
    def test_a_child_that_no_hook_of_fork_knows_counts_its_own_time(self):
        def child_counts():
            with Account() as account:
                spun_ns = spin(MS)
            return account.cpu_ns >= spun_ns

        with Account():
            spin(2 * MS)
        self.assertTrue(in_child(child_counts, fork=clone))


def block(account):
    with account:
        yield


class AccountTest(unittest.TestCase):
    def test_threads_add_up(self):
        account = Account()

        def part():
            with account:
                return spin(20 * MS)

        with ThreadPoolExecutor(4) as pool:
            threads, former = [pool.submit(part) for _ in range(4)], 0
            while not all(thread.done() for thread in threads):
                now = account.cpu_ns
                self.assertGreaterEqual(now, former)
                former = now
        assert_counted(self, account.cpu_ns, sum(thread.result() for thread in threads))

    @knows_children
    def test_in_a_fork_child_its_block_goes_on_with_the_childs_own_time(self):
        def child_counts():
            before = account.cpu_ns
            spun_ns = spin(MS)
            return before + spun_ns <= account.cpu_ns < before + spun_ns + OVERHEAD_NS

        with Account() as account:
            spin(2 * OVERHEAD_NS)
            account.cpu_ns
            self.assertTrue(in_child(child_counts))

    def test_a_thread_that_inherits_the_context_is_not_charged_for_it(self):
        with Account() as account:
            context = contextvars.copy_context()
        before = account.cpu_ns

        def work():
            with Account():
                pass
            spin(50 * MS)

        in_thread(lambda: context.run(work))
        self.assertEqual(account.cpu_ns, before)


async def turns(count, cpu_ns):
    """Works in turn with all other tasks. Returns what that has cost."""
    spun_ns = 0
    for _ in range(count):
        spun_ns += spin(cpu_ns)
        await asyncio.sleep(0)
    return spun_ns


async def measured(work):
    """What an account of this work counts, and what the work says."""
    with Account() as account:
        says = await work
    return account.cpu_ns, says


def run_accounted(main):
    async def with_tasks():
        account_tasks()
        return await main()

    return asyncio.run(accounted(with_tasks()))


class TaskAccountTest(unittest.TestCase):
    def test_of_two_tasks_in_turn_each_pays_its_own_steps(self):
        def main():
            return asyncio.gather(measured(turns(10, 20 * MS)), measured(turns(10, MS)))

        for counted in run_accounted(main):
            assert_counted(self, *counted)

    def test_a_coroutine_can_be_accounted_by_itself(self):
        async def main():
            return await asyncio.gather(accounted(measured(turns(10, MS))), turns(10, 20 * MS))

        assert_counted(self, *asyncio.run(main())[0])

    def test_a_block_may_end_in_another_step_than_it_began(self):
        async def main():
            before = thread_time_ns()
            account = Account()
            with account:
                await asyncio.sleep(0)
                spun_ns = spin(MS)
            return spun_ns <= account.cpu_ns <= thread_time_ns() - before

        self.assertTrue(run_accounted(main))

    def test_tasks_created_in_the_block_count(self):
        async def main():
            with Account() as account:
                spun = await asyncio.gather(turns(5, 2 * MS), turns(5, 2 * MS))
            return account.cpu_ns, sum(spun)

        assert_counted(self, *run_accounted(main))

    def test_tasks_created_before_the_block_do_not(self):
        def main():
            return measured(asyncio.ensure_future(turns(10, 20 * MS)))

        self.assertLess(run_accounted(main)[0], OVERHEAD_NS)

    def test_nested_accounts_are_right_over_awaits(self):
        async def outer():
            before_ns = await turns(2, 5 * MS)
            inner = await measured(turns(2, 5 * MS))
            return inner, before_ns + inner[1] + await turns(2, 5 * MS)

        def main():
            return asyncio.gather(measured(outer()), turns(6, 40 * MS))

        outer_ns, (inner, outer_spun_ns) = run_accounted(main)[0]
        assert_counted(self, outer_ns, outer_spun_ns)
        assert_counted(self, *inner)
        self.assertGreaterEqual(outer_ns - inner[0], outer_spun_ns - inner[1] - OVERHEAD_NS)

    def test_an_accounted_coroutine_inside_of_another_counts_once(self):
        assert_counted(self, *run_accounted(lambda: measured(accounted(turns(10, 20 * MS)))))

    def test_a_cancelled_task_leaves_its_account(self):
        account = Account()

        async def sleeping():
            with account:
                await asyncio.sleep(3600)

        async def main():
            task = asyncio.ensure_future(sleeping())
            await asyncio.sleep(0)
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await task
            before = account.cpu_ns
            spin(20 * MS)
            return account.cpu_ns == before

        self.assertTrue(run_accounted(main))

    def test_a_task_whose_block_another_task_leaves_is_not_charged_from_then_on(self):
        async def block():
            with account:
                yield

        account = Account()

        async def main():
            opened = block()
            await opened.__anext__()
            await asyncio.ensure_future(opened.aclose())
            before = account.times()
            await turns(2, MS)
            return account.times() == before, account.unmeasured_parts

        self.assertEqual(run_accounted(main), (True, 1))

    def test_one_account_adds_up_tasks_of_loops_in_several_threads(self):
        account = Account()

        async def part():
            with account:
                return await turns(5, 2 * MS)

        def main():
            return asyncio.gather(part(), turns(5, 20 * MS))

        spun = in_threads(2, lambda: run_accounted(main)[0])
        assert_counted(self, account.cpu_ns, sum(spun))

    def test_where_nothing_accounts_the_coroutine_it_is_refused(self):
        async def directly():
            with Account():
                pass

        async def by_a_function():
            with contextlib.ExitStack() as stack:
                stack.enter_context(Account())

        for main in (directly, by_a_function):
            with self.assertRaisesRegex(RuntimeError, "account_tasks"):
                asyncio.run(main())
        with self.assertRaisesRegex(RuntimeError, "accounted"):  # in no loop of asyncio
            directly().send(None)
        with self.assertRaises(StopIteration):
            accounted(directly()).send(None)

    def test_a_task_keeps_its_name_its_result_and_its_error(self):
        async def named():
            return 42

        async def failing():
            raise KeyError("key")

        async def main():
            task = asyncio.ensure_future(named())
            self.assertIn("named", repr(task))
            self.assertEqual(len(task.get_stack()), 1)
            self.assertEqual(await task, 42)
            with self.assertRaisesRegex(KeyError, "key"):
                await asyncio.ensure_future(failing())
            with self.assertRaises(asyncio.TimeoutError):
                await asyncio.wait_for(asyncio.sleep(3600), 0.001)

        run_accounted(main)

    def test_the_loops_own_task_factory_is_still_used(self):
        made = []

        def factory(loop, coroutine, **options):
            made.append(coroutine.__name__)
            return asyncio.Task(coroutine, loop=loop, **options)

        async def main():
            asyncio.get_running_loop().set_task_factory(factory)
            account_tasks()
            account_tasks()
            await asyncio.ensure_future(turns(1, 0))

        asyncio.run(main())
        self.assertEqual(made.count("turns"), 1)

    @unittest.skipIf(sys.version_info < (3, 12), "eager tasks came with Python 3.12")
    def test_an_eager_task_pays_its_first_step_and_its_creator_does_not(self):
        async def main():
            asyncio.get_running_loop().set_task_factory(asyncio.eager_task_factory)
            account_tasks()
            before = contextvars.copy_context()
            with Account() as account:
                task = asyncio.get_running_loop().create_task(measured(turns(2, 200 * MS)), context=before)
                creator_ns = account.cpu_ns
            return creator_ns, await task

        creator_ns, counted = asyncio.run(accounted(main()))
        self.assertLess(creator_ns, OVERHEAD_NS)
        assert_counted(self, *counted)

    def test_in_the_child_of_a_step_that_forks_its_own_time_counts_once(self):
        account = Account()

        async def fork():
            with account:
                before, parent_ns, pid = account.cpu_ns, thread_time_ns(), os.fork()
                if pid == 0:
                    spin(parent_ns + 20 * MS)  # so that the child's clock is past what the parent had counted
            return before, pid

        def child_counts_once():
            try:
                accounted(fork()).send(None)
            except StopIteration as ended:
                before, pid = ended.value
            if pid == 0:
                return account.cpu_ns <= before + thread_time_ns()
            return os.waitpid(pid, 0)[1] == 0

        self.assertTrue(in_child(child_counts_once))  # in a child, because its clock has just begun

    def test_only_coroutines_can_be_accounted(self):
        with self.assertRaisesRegex(TypeError, "a coroutine was expected"):
            accounted(lambda: None)


