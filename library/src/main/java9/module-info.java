// SPDX-License-Identifier: Apache-2.0
/**
 * The cost of threads: CPU, user and system time. Its native access has to be enabled on Java 24 and newer:
 * {@code --enable-native-access=io.threadclock}.
 */
module io.threadclock {
    requires static java.logging; // to say that ThreadMXBean is read instead
    requires static org.jspecify; // annotations
    requires static java.management; // for ThreadMXBeanBoost, and to read ThreadMXBean instead

    exports io.threadclock;
    exports io.threadclock.diagnostics;
}
