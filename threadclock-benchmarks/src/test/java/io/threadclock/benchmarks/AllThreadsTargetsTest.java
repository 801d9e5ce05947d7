// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AllThreadsTargetsTest {
    private static final String IN_C =
            """
            {"rounds": 31, "rows": [
              {"name": "bare counter (rdtsc)", "ns": 11.00, "min": 10.00, "max": 15.00, "ratio": 1.000},
              {"name": "asleep: SCHED clock id", "ns": 210.0, "min": 200.0, "max": 300.0, "ratio": 20.0},
              {"name": "busy: SCHED clock id", "ns": 410.0, "min": 400.0, "max": 500.0, "ratio": 40.0}
            ]}
            """;

    @Test
    void areReachedIfBothWaysOfLoadingReachThem() {
        assertThat(target("17", reads(8000, 400, 390), "user time of another thread by id, asleep").verdict())
                .isEqualTo(Target.YES);
    }

    @Test
    void areMissedIfEitherWayOfLoadingMissesThem() {
        Target target = target("17", reads(8000, 400, 410), "user time of another thread by id, asleep");
        assertThat(target.reached()).isEqualTo("-agentpath 20× (20×–20×), attached 20× (20×–20×)");
        assertThat(target.verdict()).isEqualTo(Target.NO);
    }

    @Test
    void areOutOfReachWhereOneLookAtTheKernelTakesTooLong() {
        Target target = target("17", reads(7000, 400, 400), "user time of another thread by id, busy, stock");
        assertThat(target.bound()).as("7000 ns / 410 ns").isEqualTo("17×");
        assertThat(target.verdict()).isEqualTo(Target.OUT_OF_REACH);
    }

    @Test
    void wantCpuTimeNeverSlowerThanStock() {
        assertThat(target("17", reads(400, 399, 400), "CPU time of 1,000 threads").verdict()).isEqualTo(Target.YES);
        assertThat(target("17", reads(400, 399, 401), "CPU time of 1,000 threads").verdict()).isEqualTo(Target.NO);
    }

    @Test
    void wantHalfAMicrosecondAThread() {
        assertThat(target("17", reads(9000, 500, 400), "ns a thread").verdict()).isEqualTo(Target.YES);
        assertThat(target("17", reads(9000, 501, 400), "ns a thread").verdict()).isEqualTo(Target.NO);
    }

    @Test
    void wantNoGainInUserTimeFromJdksThatParseNothing() {
        assertThat(targets("26", reads(400, 400, 400)))
                .noneMatch(target -> target.quantity().matches(".*user time.*stock ÷ this.*"))
                .anyMatch(target -> target.quantity().matches(".*CPU time.*stock ÷ this.*"));
    }

    @Test
    void wantThreadsToStartAsFastAsWithoutTheAgent() {
        assertThat(target("17", starts(105, 105), "thread start + end").verdict()).isEqualTo(Target.YES);
        assertThat(target("17", starts(106, 100), "thread start + end").verdict()).isEqualTo(Target.NO);
        assertThat(target("17", starts(100, 106), "thread start + end").verdict()).isEqualTo(Target.NO);
    }

    @Test
    void wantYieldsAsFastAsBeforeOfTheAttachedAgentAlone() {
        MeasuredThreads yields = reads(400, 400, 400)
                .takes(Lifecycle.VIRTUAL_YIELD, Loading.STOCK, 100)
                .takes(Lifecycle.VIRTUAL_YIELD, Loading.AGENTPATH, 200)
                .takes(Lifecycle.VIRTUAL_YIELD, Loading.ATTACHED, 105);
        assertThat(target("21", yields, "yield").verdict()).isEqualTo(Target.YES);
    }

    @Test
    void saysNothingOfYieldsWhereThereAreNone() {
        assertThat(targets("17", reads(400, 400, 400))).noneMatch(target -> target.quantity().contains("yield"));
    }

    @Test
    void wantToAttachInHalfASecond() {
        assertThat(target("17", reads(400, 400, 400).attachesInMs(500), "attach").verdict()).isEqualTo(Target.YES);
        assertThat(target("17", reads(400, 400, 400).attachesInMs(501), "attach").verdict()).isEqualTo(Target.NO);
    }

    private static MeasuredThreads reads(double stockNs, double agentpathNs, double attachedNs) {
        return figures(stockNs, agentpathNs, attachedNs, 100, 100);
    }

    private static MeasuredThreads starts(double agentpathNs, double attachedNs) {
        return figures(400, 400, 400, agentpathNs, attachedNs);
    }

    /** A start takes stock 100 ns. */
    private static MeasuredThreads figures(
            double stockNs, double agentpathNs, double attachedNs, double startAgentpathNs, double startAttachedNs) {
        return new MeasuredThreads()
                .reads(Loading.STOCK, stockNs)
                .reads(Loading.AGENTPATH, agentpathNs)
                .reads(Loading.ATTACHED, attachedNs)
                .takes(Lifecycle.START_AND_END, Loading.STOCK, 100)
                .takes(Lifecycle.START_AND_END, Loading.AGENTPATH, startAgentpathNs)
                .takes(Lifecycle.START_AND_END, Loading.ATTACHED, startAttachedNs);
    }

    private static Target target(String version, MeasuredThreads threads, String quantity) {
        return targets(version, threads).stream()
                .filter(target -> target.quantity().contains(quantity))
                .findFirst()
                .orElseThrow();
    }

    private static List<Target> targets(String version, MeasuredThreads threads) {
        return new AllThreadsTargets(NativeBench.measurementIn(IN_C), threads.on(version)).targets();
    }
}
