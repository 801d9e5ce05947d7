// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

/**
 * A time in which a JVM had to wait, because its control group had used up its CPU quota.
 *
 * @param beginUs since 1970
 * @param endUs since 1970
 * @param milliCpus the quota, in thousandths of a CPU
 * @param periods those of the quota in that time in which the group wanted to run
 * @param throttledPeriods those of them in which it had to wait
 * @param throttledNs for how long it had to, added up over the CPUs
 */
public record Throttling(
        JvmName jvm, long beginUs, long endUs, int milliCpus, long periods, long throttledPeriods, long throttledNs) {}
