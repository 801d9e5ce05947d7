# SPDX-License-Identifier: Apache-2.0
"""threadclock.asgi and threadclock.wsgi under servers and frameworks that are as small as can be."""

import asyncio
import contextvars
import gc
import sys
import threading
import unittest
import weakref
from _thread import start_new_thread
from concurrent.futures import ThreadPoolExecutor
from types import SimpleNamespace as Fake
from unittest import mock
from wsgiref.util import FileWrapper

from threadclock import Account, _reading, _requests, account_tasks, accounted, asgi, thread_time_ns, wsgi
from work import MS, in_thread, spin

ANSWER = [{"type": "http.response.start", "status": 201, "headers": []}, {"type": "http.response.body", "body": b"done"}]


async def serve(work, on_request, **options):
    """What an ASGI application sends that does this work, given its scope."""

    async def app(scope, receive, send):
        await work(scope)
        for message in ANSWER:
            await send(message)

    async def send(message):
        sent.append(message)

    sent = []
    await asgi.Middleware(app, on_request, **options)({"type": "http", "method": "GET"}, None, send)
    return sent


def cost_of(work, **options):
    costs = []
    asyncio.run(serve(work, costs.append, **options))
    return costs[0]


def does(function):
    async def work(scope):
        function()

    return work


async def cancels(scope):
    asyncio.get_running_loop().call_soon(asyncio.current_task().cancel)
    await asyncio.sleep(3600)


def fails(*_):
    raise OSError("broken")


def respond(app, on_request, **environ):
    return wsgi.Middleware(app, on_request)({"REQUEST_METHOD": "GET", **environ}, lambda *_: None)


