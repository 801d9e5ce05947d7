/* SPDX-License-Identifier: Apache-2.0 */
#ifndef TCLK_CLOCK_SELFTEST_H
#define TCLK_CLOCK_SELFTEST_H

#include "clock/detector.h"

#include <stdbool.h>

/*
 * Tests whether a detector works on this kernel. The thread sleeps sixteen times for a short time. Each sleep must
 * change the marker if the thread really was switched out (its count of voluntary switches grew) and has come back to
 * its place. As a control, 64 system calls that do not switch the thread out must leave the marker alone.
 *
 * How short a sleep may be and still switch the thread out depends on the kernel, on the thread's timer slack and on
 * the speed of the machine. Since Linux 7 at the latest, a sleep of 1 ns never does; before that it does with the
 * default slack only. Therefore each sleep that did not is followed by one of twice its length.
 */
#define TCLK_SELFTEST_SLEEP_NS INT64_C(10000)
#define TCLK_SELFTEST_SLEEP_MAX_NS INT64_C(1000000)
#define TCLK_SELFTEST_SLEEPS 16
#define TCLK_SELFTEST_SLEEPS_NEEDED 8

/* Retries allowed when a sleep migrates the thread. On a PREEMPT_RT kernel with idle CPUs, most sleeps do: the
 * thread that serves timers wakes the sleeper and occupies its CPU, so that the sleeper moves to the other one,
 * where the same happens again. If too few sleeps are left, the thread waits for a child this often. The end of a
 * child wakes the thread on the CPU that it has left idle. */
#define TCLK_SELFTEST_MOVES 16
#define TCLK_SELFTEST_WAITS 64

#define TCLK_SELFTEST_CALLS 64
#define TCLK_SELFTEST_CALLS_NEEDED 60

struct tclk_selftest {
    int sleeps; /* sleeps that switched the thread out, and back to its place */
    int missed; /* of these, the number that the detector missed */
    int kept;   /* calls after which the marker was still there */
};

/* About 1.5 ms, on the calling thread; about 4 ms where sleeps migrate it. Async-signal-safe. */
struct tclk_selftest tclk_selftest_run(struct tclk_detector detector);

/* Tests the opposite: sleeps, as often as the self-test, until one sleep has switched the thread out and left the
 * marker there. *sleeps receives the number of sleeps that have switched it out. Async-signal-safe. */
bool tclk_selftest_keeps(struct tclk_detector detector, int *sleeps);

/* Tests whether the figures of clock/waits.h move when the thread is switched out, and only then: over 64 system calls
 * that do not switch it out, and over sixteen sleeps. The kernel's count of switches tells which of them did, so that
 * the test needs no detector and a busy machine cannot fail it. */
struct tclk_waits_selftest {
    int calm;  /* calls around which no switch was counted */
    int moved; /* of these, the number around which run-queue delay or time slices grew */
    int sleeps;
    int missed; /* sleeps that switched the thread out voluntarily, and are no time slice */
};

/* About 2 ms, on the calling thread. Async-signal-safe. */
struct tclk_waits_selftest tclk_selftest_run_waits(void);

static inline bool tclk_selftest_passed(struct tclk_selftest test)
{
    return test.sleeps >= TCLK_SELFTEST_SLEEPS_NEEDED && test.missed == 0 && test.kept >= TCLK_SELFTEST_CALLS_NEEDED;
}

#endif
