// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import io.threadclock.lab.program.LivesOfThreads.Work;
import io.threadclock.lab.program.OwnTime.Call;
import io.threadclock.lab.program.Population.Deed;
import io.threadclock.lab.program.TimeOfAnother.Neighbour;
import io.threadclock.lab.program.TimesOfMany.Way;
import java.util.EnumSet;
import java.util.List;
import org.HdrHistogram.Histogram;
import org.junit.jupiter.api.Test;

class ProgramsTest {
    /** The loops last 5 ms: the only call of one may have to wait for the CPU. */
    private static final double MOST_NS = 1e10;

    @Test
    void aHistogramIsTheSameAfterItsJourney() {
        Histogram histogram = new Histogram(3);
        histogram.recordValueWithCount(42, 1000);
        histogram.recordValue(3_000_000_000L);
        assertThat(HistogramText.parse(HistogramText.of(histogram))).isEqualTo(histogram);
    }

    @Test
    void aLoopAnswersTheMeanOfOneCall() {
        for (Call call : Call.values()) {
            double ns = OwnTime.nsPerCall(new OwnTime.Request(call, 5));
            assertThat(ns).as("ns of one " + call).isBetween(0.01, MOST_NS);
        }
    }

    @Test
    void aNeighbourIsReadWhetherItSleepsOrSpins() {
        TimeOfAnother loop = new TimeOfAnother();
        for (Neighbour neighbour : Neighbour.values()) {
            double ns = loop.nsPerCall(new TimeOfAnother.Request(false, neighbour, 5));
            assertThat(ns).as("ns of one call, " + neighbour).isBetween(1.0, MOST_NS);
        }
    }

    @Test
    void anArrayOfThreadsGrowsAsItIsAskedTo() {
        TimesOfMany arrays = new TimesOfMany();
        for (int threads : new int[] {3, 60}) {
            double ns = arrays.nsPerCall(new TimesOfMany.Request(Way.USER_TIME, threads, 5));
            assertThat(ns).as("ns of a call for " + threads).isBetween(1.0 * threads, MOST_NS);
        }
    }

    @Test
    void aSnapshotHasAllOfTheThreads() {
        assumeTrue(ThreadClock.isSupported(), "the library's jar has no native library for this machine");
        TimesOfMany snapshots = new TimesOfMany();
        for (int threads : new int[] {3, 60}) {
            double ns = snapshots.nsPerCall(new TimesOfMany.Request(Way.SNAPSHOT, threads, 5));
            assertThat(ns).as("ns of a snapshot of " + threads).isBetween(100.0, MOST_NS);
        }
    }

    @Test
    void aThreadsStartAndEndTakeTime() {
        double ns = LivesOfThreads.ns(new LivesOfThreads.Request(Work.START_AND_JOIN, false, 5));
        assertThat(ns).as("ns of start and join").isGreaterThan(100);
    }

    @Test
    void virtualThreadsTakeTimeWithAccountsAndWithout() {
        assumeTrue(VirtualThreads.areAccountable(), VirtualThreads.explanation());
        for (Work work : EnumSet.complementOf(EnumSet.of(Work.START_AND_JOIN))) {
            for (boolean isAccounted : List.of(false, true)) {
                double ns = LivesOfThreads.ns(new LivesOfThreads.Request(work, isAccounted, 5));
                assertThat(ns)
                        .as("ns of " + work + ", accounted: " + isAccounted)
                        .isPositive();
            }
        }
    }

    @Test
    void aUnitsAccountIsNoMoreThanItsCarriersCpuTime() {
        assumeTrue(VirtualThreads.areAccountable(), VirtualThreads.explanation());
        MountedUnits.Cost cost = MountedUnits.cost(new MountedUnits.Request(5));
        assertThat(cost.account()).as("ns by the account").isPositive().isLessThanOrEqualTo(cost.carriers());
        assertThat(cost.mounted()).as("ns of mounted wall time").isPositive();
    }

    @Test
    void aPopulationIsThereWhenItAnswers() {
        Population population = new Population();
        assertThat(population.increase(new Population.Request(Deed.NOTHING, 1))).isEqualTo(1);
        assertThat(population.increase(new Population.Request(Deed.READS_ITSELF, 3)))
                .isEqualTo(3);
        assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("population"))
                .hasSize(3);
    }

    @Test
    void theClocksFactsAreItsSourceAndItsBinding() {
        assumeTrue(ThreadClock.isSupported(), "the library's jar has no native library for this machine");
        assertThat(ClockFacts.ofThisJvm().source()).matches("rseq|perf|clock");
        assertThat(ClockFacts.ofThisJvm().binding()).matches("JNI|FFM");
    }

    @Test
    void everyThreadsCallsAreInTheHistogram() {
        Histogram histogram = OwnTimeOnManyThreads.measure(new OwnTimeOnManyThreads.Request(Call.CPU_TIME, 4, 5));
        assertThat(histogram.getTotalCount()).as("calls of 4 threads").isGreaterThanOrEqualTo(4);
    }
}