class ServersPromisesTest(unittest.TestCase):
    def assert_measured(self, cost, spun_ns, most_ns):
        self.assertEqual((cost.unmeasured_parts, cost.user_ns + cost.system_ns), (0, cost.cpu_ns))
        self.assertTrue(spun_ns <= cost.cpu_ns <= most_ns, (spun_ns, cost.cpu_ns, most_ns))

    def test_of_requests_in_turn_each_has_its_own_steps_and_tasks(self):
        spun, costs = {}, []

        async def turns(name, cpu_ns):
            spun[name] = 0
            for _ in range(3):
                await asyncio.sleep(0)
                spun[name] += spin(cpu_ns)

        def request(name, cpu_ns):  # in a task
            return serve(lambda _: asyncio.gather(turns(name, cpu_ns)), costs.append, route=lambda _: name)

        async def main():
            await asyncio.gather(request("one", MS), request("two", 5 * MS), turns("of nobody", 5 * MS))

        before = thread_time_ns()
        asyncio.run(main())
        used_ns = thread_time_ns() - before
        self.assertEqual({cost.route for cost in costs}, {"one", "two"})
        for cost in costs:
            self.assert_measured(cost, spun[cost.route], used_ns - sum(spun.values()) + spun[cost.route])

    def test_functions_in_other_threads_count(self):
        spun, pool = [], ThreadPoolExecutor()

        def work():
            spun.append(spin(2 * MS))

        async def of_anyio(function):
            ended = threading.Semaphore(0)
            start_new_thread(lambda: (function(), ended.release()), ())  # of which nobody knows
            ended.acquire()

        async def in_threads(scope):
            def of_a_queue():
                with scope["threadclock.account"]:
                    work()

            contextvars.Context().run(in_thread, of_a_queue)
            await _requests._running(of_anyio)(work)
            loop, thread = asyncio.get_running_loop(), threading.Thread(target=work)
            thread.start()
            calls = (None, work), (pool, work), (pool, lambda: pool.submit(work).result())
            await asyncio.gather(*(loop.run_in_executor(*call) for call in calls))
            thread.join()

        before = thread_time_ns()
        with pool:
            cost = cost_of(in_threads)
        self.assertEqual((len(spun), cost.unmeasured_parts), (6, 0))
        self.assertGreaterEqual(cost.cpu_ns, sum(spun))
        self.assertLess(thread_time_ns() - before, cost.cpu_ns)

    def test_what_goes_on_elsewhere_is_unmeasured(self):
        async def main(start):
            costs = []
            await serve(does(start), costs.append)
            go.set()
            return costs[0].unmeasured_parts

        def waits_for_its_pool():
            go.wait()

        waits_for_its_pool.__module__ = "asgiref.sync"
        for expected, start in (
            (0, lambda: threading.Thread(target=waits_for_its_pool).start()),
            (1, lambda: threading.Thread(target=go.wait).start()),
            (1, lambda: contextvars.Context().run(pool.submit, go.wait)),
            (0, lambda: pool.submit(go.wait).cancel()),
            (1, lambda: asyncio.ensure_future(asyncio.sleep(0))),
            (1, lambda: contextvars.Context().run(asyncio.ensure_future, asyncio.sleep(0))),
        ):
            go, pool = threading.Event(), ThreadPoolExecutor(1)
            with pool:
                pool.submit(go.wait)  # so that nothing begins that may be cancelled
                self.assertEqual(asyncio.run(main(start)), expected)
        _requests._follow_anyio.cache_clear()
        with mock.patch.dict(sys.modules, {"anyio": Fake(), "anyio._backends": None}):
            self.assertEqual(cost_of(does(int)).unmeasured_parts, 1)
        _requests._follow_anyio.cache_clear()

    def test_nothing_is_raised_and_the_answer_is_the_same_whatever_fails(self):
        async def in_thread_and_task(scope):
            await asyncio.gather(asyncio.sleep(0), asyncio.get_running_loop().run_in_executor(None, spin, 0))

        clock, readings = _reading.cpu_and_user_ns, [0]

        def breaks():
            readings[0] -= 1
            return clock() if readings[0] >= 0 else fails()

        for good in range(12):  # readings
            costs, readings[0] = [], good
            with self.subTest(good), mock.patch.object(_reading, "cpu_and_user_ns", breaks):
                self.assertEqual(asyncio.run(serve(in_thread_and_task, costs.append)), ANSWER)
                self.assertEqual(costs[0].unmeasured_parts > 0, readings[0] < 0)
        self.assertGreaterEqual(readings[0], 0, "some requests were measured in full")
        _requests._warn_once.cache_clear()
        with self.assertLogs("threadclock") as logs:
            self.assertEqual(asyncio.run(serve(in_thread_and_task, fails)), ANSWER)
            self.assertEqual(cost_of(in_thread_and_task, route=fails).route, asgi.UNMATCHED)
            self.assertEqual(respond(lambda *_: [b"done"], fails), [b"done"])
        self.assertEqual(len(logs.records), 1)

    def test_a_request_that_fails_or_is_cancelled_ends_and_its_error_remains(self):
        async def cancelled(scope):
            accounts.append(scope["threadclock.account"])
            try:
                await cancels(scope)
            finally:
                spin(MS)

        costs, accounts = [], []
        for error, work in (OSError, does(fails)), (asyncio.CancelledError, cancelled):
            with self.assertRaises(error):
                asyncio.run(serve(work, costs.append))
        with self.assertRaises(OSError):
            respond(fails, costs.append, REQUEST_METHOD="BREW")
        said = [(cost.method, cost.status, cost.unmeasured_parts) for cost in costs]
        self.assertEqual(said, [("GET", 500, 0), ("GET", 500, 0), ("_OTHER", 500, 0)])
        self.assertTrue(MS <= costs[1].cpu_ns == accounts[0].cpu_ns)

    def test_an_error_does_not_keep_the_frames_that_it_went_through(self):
        async def works(scope):
            mine = threading.Event()
            alive.append(weakref.ref(mine))
            await cancels(scope)

        async def main():
            for coroutine in serve(works, id), accounted(works(None)):
                await asyncio.wait([asyncio.ensure_future(coroutine)])

        alive = []
        asyncio.run(main())
        self.assertEqual([mine() for mine in alive], [None, None])

    def test_the_whole_response_of_wsgi_counts_until_it_is_closed(self):
        spun, costs = [], []

        class Body:
            def __iter__(self):
                spun.append(spin(MS))
                yield b"done"

            def close(self):
                spun.append(spin(MS))

        def app(environ, start_response):
            start_response("201 Created", [])
            spun.append(spin(MS))
            return Body()

        before = thread_time_ns()
        response = respond(app, costs.append)
        self.assertEqual((list(response), costs), ([b"done"], []))
        response.close()
        response.close()
        used_ns = thread_time_ns() - before
        self.assertEqual((len(spun), len(costs), costs[0].status), (3, 1, 201))
        self.assert_measured(costs[0], sum(spun), used_ns)

    def test_a_wsgi_response_closed_in_another_thread_or_never_or_in_greenlets_is_unmeasured(self):
        costs = []
        in_thread(respond(lambda *_: iter([]), costs.append).close)
        respond(lambda *_: iter([]), costs.append)
        gc.collect()
        hub = Fake(getcurrent=lambda: Fake(parent=hub))
        with mock.patch.dict(sys.modules, greenlet=hub):
            respond(lambda *_: iter([]), costs.append).close()
        self.assertEqual([cost.unmeasured_parts > 0 for cost in costs], [True] * 3)


