// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Starts processes between readings. Argument: how many. */
public final class ProcessProbe {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();
    private static final int STATUS = 7;

    private ProcessProbe() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int count = Integer.parseInt(arguments[0]);
        int asExpected = 0;
        int decreased = 0;
        long lastNs = THREADS.getCurrentThreadCpuTime();
        for (int i = 0; i < count; i++) {
            int status =
                    new ProcessBuilder("sh", "-c", "exit " + STATUS).start().waitFor();
            asExpected += status == STATUS ? 1 : 0;
            long nowNs = THREADS.getCurrentThreadCpuTime();
            decreased += nowNs < lastNs ? 1 : 0;
            lastNs = nowNs;
        }
        Fact.print("started", count);
        Fact.print("asExpected", asExpected);
        Fact.print("decreased", decreased);
    }
}
