// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import static io.threadclock.lab.report.Goals.Verdict.MISSED;
import static io.threadclock.lab.report.Goals.Verdict.NOT_MEASURED;
import static io.threadclock.lab.report.Goals.Verdict.OUT_OF_REACH;
import static io.threadclock.lab.report.Goals.Verdict.REACHED;
import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.program.LivesOfThreads.Work;
import io.threadclock.lab.question.ThreadLives;
import io.threadclock.lab.report.Goals.Goal;
import io.threadclock.lab.report.Goals.Verdict;
import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Contest;
import io.threadclock.lab.results.Results;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoalsTest {
    @ParameterizedTest
    @CsvSource({"12, REACHED", "20, MISSED"})
    void wantUserTimeSevenHundredTimesFaster(double ns, Verdict verdict) {
        assertThat(goal(loop("17.0.15", 9000, ns), "user time, stock").verdict())
                .isEqualTo(verdict);
    }

    @Test
    void sayWhatNoClockCouldReachHere() {
        Goal goal = goal(loop("17.0.15", 4000, 10), "user time, stock");
        assertThat(goal.reached()).isEqualTo("400× (400×–400×)");
        assertThat(goal.bound()).isEqualTo("400×");
        assertThat(goal.verdict()).isEqualTo(OUT_OF_REACH);
    }

    @Test
    void boundTheSourceOfSystemCallsByASystemCall() {
        assertThat(goal(loop("17.0.15", 4000, 10), "source=clock").bound()).isEqualTo("20×");
    }

    @Test
    void areMissedByAThousandth() {
        assertThat(goal(loop("17.0.15", 9000, 12), "source rseq").verdict()).isEqualTo(MISSED);
    }

    @Test
    void boundManyThreadsByTheirWaitForOneAnother() {
        Goal goal = goal(loop("17.0.15", 9000, 12), "mean less timer");
        assertThat(goal.bound()).as("980 ns / (10 ns x 16 threads / 2 CPUs)").isEqualTo("12×");
    }

    @Test
    void sayWhatWasNotMeasured() {
        assertThat(goal(loop("17.0.15", 9000, 12), "source perf").verdict()).isEqualTo(NOT_MEASURED);
    }

    @Test
    void wantNothingOfJdksThatParseNothing() {
        assertThat(goals(loop("26.0.2", 240, 12)))
                .noneMatch(goal -> goal.quantity().contains("JDK 26"));
    }

    @Test
    void nameThePercentilesAtWhichManyThreadsAreNotBetter() {
        Goal goal = goal(loop("17.0.15", 9000, 12), "p50 to p99.99");
        assertThat(goal.reached()).startsWith("not better at p50, p90");
        assertThat(goal.verdict()).isEqualTo(MISSED);
    }

    /** Stock takes so many ns, and so do both ways of loading. */
    @ParameterizedTest
    @CsvSource({
        "17, 8000, 400, 390, 'user time of another thread by id, asleep, -agentpath', REACHED",
        "17, 8000, 400, 410, 'user time of another thread by id, asleep, -agentpath', REACHED",
        "17, 8000, 400, 410, 'user time of another thread by id, asleep, attached', MISSED",
        "17, 7000, 400, 400, 'user time of another thread by id, busy, attached', OUT_OF_REACH",
        "17, 400, 399, 400, 'CPU time of 1,000 threads in one call, attached', REACHED",
        "17, 400, 399, 401, 'CPU time of 1,000 threads in one call, attached', MISSED",
        "17, 9000, 500, 400, '-agentpath, ns a thread', REACHED",
        "17, 9000, 501, 400, '-agentpath, ns a thread', MISSED"
    })
    void areHeldAgainstEachWayOfLoading(
            String jdk, double stockNs, double agentpathNs, double attachedNs, String quantity, Verdict verdict) {
        assertThat(goal(new MadeUpRun(jdk).others(jdk, stockNs, agentpathNs, attachedNs), quantity)
                        .verdict())
                .isEqualTo(verdict);
    }

    @Test
    void wantNoGainInUserTimeFromJdksThatParseNothing() {
        assertThat(goals(new MadeUpRun("26").others("26", 400, 400, 400)))
                .noneMatch(goal -> goal.quantity().matches(".*user time.*stock ÷ this.*"))
                .anyMatch(goal -> goal.quantity().matches(".*CPU time.*stock ÷ this.*"));
    }

    @ParameterizedTest
    @CsvSource({"105, 105, REACHED, REACHED", "106, 100, MISSED, REACHED", "100, 106, REACHED, MISSED"})
    void wantThreadsToStartAsFastAsWithoutTheAgent(
            double agentpathNs, double attachedNs, Verdict agentpath, Verdict attached) {
        MadeUpRun run = reads("17").lifecycle("17", "thread start + end", 100, agentpathNs, attachedNs);
        assertThat(goal(run, "thread start + end, -agentpath").verdict()).isEqualTo(agentpath);
        assertThat(goal(run, "thread start + end, attached").verdict()).isEqualTo(attached);
    }

    @Test
    void wantYieldsAsFastAsBeforeOfTheAttachedAgentAlone() {
        MadeUpRun yields = reads("21").lifecycle("21", "virtual thread's yield", 100, 200, 105);
        assertThat(goals(yields).stream().filter(goal -> goal.quantity().contains("yield")))
                .extracting(Goal::verdict)
                .containsExactly(REACHED);
        assertThat(goals(reads("17"))).noneMatch(goal -> goal.quantity().contains("yield"));
    }

    @ParameterizedTest
    @CsvSource({"500, REACHED", "501, MISSED"})
    void wantToAttachInHalfASecond(double ms, Verdict verdict) {
        assertThat(goal(reads("17").attach("17", ms), "attach to a JVM").verdict())
                .isEqualTo(verdict);
    }

    /** The counter in C takes 10 ns. FFM is there from 22 on. */
    @ParameterizedTest
    @CsvSource({
        "22.0.1, library FFM user time, 16, REACHED",
        "22.0.1, library FFM user time, 16.1, MISSED",
        "21.0.1, library JNI user time, 22, REACHED",
        "21.0.1, library JNI user time, 22.1, MISSED",
        "17, library JNI stopwatch, 35, REACHED",
        "17, library JNI stopwatch, 35.1, MISSED"
    })
    void wantTheLibraryInSoManyTimesTheCounter(String jdk, String contender, double ns, Verdict verdict) {
        assertThat(goal(average(jdk, contender, ns), contender).verdict()).isEqualTo(verdict);
    }

    /** The reading alone takes 12.01 ns, and the counter 10 ns. */
    @ParameterizedTest
    @CsvSource({"24, REACHED", "24.1, MISSED"})
    void wantWaitsInOneMoreLookAtTheCounter(double ns, Verdict verdict) {
        MadeUpRun run = loop("17", 9000, 12).inC("rseq: times and waits", ns);
        assertThat(goal(run, "waits with a reading").verdict()).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"3000, REACHED", "3001, MISSED"})
    void wantWaitsAfterASwitchInThreeMicroseconds(double ns, Verdict verdict) {
        MadeUpRun run =
                reads("17").inC("rseq: waits, after a switch", 9000).inC("rseq: waits, after a switch, fd kept", ns);
        assertThat(goal(run, "after a switch").verdict()).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"25, library FFM, 70, REACHED", "25, library FFM, 70.5, MISSED", "17, library JNI, 71, MISSED"})
    void wantAPartInFortyNsMoreThanTwoReadings(String jdk, String library, double ns, Verdict verdict) {
        MadeUpRun run = average(jdk, library + " stopwatch", 30)
                .figure(Benchmarks.JMH_AVERAGE, jdk, library + " part", "enter + close", null, ns);
        assertThat(goal(run, "more than two readings").verdict()).isEqualTo(verdict);
    }

    /** Less 20 ns of the timer, 80 ns on one thread. */
    @ParameterizedTest
    @CsvSource({"140, REACHED", "141, MISSED"})
    void wantPartsOfOneAccountOnManyThreadsAsFastAsOnOne(double ns, Verdict verdict) {
        MadeUpRun run = new MadeUpRun("25")
                .sampled("25", "empty", 1, 20)
                .sampled("25", "empty", 16, 20)
                .sampled("25", "library FFM part", 1, 100)
                .sampled("25", "library FFM part", 16, ns);
        assertThat(goal(run, "16 threads ÷ on one").verdict()).isEqualTo(verdict);
        assertThat(goal(new MadeUpRun("25").sampled("25", "empty", 1, 20), "÷ on one")
                        .verdict())
                .isEqualTo(NOT_MEASURED);
    }

    @Test
    void takeNoJniForFfm() {
        assertThat(goal(average("25", "library JNI user time", 10), "library FFM user time")
                        .verdict())
                .isEqualTo(NOT_MEASURED);
    }

    @ParameterizedTest
    @CsvSource({"11, 10, REACHED", "11.1, 10, MISSED", "11.3, 11.2, OUT_OF_REACH"})
    void wantTheBeanInATenthMoreThanTheCounterByJni(double beanNs, double arithmeticNs, Verdict verdict) {
        MadeUpRun run = average("17", "threadclock user time", beanNs)
                .figure(Benchmarks.JMH_AVERAGE, "17", "rdtsc", "one read", null, 10)
                .figure(Benchmarks.JMH_AVERAGE, "17", "rdtsc as user time", "one read", null, arithmeticNs);
        assertThat(goal(run, "ThreadMXBean's").verdict()).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"0.6, REACHED", "0.61, MISSED"})
    void wantASnapshotOfAThousandThreadsInSixTenthsOfAMillisecond(double ms, Verdict verdict) {
        MadeUpRun run = new MadeUpRun("17")
                .figure(Benchmarks.SNAPSHOT, "17", "library", "snapshot", 10.0, 9)
                .figure(Benchmarks.SNAPSHOT, "17", "library", "snapshot", 1000.0, ms);
        assertThat(goal(run, "snapshot").verdict()).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"0.0001, 0, REACHED", "0, 16, MISSED"})
    void wantNothingAllocatedOnAnyPath(double stockBytes, double libraryBytes, Verdict verdict) {
        MadeUpRun run = new MadeUpRun("17")
                .figure(Benchmarks.JMH_ALLOCATION, "17", "stock user time", "user time", null, stockBytes)
                .figure(Benchmarks.JMH_ALLOCATION, "17", "library JNI user time", "user time", null, libraryBytes);
        assertThat(goal(run, "allocated").verdict()).isEqualTo(verdict);
    }

    /** In percent; less than nothing is nothing. */
    @ParameterizedTest
    @CsvSource({
        "5.1, 0.49, REACHED, REACHED",
        "5.1, 0.51, REACHED, MISSED",
        "4.9, 0.01, MISSED, REACHED",
        "10, -0.2, REACHED, REACHED"
    })
    void wantAttributionToTakeNextToNothingWhereStockTakesALot(
            double stock, double threadclock, Verdict ofStock, Verdict ofThreadclock) {
        MadeUpRun run = engine().figure(Benchmarks.ENGINE_COST, "17", Contest.STOCK, "units of work", 1.0, stock)
                .figure(Benchmarks.ENGINE_COST, "17", Contest.THREADCLOCK, "units of work", 1.0, threadclock);
        assertThat(goals(run).stream().filter(goal -> goal.quantity().contains("attribution")))
                .extracting(Goal::verdict)
                .containsExactly(ofStock, ofThreadclock);
    }

    @Test
    void sayBetweenWhatBoundsAttributionIs() {
        MadeUpRun run =
                engine().figure(Benchmarks.ENGINE_COST, "17", Contest.THREADCLOCK, "units of work", 1.0, 0.1, 0.2, 0.3);
        assertThat(goal(run, "share of throughput, stock").verdict()).isEqualTo(NOT_MEASURED);
        assertThat(goals(run).get(goals(run).size() - 1).reached()).isEqualTo("0.20 % (0.10 %–0.30 %)");
    }

    /** Stock takes so many ns, an accounted thread so many. */
    @ParameterizedTest
    @CsvSource({"210, 240, REACHED, REACHED", "100, 116, REACHED, MISSED", "300, 331, MISSED, REACHED"})
    void wantAMountWithAnAccountToTakeLittleLongerInNsAndInShare(
            double stockNs, double accountedNs, Verdict ofNs, Verdict ofRatio) {
        for (Work work : ThreadLives.SWITCHES) {
            MadeUpRun run = accounted(work.toString(), stockNs, accountedNs);
            assertThat(goal(run, work + ", accounted − stock, ns").verdict()).isEqualTo(ofNs);
            assertThat(goal(run, work + ", accounted ÷ stock").verdict()).isEqualTo(ofRatio);
        }
    }

    @ParameterizedTest
    @CsvSource({"30, REACHED", "30.1, MISSED"})
    void wantAVirtualThreadToReadItselfInTwiceAPlatformThreadsTime(double ns, Verdict verdict) {
        assertThat(goal(accounted(Work.READ.toString(), 15, ns), "reading of oneself")
                        .verdict())
                .isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({
        "'started and ended', 95, 100, REACHED",
        "'started and ended', 94, 100, MISSED",
        "'parked, bytes', 600, 664, REACHED",
        "'parked, bytes', 600, 666, MISSED",
        "'ended, bytes', 0.2, 0.1, REACHED",
        "'ended, bytes', 0.2, 64, MISSED"
    })
    void wantAMillionAccountedThreadsToCostLittleMoreThanStockOnes(
            String quantity, double stock, double accounted, Verdict verdict) {
        MadeUpRun run = new MadeUpRun("25").many("25", stock, accounted);
        assertThat(goal(run, "1,000,000 virtual threads, " + quantity).verdict())
                .isEqualTo(verdict);
        assertThat(goals(run)).noneMatch(goal -> goal.quantity().contains("snapshot"));
    }

    @ParameterizedTest
    @CsvSource({"0.5, REACHED", "0.51, MISSED"})
    void wantAttributionOnVirtualThreadsToTakeHalfAPercentOfThroughput(double percent, Verdict verdict) {
        MadeUpRun run = new MadeUpRun("25")
                .figure(Benchmarks.SPLITS_THROUGHPUT, "25", "off", "units of work", 1.0, 10_000)
                .figure(Benchmarks.SPLITS_COST, "25", Contest.THREADCLOCK, "units of work", 1.0, percent);
        assertThat(goal(run, "work on virtual threads").verdict()).isEqualTo(verdict);
    }

    @ParameterizedTest
    @CsvSource({"645, REACHED", "646, MISSED"})
    void wantASpanToCostLittleMoreThanUnderTheAgentAlone(double ns, Verdict verdict) {
        assertThat(goal(new MadeUpRun("25").spans("25", 345, ns), "a span with one scope")
                        .verdict())
                .isEqualTo(verdict);
    }

    /** A run of bench --virtual. */
    @Test
    void wantNothingOfReadsInCThatWereNotMeasured() {
        Results kept = Results.kept(Path.of(".."), "bench-virtual").read();
        assertThat(new Goals(kept).all()).isNotEmpty().allMatch(goal -> goal.quantity()
                .matches("JDK .*(virtual thread|reading of oneself).*"));
    }

    @Test
    void listWhatIsNotReached() {
        Goals goals = new Goals(loop("17.0.15", 9000, 20).results());
        assertThat(goals.areMissed()).isTrue();
        assertThat(goals.toText())
                .containsPattern("\\d+ of \\d+ goals are reached.\nMissed:\n")
                .contains("user time, stock ÷ this: 450× (450×–450×), wanted ≥ 700×\n", "wanted ≤ 256\n")
                .contains("Not measured:\n  source perf: user + CPU time in C ÷ bare counter: not measured");
    }

    @Test
    void areNotMissedIfNoClockCouldReachThem() {
        MadeUpRun run = new MadeUpRun("17").inC("rseq: user + CPU time", 10).loop("17", Contest.STOCK, 400);
        assertThat(new Goals(run.loop("17", Contest.THREADCLOCK, 10).results()).areMissed())
                .isFalse();
    }

    private static Goal goal(MadeUpRun run, String quantity) {
        return goals(run).stream()
                .filter(goal -> goal.quantity().contains(quantity))
                .findFirst()
                .orElseThrow();
    }

    private static List<Goal> goals(MadeUpRun run) {
        return new Goals(run.results()).all();
    }

    private static MadeUpRun reads(String jdk) {
        return new MadeUpRun(jdk).others(jdk, 400, 400, 400);
    }

    private static MadeUpRun average(String jdk, String contender, double ns) {
        return new MadeUpRun(jdk).figure(Benchmarks.JMH_AVERAGE, jdk, contender, "user time", null, ns);
    }

    private static MadeUpRun engine() {
        return new MadeUpRun("17").figure(Benchmarks.ENGINE_THROUGHPUT, "17", "off", "units of work", 1.0, 10_000);
    }

    private static MadeUpRun accounted(String work, double stockNs, double accountedNs) {
        return new MadeUpRun("25")
                .figure(Benchmarks.VIRTUAL, "25", Contest.STOCK, work, null, stockNs)
                .figure(Benchmarks.VIRTUAL, "25", Contest.ACCOUNTED, work, null, accountedNs);
    }

    /** On 16 threads it takes stock 980 ns, less the timer, and threadclock as much. */
    private static MadeUpRun loop(String jdk, double stockNs, double threadclockNs) {
        return new MadeUpRun(jdk)
                .inC("rseq: user + CPU time", 12.01)
                .loop(jdk, Contest.STOCK, stockNs)
                .loop(jdk, Contest.THREADCLOCK, threadclockNs)
                .loop(jdk, "source=clock", 250)
                .latency(jdk, Contest.STOCK, 1000)
                .latency(jdk, Contest.THREADCLOCK, 1000)
                .memory(jdk, 4096, 256 * 1024);
    }
}
