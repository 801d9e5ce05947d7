// SPDX-License-Identifier: Apache-2.0
/** The cost of threads as Micrometer's meters. */
module io.threadclock.micrometer {
    requires transitive io.threadclock;
    requires transitive micrometer.core;
    requires static micrometer.tracing; // for CpuSpanHandler
    requires static org.aspectj.runtime; // for CpuTimedAspect

    exports io.threadclock.micrometer;

    opens io.threadclock.micrometer; // the dashboard and the alerts
}
