// SPDX-License-Identifier: Apache-2.0
/**
 * Events of the JDK's flight recorder: {@code threadclock.ThreadCpu}, what each thread costs, from {@link
 * io.threadclock.jfr.ThreadCpuEvents}; and {@code threadclock.Span}, what a piece of work has cost, from {@link
 * io.threadclock.jfr.SpanStopwatch}.
 */
package io.threadclock.jfr;