class ServersTest(unittest.TestCase):
    def test_other_scopes_than_http_and_lists_and_the_servers_files_are_passed_on_as_they_are(self):
        async def app(*arguments):
            passed.extend(arguments)

        passed, costs, arguments = [], [], ({"type": "websocket"}, object(), object())
        asyncio.run(asgi.Middleware(app, costs.append)(*arguments))
        self.assertEqual(([*map(id, passed)], arguments[0], costs), ([*map(id, arguments)], {"type": "websocket"}, []))
        for wrapper, response in (None, [b"done"]), (FileWrapper, FileWrapper(sys.stdin)), (id, sys.stdin):
            self.assertIs(respond(lambda *_: response, costs.append, **{"wsgi.file_wrapper": wrapper}), response)
        self.assertEqual([cost.unmeasured_parts for cost in costs], [0, 0, 0])

    def test_account_tasks_in_a_request_reaches_tasks_of_others(self):
        async def main():
            factories = []
            for _ in range(2):
                await serve(does(account_tasks), id)
                factories.append(asyncio.get_running_loop().get_task_factory())
            self.assertIs(*factories)
            await asyncio.ensure_future(accountable())

        async def accountable():
            with Account():  # or else a RuntimeError
                pass

        asyncio.run(main())

    def test_the_route_is_the_template_of_the_framework(self):
        class Django:
            resolve_request = None
            request_class = staticmethod(lambda environ: Fake(resolver_match=Fake(route="items/<int:id>/")))

            def __call__(self, environ, start_response):
                return [self.request_class(environ)]

        def leaving(**keys):
            def app(environ, start_response):
                environ.update(keys)
                start_response("200 OK", [])
                environ.pop("werkzeug.request", None)
                return []

            return app

        item, flask = Fake(path_format="/items/{id}"), Fake(url_rule=Fake(rule="/items/<id>"))
        included = Fake(original_route=item, path_format="/api/items/{id}")
        for expected, app in (
            (wsgi.UNMATCHED, leaving()),
            ("/items/<int:id>/", Django()),
            ("/shop/items/<id>", leaving(**{"werkzeug.request": flask, "SCRIPT_NAME": "/root/shop"})),
            ("/shop/items/{id}", leaving(route=item, path_params={"id": "7"}, root_path="/root/shop")),
            ("/api/items/{id}", leaving(route=item, fastapi={"effective_route_context": included})),
            ("/static", leaving(route=Fake(routes=[]), root_path="/root/static")),
            (wsgi.UNMATCHED, leaving(route=item, path_params={"shop": "mine", "id": "7"}, root_path="/root/mine")),
        ):
            costs = []
            respond(app, costs.append, SCRIPT_NAME="/root")
            self.assertEqual(costs[0].route, expected)
