// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Results;
import java.util.List;
import java.util.Optional;

/**
 * How far each reader was from the truth in each workload, as the accuracy laboratory has measured it.
 *
 * @param over what one error is of: an {@link ErrorWindow}, or {@link #TRUTH} or {@link #PERIOD}
 */
public record Errors(Results results, String over) {
    /** The laboratory's own statement about the workload. */
    static final String TRUTH = "truth";
    /** The work between two changes of the split, where splits take turns. */
    static final String PERIOD = "period";

    /** User time, in percentage points of the CPU time. */
    static final String USER = "user";
    /** CPU time, in ns against the kernel's clock. */
    static final String CPU = "cpu";
    /** Run-queue delay of a thread that never sleeps, in % of its wall time. */
    static final String WAIT = "wait";
    /** How many % more CPU time the same work takes than it was calibrated to. */
    static final String COST = "cost";
    /** How many % more it takes than with the split kernel in the same round. */
    static final String MORE = "more";
    /** The true user share, in % of the CPU time. */
    static final String USER_SHARE = "user-share";

    static final String P95 = "p95";
    static final String MEDIAN = "median";
    static final String SPREAD = "spread";

    List<Measurement> all() {
        return results.of(benchmark());
    }

    /** In the order in which they were measured. */
    List<String> workloads() {
        return results.each(benchmark(), Subject::workload);
    }

    /** In the order in which they were measured, over all workloads. */
    List<String> readers() {
        return results.each(benchmark(), Subject::contender);
    }

    Optional<Double> find(String workload, String reader, String quantity, String statistic) {
        return results.find(new Subject(benchmark(), "", reader, quantity, null, workload))
                .flatMap(error -> error.statistic(statistic));
    }

    private String benchmark() {
        return Benchmarks.ACCURACY + over;
    }

    /** The window of one error. */
    public enum ErrorWindow {
        SECOND("1s", "over 1 s of CPU time"),
        TEN_MILLISECONDS("10ms", "over 10 ms of CPU time"),
        REQUEST("request", "per request of 2 ms"),
        THREAD("thread", "per thread that lives 1 to 5 ms"),
        WALL("100ms", "over 100 ms of wall time");

        private final String over;
        private final String words;

        ErrorWindow(String over, String words) {
            this.over = over;
            this.words = words;
        }

        /** The laboratory's name for it. */
        public String over() {
            return over;
        }

        public String words() {
            return words;
        }
    }
}
