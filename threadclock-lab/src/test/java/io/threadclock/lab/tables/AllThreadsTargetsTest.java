// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AllThreadsTargetsTest {
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
        assertThat(targets("26", reads("26", 400, 400, 400)))
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
        MadeUpRun yields = reads("21", 400, 400, 400).lifecycle("21", "virtual thread's yield", 100, 200, 105);
        assertThat(target("21", yields, "yield").verdict()).isEqualTo(Target.YES);
    }

    @Test
    void saysNothingOfYieldsWhereThereAreNone() {
        assertThat(targets("17", reads(400, 400, 400))).noneMatch(target -> target.quantity().contains("yield"));
    }

    @Test
    void wantToAttachInHalfASecond() {
        assertThat(target("17", attaches(500), "attach").verdict()).isEqualTo(Target.YES);
        assertThat(target("17", attaches(501), "attach").verdict()).isEqualTo(Target.NO);
    }

    private static MadeUpRun reads(double stockNs, double agentpathNs, double attachedNs) {
        return reads("17", stockNs, agentpathNs, attachedNs);
    }

    private static MadeUpRun reads(String jdk, double stockNs, double agentpathNs, double attachedNs) {
        return figures(jdk, 100, 100, 40).others(jdk, stockNs, agentpathNs, attachedNs);
    }

    private static MadeUpRun starts(double agentpathNs, double attachedNs) {
        return figures("17", agentpathNs, attachedNs, 40).others("17", 400, 400, 400);
    }

    private static MadeUpRun attaches(double ms) {
        return figures("17", 100, 100, ms).others("17", 400, 400, 400);
    }

    /** A start takes stock 100 ns. */
    private static MadeUpRun figures(String jdk, double startAgentpathNs, double startAttachedNs, double attachMs) {
        return new MadeUpRun(jdk)
                .lifecycle(jdk, "thread start + end", 100, startAgentpathNs, startAttachedNs)
                .attach(jdk, attachMs);
    }

    private static Target target(String version, MadeUpRun run, String quantity) {
        return targets(version, run).stream()
                .filter(target -> target.quantity().contains(quantity))
                .findFirst()
                .orElseThrow();
    }

    private static List<Target> targets(String version, MadeUpRun run) {
        return new AllThreadsTargets(run.results(), version).targets();
    }
}
