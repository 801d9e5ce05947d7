// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ProgramsTest {
    @Test
    void aRequestIsTheSameAfterItsJourney() {
        Request request = new Request(Call.CPU_TIME, 60);
        assertThat(Request.parse(request.toString())).isEqualTo(request);
    }

    @Test
    void whatIsNoRequestIsRefused() {
        assertThatThrownBy(() -> Request.parse("CPU_TIME"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("CPU_TIME");
    }

    @Test
    void anAnswerIsToldFromOtherLines() {
        assertThat(Answer.in("answer 12.5")).contains("12.5");
        assertThat(Answer.in("OpenJDK 64-Bit Server VM warning: …")).isEmpty();
    }

    @Test
    void aHistogramIsTheSameAfterItsJourney() {
        Histogram histogram = TimedCalls.emptyHistogram();
        histogram.recordValueWithCount(42, 1000);
        histogram.recordValue(3_000_000_000L);
        assertThat(HistogramText.parse(HistogramText.of(histogram))).isEqualTo(histogram);
    }

    @Test
    void aLoopAnswersTheMeanOfOneCall() {
        double ns = ThreadMXBeanLoop.nsPerCall(new Request(Call.NANO_TIME, 5));
        assertThat(ns).as("ns of one System.nanoTime()").isBetween(1.0, 1_000_000.0);
    }

    @Test
    void everyThreadsCallsAreInTheHistogram() {
        Histogram histogram = ThreadMXBeanLatency.measure(4, new Request(Call.CPU_TIME, 5));
        assertThat(histogram.getTotalCount()).as("calls of 4 threads").isGreaterThanOrEqualTo(4);
    }
}
