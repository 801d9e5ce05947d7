// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

/** Does what ttop of Swiss Java Knife does: reads the times of all threads by array, through a JMX connector. */
public final class SjkProbe {
    private static final int THREADS = 50;

    private SjkProbe() {}

    @SuppressWarnings("try") // the threads only have to be there
    public static void main(String[] arguments) throws Exception {
        try (ManyParked threads = new ManyParked(THREADS);
                LocalConnector connector = new LocalConnector()) {
            Foreign reporter = Foreign.create("org.gridkit.jvmtool.MBeanCpuUsageReporter", connector.connection());
            reporter.call("sortByThreadName");
            reporter.call("setTopLimit", 2 * THREADS);
            reporter.call("report");
            Consumer.printShape(withoutSigns((String) reporter.call("report")), ".*(watched|main|cpu=).*");
            Consumer.printCostOfProcess(() -> reporter.call("report"));
        }
    }

    /** It takes user time from a CPU time that it has read before: the difference may be just below zero. */
    private static String withoutSigns(String report) {
        return report.replaceAll("= *-(?=[0-9.]+%)", "=");
    }
}
