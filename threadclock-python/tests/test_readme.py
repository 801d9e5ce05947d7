# SPDX-License-Identifier: Apache-2.0
import re
import subprocess
import sys
import unittest
from pathlib import Path

README = Path(__file__).resolve().parent.parent / "README.md"


class ReadmeTest(unittest.TestCase):
    def test_its_programs_run_and_print_what_they_cost(self):
        programs = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)
        self.assertEqual(len(programs), 2)
        for program, says in zip(programs, (r"[1-9]\d* \d+ \d+\n", r"(one|two) [1-9]\d*\n(one|two) [1-9]\d*\n")):
            with self.subTest(program):
                self.assertRegex(subprocess.check_output([sys.executable, "-W", "error", "-c", program], text=True), f"^{says}$")
