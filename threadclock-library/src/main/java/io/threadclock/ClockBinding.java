// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/** How Java code reaches the native clock. The figures are the same; their price is not (docs/benchmarks.md). */
public enum ClockBinding {
    /** The Java Native Interface: on Java 8 to 21, and where the next one may not be used. */
    JNI,
    /** The foreign function interface, on Java 22 and newer, where native access is enabled for this library. */
    FFM
}
