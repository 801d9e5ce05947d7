// SPDX-License-Identifier: Apache-2.0
/** The cost of threads as events of the JDK's flight recorder. */
module io.threadclock.jfr {
    requires transitive io.threadclock;
    requires static org.jspecify; // annotations
    requires jdk.jfr;

    exports io.threadclock.jfr;
}
