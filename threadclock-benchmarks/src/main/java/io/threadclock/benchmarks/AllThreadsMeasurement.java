// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import io.threadclock.harness.Jdk;

/**
 * What was measured on one JDK about other threads than the calling one.
 *
 * @param byId ns of a call
 * @param arrays ns of a call for each thread in the array
 * @param lifecycles ns of what the agent is not asked for; yields on JDKs that have virtual threads
 */
record AllThreadsMeasurement(
        Jdk jdk,
        Rounds<NeighbourReading> byId,
        Rounds<ArrayReading> arrays,
        Rounds<Lifecycle> lifecycles,
        AttachMeasurement attach) {}
