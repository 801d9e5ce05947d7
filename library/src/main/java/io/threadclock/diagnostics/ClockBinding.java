// SPDX-License-Identifier: Apache-2.0
package io.threadclock.diagnostics;

/**
 * How Java code reaches the native clock. Both return the same figures, at different cost (docs/benchmarks.md).
 *
 * @since 0.1
 */
public enum ClockBinding {
    /** The Java Native Interface: on Java 8 to 21, and where native access is not enabled. */
    JNI,
    /** The foreign function interface, on Java 22 and newer, where native access is enabled for this library. */
    FFM,
    /** None: the clock is not supported here, and the JDK's own {@code ThreadMXBean} is read. */
    NONE
}
