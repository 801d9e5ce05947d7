// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ProgramsTest {
    @Test
    void aRequestIsTheSameAfterItsJourney() {
        Request request = new Request(Call.CPU_TIME, 60);
        assertThat(Request.parse(request.toString())).isEqualTo(request);
    }

    @Test
    void aRequestAboutOthersIsTheSameAfterItsJourney() {
        NeighbourRequest byId = new NeighbourRequest(Quantity.USER_TIME, Neighbour.BUSY_READING, 60);
        ArrayRequest array = new ArrayRequest(Quantity.CPU_TIME, 1000, 60);
        assertThat(NeighbourRequest.parse(byId.toString())).isEqualTo(byId);
        assertThat(ArrayRequest.parse(array.toString())).isEqualTo(array);
        SnapshotRequest snapshot = new SnapshotRequest(1000, 60);
        assertThat(SnapshotRequest.parse(snapshot.toString())).isEqualTo(snapshot);
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
    void aNeighbourIsReadWhetherItSleepsOrSpins() {
        NeighbourLoop loop = new NeighbourLoop();
        for (Neighbour neighbour : Neighbour.values()) {
            double ns = loop.nsPerCall(new NeighbourRequest(Quantity.CPU_TIME, neighbour, 5));
            assertThat(ns).as("ns of one call, " + neighbour).isBetween(1.0, 10_000_000.0);
        }
    }

    @Test
    void anArrayOfThreadsGrowsAsItIsAskedTo() {
        ThreadArrays arrays = new ThreadArrays();
        for (int threads : new int[] {3, 60}) {
            double ns = arrays.nsPerThread(new ArrayRequest(Quantity.USER_TIME, threads, 5));
            assertThat(ns).as("ns a thread, of " + threads).isBetween(1.0, 10_000_000.0);
        }
    }

    @Test
    void aThreadStartAndAYieldTakeTime() {
        assertThat(ThreadStarts.nsPerThread(5)).as("ns of start and join").isGreaterThan(100);
        assertThat(VirtualYields.nsPerYield(5)).as("ns of a yield").isPositive();
    }

    @Test
    void virtualThreadsTakeTimeWithAccountsAndWithout() {
        assumeTrue(VirtualThreads.areAccountable(), VirtualThreads.explanation());
        for (VirtualAccounts.Work work : VirtualAccounts.Work.values()) {
            assertThat(VirtualAccounts.nsOf(work, false, 5)).as("ns of " + work).isPositive();
            assertThat(VirtualAccounts.nsOf(work, true, 5)).as("ns of " + work + ", accounted").isPositive();
        }
    }

    @Test
    void sleepingThreadsAreThereWhenItAnswers() {
        assertThat(SleepingThreads.start(3)).isEqualTo(3);
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("sleeping"))
                .hasSize(3);
    }

    @Test
    void aSnapshotHasAllOfTheThreads() {
        assumeTrue(ThreadClock.isSupported(), "the library's jar has no native library for this machine");
        Snapshots snapshots = new Snapshots();
        for (int threads : new int[] {3, 60}) {
            double ms = snapshots.msOfOne(new SnapshotRequest(threads, 5));
            assertThat(ms).as("ms of a snapshot of " + threads).isBetween(0.0001, 1000.0);
        }
    }

    @Test
    void theClocksFactsAreItsSourceAndItsBinding() {
        assumeTrue(ThreadClock.isSupported(), "the library's jar has no native library for this machine");
        assertThat(ClockFacts.facts()).matches("(rseq|perf|clock) (JNI|FFM)");
    }

    @Test
    void everyThreadsCallsAreInTheHistogram() {
        Histogram histogram = ThreadMXBeanLatency.measure(4, new Request(Call.CPU_TIME, 5));
        assertThat(histogram.getTotalCount()).as("calls of 4 threads").isGreaterThanOrEqualTo(4);
    }
}
