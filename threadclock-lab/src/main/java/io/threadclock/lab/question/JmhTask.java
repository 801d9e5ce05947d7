// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import io.threadclock.harness.Spread;
import io.threadclock.lab.contender.Contender;
import io.threadclock.lab.results.Measurement.Subject;
import org.openjdk.jmh.annotations.Mode;

/**
 * One figure to be measured.
 *
 * @param benchmark class and method, as in {@code OneRead.rdtsc}
 * @param depth of nesting: for a benchmark that has this parameter, else 1; the score is of all of them
 */
record JmhTask(Subject subject, Measure measure, String benchmark, Contender contender, int threads, int depth) {
    private static final String NESTING = "StopwatchNesting.";

    /** What JMH is asked for. */
    enum Measure {
        MEAN_TIME(Mode.AverageTime),
        TIME_OF_SAMPLES(Mode.SampleTime),
        ALLOCATION(Mode.AverageTime);

        private final Mode mode;

        Measure(Mode mode) {
            this.mode = mode;
        }

        Mode mode() {
            return mode;
        }
    }

    /**
     * The time of one operation, from the means of all threads: the median of those. Where threads are more than the
     * CPUs, their mean is led by the one that hardly ran, and what all get done by the one that began last and seems
     * fast.
     */
    double ns(double... scores) {
        return Spread.of(scores).median() / depth;
    }

    /** For who waits. */
    String label() {
        String parameter =
                subject.parameter() == null ? "" : ", " + subject.parameter().intValue();
        return subject.contender() + ", " + subject.quantity() + parameter;
    }

    boolean isControl() {
        return subject.quantity().equals(AllocationCheck.CONTROL);
    }

    boolean isNested() {
        return benchmark.startsWith(NESTING);
    }
}
