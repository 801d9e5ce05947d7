// SPDX-License-Identifier: Apache-2.0
/**
 * What the calling thread has cost on Linux: CPU time, user time and system time, at the price of one
 * time-stamp-counter read. {@link io.threadclock.ThreadClock} reads, {@link io.threadclock.CpuStopwatch} measures a piece
 * of work.
 */
package io.threadclock;
