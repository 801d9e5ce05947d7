# SPDX-License-Identifier: Apache-2.0
"""The functions of _clock by Python's own clock, for other platforms than Linux on x86_64 and aarch64."""

import os
import platform
import sys
from time import thread_time as thread_time
from time import thread_time_ns as thread_time_ns
from typing import Tuple

from threadclock._figures import UNKNOWN, ThreadTimes, Waits


def thread_times() -> ThreadTimes:
    return ThreadTimes(thread_time_ns(), UNKNOWN, UNKNOWN)


def cpu_and_user_ns() -> Tuple[int, int]:
    return thread_time_ns(), UNKNOWN


def waits() -> Waits:
    return Waits(UNKNOWN, UNKNOWN, UNKNOWN)


def process() -> int:
    return os.getpid()


def source() -> str:
    return "stdlib"


def explain() -> str:
    return (
        "source stdlib: time.thread_time_ns(), because this package was installed without its C module: "
        f"{platform.python_implementation()} on {sys.platform} {platform.machine()}\n"
    )
