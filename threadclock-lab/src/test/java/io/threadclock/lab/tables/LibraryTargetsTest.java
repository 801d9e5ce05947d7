// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.results.Benchmarks;
import org.junit.jupiter.api.Test;

class LibraryTargetsTest {
    @Test
    void want1Point6TimesTheCounterByFfmFrom22On() {
        assertThat(average("22.0.1", "library FFM user time", 16).verdict()).isEqualTo(Target.YES);
        assertThat(average("22.0.1", "library FFM user time", 16.1).verdict()).isEqualTo(Target.NO);
    }

    @Test
    void want2Point2TimesTheCounterByJniBefore() {
        assertThat(average("21.0.1", "library JNI user time", 22).verdict()).isEqualTo(Target.YES);
        assertThat(average("21.0.1", "library JNI user time", 22.1).verdict()).isEqualTo(Target.NO);
    }

    @Test
    void takeNoJniForFfm() {
        assertThat(targetOf(jmh("25", "library JNI user time", 10), "user time").verdict())
                .isEqualTo(Target.NOT_MEASURED);
    }

    @Test
    void wantTheBeanInATenthMoreThanTheCounterByJni() {
        assertThat(bean(11).verdict()).isEqualTo(Target.YES);
        assertThat(bean(11.1).verdict()).isEqualTo(Target.NO);
        assertThat(bean(11.1).reached()).startsWith("1.11×");
    }

    @Test
    void sayWhereTheArithmeticAloneTakesMore() {
        Target beyond = targetOf(
                beanAndCounter(11.3).figure(Benchmarks.JMH_AVERAGE, "17", "rdtsc as user time", "one read", null, 11.2),
                "ThreadMXBean's");
        assertThat(beyond.verdict()).isEqualTo(Target.OUT_OF_REACH);
        assertThat(beyond.bound()).isEqualTo("1.12×");
    }

    @Test
    void wantAStopwatchIn3Point5TimesTheCounter() {
        assertThat(average("17", "library JNI stopwatch", 35).verdict()).isEqualTo(Target.YES);
        assertThat(average("17", "library JNI stopwatch", 35.1).verdict()).isEqualTo(Target.NO);
    }

    @Test
    void wantASnapshotOfAThousandThreadsInSixTenthsOfAMillisecond() {
        assertThat(snapshot(0.6).verdict()).isEqualTo(Target.YES);
        assertThat(snapshot(0.61).verdict()).isEqualTo(Target.NO);
        assertThat(snapshot(0.61).reached()).isEqualTo("0.610 (0.610–0.610)");
    }

    @Test
    void wantNothingAllocatedOnAnyPath() {
        assertThat(allocation(0.0001, 0).verdict()).isEqualTo(Target.YES);
        assertThat(allocation(0, 16).verdict()).isEqualTo(Target.NO);
        assertThat(allocation(0, 16).reached()).isEqualTo("16.0");
    }

    private static Target average(String jdk, String contender, double ns) {
        return targetOf(jmh(jdk, contender, ns), contender.substring(contender.indexOf(' ')));
    }

    private static Target bean(double ns) {
        return targetOf(beanAndCounter(ns), "ThreadMXBean's");
    }

    private static MadeUpRun beanAndCounter(double beanNs) {
        return jmh("17", "threadclock user time", beanNs)
                .figure(Benchmarks.JMH_AVERAGE, "17", "rdtsc", "one read", null, 10);
    }

    private static MadeUpRun jmh(String jdk, String contender, double ns) {
        return new MadeUpRun(jdk).figure(Benchmarks.JMH_AVERAGE, jdk, contender, "user time", null, ns);
    }

    private static Target snapshot(double ms) {
        MadeUpRun run = new MadeUpRun("17")
                .figure(Benchmarks.SNAPSHOT, "17", "library", "snapshot", 10.0, 9)
                .figure(Benchmarks.SNAPSHOT, "17", "library", "snapshot", 1000.0, ms);
        return targetOf(run, "snapshot");
    }

    private static Target allocation(double stockBytes, double libraryBytes) {
        MadeUpRun run = new MadeUpRun("17")
                .figure(Benchmarks.JMH_ALLOCATION, "17", "stock user time", "user time", null, stockBytes)
                .figure(Benchmarks.JMH_ALLOCATION, "17", "library JNI user time", "user time", null, libraryBytes);
        return targetOf(run, "allocated");
    }

    private static Target targetOf(MadeUpRun run, String quantity) {
        return new LibraryTargets(run.results())
                .targets().stream()
                        .filter(target -> target.quantity().contains(quantity))
                        .findFirst()
                        .orElseThrow();
    }
}
