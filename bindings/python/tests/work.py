# SPDX-License-Identifier: Apache-2.0
"""Work whose cost is known by the clock itself, so that no bound depends on how fast or busy the machine is."""

import ctypes
import mmap
import os
import platform
import signal
import unittest
from concurrent.futures import ThreadPoolExecutor

import threadclock

MS = 1_000_000


def spin(cpu_ns):
    """Uses CPU time of this thread. Returns how much at least."""
    start = threadclock.thread_time_ns()
    while True:
        used = threadclock.thread_time_ns() - start
        if used >= cpu_ns:
            return used


def in_threads(count, function):
    """Returns what the function returns in each of some new threads, or raises what it raises there."""
    with ThreadPoolExecutor(count) as pool:
        return [thread.result() for thread in [pool.submit(function) for _ in range(count)]]


def in_thread(function):
    return in_threads(1, function)[0]


CLONE = {"x86_64": 56, "aarch64": 220}.get(platform.machine())  # the number of clone(2)


def clone():
    """A fork of which neither Python nor libc knows."""
    return ctypes.PyDLL(None).syscall(CLONE, signal.SIGCHLD, 0, 0, 0, 0)


def in_child(function, fork=os.fork):
    """Whether the function returns True in a fork child."""
    pid = fork()
    if pid == 0:
        status = 1
        try:
            status = 0 if function() is True else 1
        finally:
            os._exit(status)
    return os.waitpid(pid, 0)[1] == 0


def is_wiped_as_told():
    """Whether memory is wiped on fork, if the kernel says so: an emulator of programs says so, and does not."""
    page = mmap.mmap(-1, mmap.PAGESIZE, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    page[0] = 1
    try:
        page.madvise(18)  # MADV_WIPEONFORK
    except OSError:
        return True
    return in_child(lambda: page[0] == 0)


knows_children = unittest.skipUnless(is_wiped_as_told(), "this emulator does not wipe memory on fork")
