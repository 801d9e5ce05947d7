// SPDX-License-Identifier: Apache-2.0
/**
 * The cost of the calling thread on Linux: CPU time, user time and system time, at the price of one time-stamp-counter
 * read. {@link io.threadclock.ThreadClock} reads, {@link io.threadclock.CpuStopwatch} measures a piece of work.
 */
package io.threadclock;
