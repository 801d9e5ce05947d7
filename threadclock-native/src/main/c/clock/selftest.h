/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_SELFTEST_H
#define TCLK_CLOCK_SELFTEST_H

#include "clock/detector.h"

#include <stdbool.h>

/*
 * Does a detector detect on this kernel? Sixteen short sleeps, each of which must change the
 * marker if the thread really was switched out (its count of voluntary switches grew) and has come back
 * to its place; and, as a control, 64 system calls that switch nothing and must leave it alone.
 *
 * How short a sleep may be and still switch depends on the kernel, on the thread's timer slack and on
 * how fast the machine is: since Linux 7 at the latest one of 1 ns never does, before that only with the
 * default slack. So each one that did not is followed by one of twice its length.
 */
#define TCLK_SELFTEST_SLEEP_NS INT64_C(10000)
#define TCLK_SELFTEST_SLEEP_MAX_NS INT64_C(1000000)
#define TCLK_SELFTEST_SLEEPS 16
#define TCLK_SELFTEST_SLEEPS_NEEDED 8

/* Retries allowed when a sleep migrates the thread. On a PREEMPT_RT kernel whose CPUs are idle most do: the thread that serves
 * timers wakes the sleeper and has its CPU then, so that the sleeper goes to the other one, where its next sleep has the same
 * end. If that leaves too few, the thread waits for a child this often: whose end wakes it on the CPU that it has left idle. */
#define TCLK_SELFTEST_MOVES 16
#define TCLK_SELFTEST_WAITS 64

#define TCLK_SELFTEST_CALLS 64
#define TCLK_SELFTEST_CALLS_NEEDED 60

struct tclk_selftest {
    int sleeps; /* that switched the thread out, and back to its place */
    int missed; /* of these, how many the detector did not see */
    int kept;   /* calls after which the marker was still there */
};

/* About 1.5 ms, on the calling thread; about 4 ms where sleeps migrate it. Async-signal-safe. */
struct tclk_selftest tclk_selftest_run(struct tclk_detector detector);

/* The contrary: sleeps, as often as that, until one has switched the thread out and left the marker there.
 * *sleeps is how many have switched it out. Async-signal-safe. */
bool tclk_selftest_keeps(struct tclk_detector detector, int *sleeps);

static inline bool tclk_selftest_passed(struct tclk_selftest test)
{
    return test.sleeps >= TCLK_SELFTEST_SLEEPS_NEEDED && test.missed == 0 &&
           test.kept >= TCLK_SELFTEST_CALLS_NEEDED;
}

#endif
