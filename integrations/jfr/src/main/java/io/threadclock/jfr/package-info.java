// SPDX-License-Identifier: Apache-2.0
/**
 * Events of the JDK's flight recorder: {@code threadclock.ThreadCpu} from {@link io.threadclock.jfr.ThreadCpuEvents}
 * has the cost of each thread, and {@code threadclock.JvmCpu} that of the JVM's own; {@code threadclock.Span} from
 * {@link io.threadclock.jfr.CpuSpan} has the cost of a piece of work on all its threads.
 */
@NullMarked
package io.threadclock.jfr;

import org.jspecify.annotations.NullMarked;
