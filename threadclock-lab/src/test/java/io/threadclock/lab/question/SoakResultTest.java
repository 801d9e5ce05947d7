// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.question;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.program.Breaches.Breach;
import io.threadclock.lab.program.Breaches.Counts;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SoakResultTest {
    private static final long MB = 1 << 20;

    private final SoakResult result = new SoakResult("JDK 17", 8192);

    @Test
    void ofNothingHasNoFault() {
        assertThat(faults()).isEmpty();
    }

    @Test
    void takesDemotionsFromTheAgentsLastStatistics() {
        result.told(List.of(
                "threadclock: demotions 0, threads now 5, others' records 0",
                "other",
                "threadclock: demotions 2, threads now 5, others' records 0"));
        assertThat(faults()).isEqualTo(Map.of("demotions of a source", 2L));
    }

    @Test
    void looksAtRecordsOnlyWhereAllWereAtRest() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < 2 * SoakResult.Growth.FEWEST; i++) {
            result.detached(i % 2 == 1);
            lines.append("threadclock: demotions 0, threads now ")
                    .append(i % 2 == 1 ? 7 : 100 * i)
                    .append(", others' records 0\n");
        }
        result.told(lines.toString().lines().toList());
        assertThat(faults()).isEmpty();
    }

    @Test
    void findsRecordsThatStay() {
        StringBuilder lines = new StringBuilder();
        for (int i = 0; i < SoakResult.Growth.FEWEST; i++) {
            result.detached(true);
            lines.append("threadclock: demotions 0, threads now 1, others' records ")
                    .append(i)
                    .append('\n');
        }
        result.told(lines.toString().lines().toList());
        assertThat(faults()).isEqualTo(Map.of("more records", 3L));
    }

    @Test
    void findsWhatGrows() {
        for (int i = 0; i < SoakResult.Growth.FEWEST; i++) {
            result.looked(new ProcessLook(i, 2L * i, 3L * i, i * 4096L, i * 10 * MB));
        }
        assertThat(faults())
                .isEqualTo(Map.of(
                        "more open files", 3L,
                        "more threads", 6L,
                        "more mappings of the library's kinds", 9L,
                        "more memory of records, kB", 12L,
                        "more memory of the process, kB", 30 * MB / 1024));
    }

    @Test
    void excusesMemoryThatGrowsALittle() {
        for (int i = 0; i < SoakResult.Growth.FEWEST; i++) {
            result.looked(new ProcessLook(1, 1, 1, i * 2048L, i * 2 * MB));
        }
        assertThat(faults()).isEmpty();
    }

    @Test
    void countsRefusalsAndCrashes() {
        result.refused("attach ended with status 1");
        result.crashed("it ended");
        assertThat(faults()).isEqualTo(Map.of("attach or detach refused", 1L, "JVM crashes", 1L));
        assertThat(result.notes()).contains("attach ended with status 1", "it ended");
    }

    @Test
    void saysTheFirstOfEachBreachInWords() {
        result.counted(new Counts(9, 1, Map.of(Breach.EXCEPTION, 2L), Map.of(Breach.EXCEPTION, "worker-0: a b")), 100);
        assertThat(faults()).isEqualTo(Map.of("exceptions", 2L));
        assertThat(result.notes()).contains("exceptions: worker-0: a b");
    }

    @Test
    void growthIsWhatTheEndOfTheSecondHalfIsAboveItsBeginning() {
        assertThat(SoakResult.Growth.of(List.of(0L, 0L, 0L, 0L, 0L, 0L, 10L, 11L, 50L, 50L, 14L, 15L)))
                .isEqualTo(3);
    }

    @Test
    void growthIsFoundInWhatLeaksSlowly() {
        assertThat(SoakResult.Growth.of(
                        LongStream.range(0, 100).map(look -> look / 10).boxed().toList()))
                .isPositive();
    }

    @Test
    void growthIsNoneInTheFirstHalf() {
        assertThat(SoakResult.Growth.of(List.of(0L, 100L, 200L, 300L, 400L, 500L, 500L, 500L, 500L, 500L, 500L, 500L)))
                .isZero();
    }

    @Test
    void growthIsNoneInWhatGoesUpAndDown() {
        assertThat(SoakResult.Growth.of(List.of(1L, 9L, 1L, 9L, 1L, 9L, 1L, 9L, 1L, 9L, 1L, 9L)))
                .isZero();
    }

    @Test
    void growthIsNotToldByTooFewLooks() {
        assertThat(SoakResult.Growth.of(
                        LongStream.range(1, SoakResult.Growth.FEWEST).boxed().toList()))
                .isZero();
    }

    private Map<String, Long> faults() {
        return result.faults().entrySet().stream()
                .filter(fault -> fault.getValue() != 0)
                .collect(Collectors.toMap(Map.Entry::getKey, Map.Entry::getValue));
    }
}
