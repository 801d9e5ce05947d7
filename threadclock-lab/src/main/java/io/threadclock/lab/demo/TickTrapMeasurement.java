// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import io.threadclock.lab.demo.message.TrapPhase;
import io.threadclock.harness.Jdk;
import java.util.List;
import java.util.Map;

/**
 * The tick trap on one JDK.
 *
 * @param byWay for each way to read user time, the phases of the tick in order
 */
record TickTrapMeasurement(Jdk jdk, long tickNs, Map<UserTimeWay, List<TrapPhase>> byWay) {}
