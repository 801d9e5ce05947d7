// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak.program;

/**
 * What the kernel itself says of a thread at one moment.
 *
 * @param cpuNs of the thread's CPU clock
 * @param wallBeforeNs of CLOCK_MONOTONIC_RAW, just before; of two, because the thread may be interrupted in between
 * @param wallAfterNs just after
 * @param switches how often the thread has been switched out
 */
record KernelLook(long cpuNs, long wallBeforeNs, long wallAfterNs, long switches) {}
