// SPDX-License-Identifier: Apache-2.0
/**
 * User and system time of thread pools, of tasks and of the process as Micrometer's meters, and the health of the clock
 * that tells them. {@link io.threadclock.micrometer.ThreadClockMetrics} binds all that needs no change of the program;
 * {@link io.threadclock.micrometer.ThreadClockMeter} lists the meters.
 */
package io.threadclock.micrometer;
