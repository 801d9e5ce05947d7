// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.jmhrun;

import io.threadclock.lab.jmhrun.Task.Measure;
import java.util.List;
import org.openjdk.jmh.results.IterationResult;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.util.Statistics;

/** What came of one fork. */
record Outcome(Task task, RunResult result, List<String> agentLines) {
    private static final String BYTES_PER_OPERATION = "gc.alloc.rate.norm";

    /** The figures of its iterations: ns, or B, of one operation. */
    List<Double> figures() {
        return iterations().stream().map(this::figure).toList();
    }

    List<IterationResult> iterations() {
        return result.getBenchmarkResults().stream()
                .flatMap(fork -> fork.getIterationResults().stream())
                .toList();
    }

    /** All samples, in ns. */
    Statistics samples() {
        return result.getPrimaryResult().getStatistics();
    }

    private double figure(IterationResult iteration) {
        return task.measure() == Measure.ALLOCATION
                ? bytesPerOperation(iteration)
                : task.ns(scoresOfThreads(iteration));
    }

    private static double[] scoresOfThreads(IterationResult iteration) {
        return iteration.getRawPrimaryResults().stream()
                .mapToDouble(ofThread -> ofThread.getScore())
                .toArray();
    }

    private static double bytesPerOperation(IterationResult iteration) {
        Result<?> bytes = iteration.getSecondaryResults().get(BYTES_PER_OPERATION);
        if (bytes == null) {
            throw new IllegalStateException("JMH's gc profiler has not said " + BYTES_PER_OPERATION);
        }
        return bytes.getScore();
    }
}
