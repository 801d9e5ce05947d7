// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.harness.Spread;

/**
 * How many ms it takes to attach.
 *
 * @param toFewMs after the JVM had accepted the client, in a JVM with no threads but its own
 * @param toManyMs the same in one with {@link AttachRun#MANY_THREADS}
 * @param byCommandMs what the attach command says that it took, the JVM's accepting included, with as many
 */
record AttachMeasurement(Spread toFewMs, Spread toManyMs, Spread byCommandMs) {}
