// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.Callable;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.regex.Pattern;

/** The output of a library that asks for thread times, without the numbers, and its cost. */
final class Consumer {
    /** A number with the blanks that align it, and the unit if that depends on its size; the sign of -1 stays. */
    private static final Pattern FIGURE = Pattern.compile(" *\\d+(\\.\\d+)?([kmg](?=b/s)|(ns|us|ms|s)\\b)?");

    private static final OperatingSystemMXBean PROCESS =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    private static final int WARM_UP_BATCHES = 2;
    /** Until the compilers, whose time belongs to the process, have nothing more to do. */
    private static final int WARM_UP_BATCHES_OF_PROCESS = 6;

    private static final int BATCHES = 4;
    private static final long BATCH_NS = TimeUnit.MILLISECONDS.toNanos(60);
    /** A look costs about as much as a call of the cheapest library. */
    private static final int CALLS_BETWEEN_LOOKS = 20;

    /** The property that asks for the cost, which takes long. */
    private static final String COST = "threadclock.it.cost";

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

    /** Prints the cost of calls whose work the calling thread does. */
    static void printCost(Callable<?> call) throws Exception {
        printCost(call, KernelAccount::cpuNs, WARM_UP_BATCHES);
    }

    /** Prints the cost of calls to which other threads of this process contribute. */
    static void printCostOfProcess(Callable<?> call) throws Exception {
        printCost(call, PROCESS::getProcessCpuTime, WARM_UP_BATCHES_OF_PROCESS);
    }

    /** Takes the least of several batches, in CPU time, which other programs on the machine do not change. */
    private static void printCost(Callable<?> call, LongSupplier cpuNs, int warmUpBatches) throws Exception {
        if (!Boolean.getBoolean(COST)) {
            return;
        }
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
