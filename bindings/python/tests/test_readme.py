# SPDX-License-Identifier: Apache-2.0
import re
import subprocess
import sys
import unittest
from pathlib import Path

import threadclock
from work import MS, spin

README = Path(__file__).resolve().parent.parent / "README.md"


def programs():
    return re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def recipe(library):
    """What the program that imports this library defines."""
    names = {"__name__": "recipe"}
    exec(next(program for program in programs() if library in program.partition("\n\n")[0]), names)
    return names


class ReadmeTest(unittest.TestCase):
    def test_its_programs_run_and_print_what_they_cost(self):
        for program, says in zip(programs(), (r"[1-9]\d* \d+ \d+\n", r"(one|two) [1-9]\d*\n(one|two) [1-9]\d*\n")):
            with self.subTest(program):
                self.assertRegex(subprocess.check_output([sys.executable, "-W", "error", "-c", program], text=True), f"^{says}$")

    def test_its_counters_have_what_requests_cost(self):
        try:
            import prometheus_client
        except ImportError:
            self.skipTest("prometheus_client is not installed")
        on_request = recipe("prometheus_client")["on_request"]
        for unmeasured_parts in 0, 0, 1:
            on_request(threadclock.RequestCost("/orders", "GET", 200, 5 * MS, 5 * MS, 0, unmeasured_parts))
        value, labels = prometheus_client.REGISTRY.get_sample_value, {"route": "/orders"}
        self.assertEqual(value("request_cpu_seconds_total", {**labels, "method": "GET", "status": "200"}), 0.01)
        self.assertEqual(value("request_cpu_unmeasured_total", labels), 1)

    def test_its_spans_have_what_they_cost(self):
        try:
            from opentelemetry import trace
            from opentelemetry.sdk.trace import TracerProvider
            from opentelemetry.sdk.trace.export import SimpleSpanProcessor
            from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
        except ImportError:
            self.skipTest("opentelemetry-sdk is not installed")
        exporter = InMemorySpanExporter()
        trace.set_tracer_provider(TracerProvider())
        trace.get_tracer_provider().add_span_processor(SimpleSpanProcessor(exporter))
        measured_span = recipe("opentelemetry.trace")["measured_span"]
        with measured_span("outer"):
            spin(MS)
            with measured_span("inner"):
                spin(5 * MS)
        inner, outer = (dict(span.attributes) for span in exporter.get_finished_spans())
        for cost in inner, outer:
            self.assertEqual(
                cost["threadclock.cpu.user_time"] + cost["threadclock.cpu.system_time"], cost["threadclock.cpu.time"]
            )
        self.assertGreaterEqual(inner["threadclock.cpu.time"], 5 * MS)
        self.assertGreaterEqual(outer["threadclock.cpu.time"], inner["threadclock.cpu.time"] + MS)
