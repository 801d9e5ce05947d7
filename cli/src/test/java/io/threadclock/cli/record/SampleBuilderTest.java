// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.record;

import static io.threadclock.cli.threads.MadeUp.MS;
import static io.threadclock.cli.threads.MadeUp.awaited;
import static io.threadclock.cli.threads.MadeUp.snapshot;
import static io.threadclock.cli.threads.MadeUp.thread;
import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.threads.MadeUp;
import io.threadclock.cli.threads.ProcessSnapshot;
import io.threadclock.cli.threads.Snapshot;
import io.threadclock.cli.threads.ThreadKind;
import io.threadclock.cli.threads.ThreadSnapshot;
import io.threadclock.cli.threads.VirtualPool;
import io.threadclock.recorder.Sample;
import io.threadclock.recorder.Sample.PoolTimes;
import io.threadclock.recorder.Sample.ThreadTimes;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class SampleBuilderTest {
    private static final long HOUR_MS = 3_600_000;

    private static final ThreadSnapshot CUT = thread(7, 0, "http-nio-8080-e", 0, 0);
    private static final ThreadSnapshot WHOLE = thread(7, 0, "http-nio-8080-exec-7", 0, 0);

    private final SampleBuilder differences = new SampleBuilder(KeptSamples.JVM);

    @Test
    void theFirstLookHasNamesAndNoTimes() {
        Sample first = take(0, thread(7, 0, "worker-1", 500 * MS, 20 * MS));
        assertThat(first.threads()).isEmpty();
        assertThat(first.elapsedUs()).isZero();
        assertThat(first.whole().userNs()).isZero();
        assertThat(first.names()).containsExactly(new Sample.ThreadName(7, 7, 7, "worker-1", "worker-*", "java"));
    }

    @Test
    void aLaterOneHasWhatWasDoneSinceAndNothingOfThoseThatSlept() {
        take(0, thread(7, 0, "a", 500 * MS, 20 * MS), thread(8, 0, "b", 5 * MS, 0));
        Sample next = take(100, thread(7, 0, "a", 530 * MS, 21 * MS), thread(8, 0, "b", 5 * MS, 0));
        assertThat(next.threads()).containsExactly(new ThreadTimes(7, 100_000, 30 * MS, MS));
        assertThat(next.elapsedUs()).isEqualTo(100_000);
        assertThat(next.whole()).isEqualTo(new Sample.Whole(100_000, 30 * MS, MS));
        assertThat(next.ownNs()).isEqualTo(100);
        assertThat(next.names()).isEmpty();
    }

    @Test
    void aThreadThatIsNotReadAtEachLookHasWorkedSinceItWasReadBefore() {
        ThreadSnapshot before = MadeUp.readAt(50, thread(7, 0, "a", 0, 0));
        take(50, before);
        assertThat(take(100, before).threads()).isEmpty();
        assertThat(take(310, MadeUp.readAt(300, thread(7, 0, "a", 60 * MS, 0))).threads())
                .containsExactly(new ThreadTimes(7, 250_000, 60 * MS, 0));
    }

    @Test
    void aThreadHasWaitedSinceTheSampleBeforeOrItsStartWhichIsUnknownUnlessBothReadingsHaveIt() {
        take(0, waited(5, thread(7, 0, "a", 0, 0)), thread(9, 0, "c", 0, 0), waited(1, thread(10, 0, "d", 0, 0)));
        Sample next = take(
                100,
                waited(25, thread(7, 0, "a", MS, 0)),
                waited(3, thread(8, 50 * MS, "b", MS, 0)),
                waited(1, thread(9, 0, "c", MS, 0)),
                thread(10, 0, "d", MS, 0),
                thread(11, 50 * MS, "e", MS, 0));
        assertThat(next.threads())
                .extracting(ThreadTimes::waitingNs)
                .containsExactly(20 * MS, 3 * MS, ThreadTimes.UNKNOWN, ThreadTimes.UNKNOWN, ThreadTimes.UNKNOWN);
    }

    private static ThreadSnapshot waited(long delayMs, ThreadSnapshot thread) {
        return MadeUp.waited(delayMs * MS, 1, thread);
    }

    @Test
    void theWholeIsOfTheTimeSinceTheKernelWasLastAskedForIt() {
        differences.take(readAt(0, 0, 0));
        assertThat(differences.take(readAt(100, 0, 0)).whole()).isEqualTo(Sample.Whole.NOT_ASKED);
        assertThat(differences.take(readAt(200, 200, 80 * MS)).whole())
                .isEqualTo(new Sample.Whole(200_000, 80 * MS, 0));
    }

    private static Snapshot readAt(long takenMs, long readMs, long userNs) {
        Snapshot snapshot = MadeUp.snapshot(takenMs, 0);
        ProcessSnapshot whole = new ProcessSnapshot(userNs, userNs, readMs * MS);
        return new Snapshot(
                snapshot.takenNs(),
                snapshot.wall(),
                whole,
                snapshot.threads(),
                snapshot.threadCount(),
                snapshot.source(),
                snapshot.ownCpuNs(),
                List.of());
    }

    /** The first look tells of one thread. */
    @ParameterizedTest
    @CsvSource({"1, 1", "2, 0"})
    void aThreadThatHasStartedSinceCountsWholeUnlessItWasThereAndNotTold(int threadsAtFirst, int counted) {
        differences.take(snapshot(0, threadsAtFirst, thread(7, 0, "a", 0, 0)));
        Sample next = take(100, thread(7, 0, "a", 0, 0), thread(8, 50 * MS, "b", 9 * MS, MS));
        assertThat(next.threads()).hasSize(counted).allMatch(times -> times.userNs() == 9 * MS);
        assertThat(next.names()).extracting(Sample.ThreadName::name).containsExactly("b");
    }

    /** This happens when main() has returned: the kernel thread is the same. */
    @Test
    void aThreadThatGoesOnAsAnotherOneOfJavaCountsOnce() {
        ThreadSnapshot main = thread(7, 0, "main", 500 * MS, 0);
        take(0, main);
        Sample next = take(100, new ThreadSnapshot(7, 0, 12, "DestroyJavaVM", main.kind(), 503 * MS, 503 * MS, 0));
        assertThat(next.threads()).containsExactly(new ThreadTimes(7, 100_000, 3 * MS, 0));
        assertThat(next.names()).extracting(Sample.ThreadName::name).containsExactly("DestroyJavaVM");
    }

    @Test
    void aTidThatIsUsedAgainIsAnotherThread() {
        take(0, thread(7, 0, "a", 500 * MS, 0));
        assertThat(take(100, thread(7, 90 * MS, "a", 3 * MS, 0)).threads())
                .singleElement()
                .matches(times -> times.userNs() == 3 * MS && times.thread() != 7);
    }

    @Test
    void tellsANameAgainWhenItOrTheKindChangesAndWhenAnHourBegins() {
        ThreadSnapshot whole = thread(7, 0, "a-long-name-cut-by-the-kernel", 0, 0);
        ThreadSnapshot carrier = new ThreadSnapshot(7, 0, 7, whole.name(), ThreadKind.CARRIER, 0, 0, 0);
        told(0, thread(7, 0, "a-long-name-cut", 0, 0));
        assertThat(told(100, whole)).hasSize(1);
        assertThat(told(200, whole)).isEmpty();
        assertThat(told(HOUR_MS, whole)).hasSize(1);
        assertThat(take(HOUR_MS + 100, carrier).names())
                .extracting(Sample.ThreadName::kind)
                .containsExactly("carrier");
        assertThat(told(HOUR_MS + 200, carrier)).isEmpty();
    }

    /** Pool 3 does nothing, 4 is new, and the last thread of 5 ends. */
    @Test
    void virtualThreadsHaveWhatTheirPoolsHaveUsedSince() {
        assertThat(pools(0, pool(0, 40, 0, 0), pool(2, 900, 50, 3), pool(3, 5, 1, 1), pool(5, 10, 3, 1)))
                .as("of the first look")
                .isEmpty();
        assertThat(pools(
                        100,
                        pool(0, 42, 0, 0),
                        pool(2, 1000, 60, 4),
                        pool(3, 5, 1, 1),
                        pool(4, 10, 3, 1),
                        pool(5, 10, 3, 0)))
                .containsExactly(
                        new PoolTimes(PoolTimes.REST, "pool 0", 0, 0, MS, MS),
                        new PoolTimes(2, "pool 2", 4, 10, 50 * MS, 50 * MS),
                        new PoolTimes(4, "pool 4", 1, 3, 5 * MS, 5 * MS),
                        new PoolTimes(5, "pool 5", 0, 0, 0, 0));
    }

    private List<PoolTimes> pools(long takenMs, VirtualPool... pools) {
        return differences.take(snapshot(takenMs * MS, List.of(pools))).pools();
    }

    /** Half of its time is user time. */
    private static VirtualPool pool(int number, long cpuMs, long mounts, int threads) {
        VirtualPool.Kind kind = number == 0 ? VirtualPool.Kind.REST : VirtualPool.Kind.NAMED;
        return new VirtualPool(number, kind, "pool " + number, cpuMs * MS, cpuMs * MS / 2, mounts, threads);
    }

    @Test
    void tellsANameOnceWhichIsTheWholeOne() {
        assertThat(told(0, awaited(CUT))).isEmpty();
        assertThat(told(100, awaited(CUT))).isEmpty();
        assertThat(told(200, WHOLE)).containsExactly("http-nio-8080-exec-7");
        assertThat(told(300, WHOLE)).isEmpty();
        assertThat(differences.rest()).isEmpty();
    }

    @Test
    void tellsACutNameWhereTheWholeOneDoesNotCome() {
        assertThat(told(0, awaited(CUT))).isEmpty();
        assertThat(told(11_999, awaited(CUT))).isEmpty();
        assertThat(told(12_000, awaited(CUT))).containsExactly("http-nio-8080-e");
        assertThat(told(12_100, awaited(CUT))).isEmpty();
        assertThat(told(12_200, WHOLE)).containsExactly("http-nio-8080-exec-7");
    }

    @Test
    void tellsTheCutNameOfAThreadThatEndsBeforeItIsKnownWhole() {
        told(0, awaited(CUT));
        assertThat(told(100, thread(8, 0, "b", 0, 0))).containsExactlyInAnyOrder("http-nio-8080-e", "b");
        told(200, awaited(CUT));
        assertThat(told(300, thread(7, 90 * MS, "heir", 0, 0))).containsExactly("http-nio-8080-e", "heir");
    }

    private List<String> told(long takenMs, ThreadSnapshot thread) {
        return take(takenMs, thread).names().stream()
                .map(Sample.ThreadName::name)
                .toList();
    }

    private Sample take(long takenMs, ThreadSnapshot... threads) {
        return differences.take(snapshot(takenMs, threads.length, threads));
    }
}
