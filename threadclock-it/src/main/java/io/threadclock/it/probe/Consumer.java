// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/** What a library that asks for thread times prints, without the figures, and what it takes to do so. */
final class Consumer {
    /** With the blanks that align it, and the unit where that goes by its size; the sign of -1 stays. */
    private static final Pattern FIGURE = Pattern.compile(" *\\d+(\\.\\d+)?([kmg](?=b/s)|(ns|us|ms|s)\\b)?");

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final int WARM_UP_BATCHES = 2;
    /** Until compilers have nothing more to do, whose time is the process's. */
    private static final int WARM_UP_BATCHES_OF_PROCESS = 6;

    private static final int BATCHES = 4;
    private static final long BATCH_NS = TimeUnit.MILLISECONDS.toNanos(60);
    /** A look costs about as much as a call of the cheapest. */
    private static final int CALLS_BETWEEN_LOOKS = 20;

    private Consumer() {}

    /** The lines of {@code text} that match {@code wanted}, without the figures. */
    static void printShape(String text, String wanted) {
        int count = 0;
        for (String line : text.split("\\R")) {
            if (line.matches(wanted)) {
                Fact.print(
                        "line." + count++, FIGURE.matcher(line).replaceAll("#").replaceAll(" +", " "));
            }
        }
        Fact.print("lines", count);
    }

    /** Of calls whose work is done by the calling thread. */
    static void printCost(Callable<?> call) throws Exception {
        printCost(call, KernelAccount::cpuNs, WARM_UP_BATCHES);
    }

    /** Of calls that other threads of this process have a part in. */
    static void printCostOfProcess(Callable<?> call) throws Exception {
        printCost(call, PROCESS::getProcessCpuTime, WARM_UP_BATCHES_OF_PROCESS);
    }

    /** The least of several batches. In CPU time, which other programs on the machine leave as it is. */
    private static void printCost(Callable<?> call, LongSupplier cpuNs, int warmUpBatches) throws Exception {
        long leastNs = Long.MAX_VALUE;
        for (int batch = -warmUpBatches; batch < BATCHES; batch++) {
            long nsPerCall = nsPerCall(call, cpuNs);
            leastNs = batch < 0 ? leastNs : Math.min(leastNs, nsPerCall);
        }
        Fact.print("nsPerCall", leastNs);
    }

    private static long nsPerCall(Callable<?> call, LongSupplier cpuNs) throws Exception {
        long calls = 0;
        long beginNs = cpuNs.getAsLong();
        long usedNs = 0;
        while (usedNs < BATCH_NS) {
            for (int i = 0; i < CALLS_BETWEEN_LOOKS; i++) {
                call.call();
            }
            calls += CALLS_BETWEEN_LOOKS;
            usedNs = cpuNs.getAsLong() - beginNs;
        }
        return usedNs / calls;
    }
}
