// SPDX-License-Identifier: Apache-2.0
/**
 * The cost of threads: CPU, user and system time. Its native access has to be enabled on Java 24 and newer: {@code
 * --enable-native-access=io.threadclock}.
 */
module io.threadclock {
    requires static java.management; // for ThreadMXBeanBoost, and to fall back on ThreadMXBean

    exports io.threadclock;
}
