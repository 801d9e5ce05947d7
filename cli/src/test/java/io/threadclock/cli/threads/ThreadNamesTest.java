// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ThreadNamesTest {
    private static final int TID = 31;
    private static final String JDK_25 = "\"main\" #3 [30] prio=5 tid=0x1 nid=30 runnable\n"
            + "\"ForkJoinPool-1-worker-1\" #25 [31] daemon prio=5 tid=0x1 nid=31 waiting on condition\n"
            + "\"ForkJoinPool-1-worker-2\" #26 [32] daemon prio=5 tid=0x2 nid=32 waiting on condition\n"
            + "\"ForkJoinPool-2-worker-1\" #27 [33] daemon prio=5 tid=0x3 nid=33 waiting on condition\n";

    private final AtomicInteger searches = new AtomicInteger();

    private ThreadNames names(String stacks) {
        return new ThreadNames(new MadeUp.Jvm(stacks, searches, new AtomicInteger()));
    }

    private static ThreadSnapshot snapshot(ThreadNames names, int tid) {
        return names.snapshot(tid, 99, 0, 0, 0);
    }

    /** Reports three threads of two pools, with the names that the kernel has on JDK 25. */
    private static void tellWorkers(ThreadNames names) {
        names.tell(TID, 1, 0, false, "ForkJoinPool-1-");
        names.tell(TID + 1, 1, 0, false, "ForkJoinPool-1-");
        names.tell(TID + 2, 1, 0, false, "ForkJoinPool-2-");
    }

    private static ThreadKind kind(ThreadNames names, int tid) {
        return snapshot(names, tid).kind();
    }

    /** Background tasks run in threads of their own. */
    private static void await(ThreadNames names, BooleanSupplier isDone) throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(2);
        while (!isDone.getAsBoolean() && System.nanoTime() - endNs < 0) {
            names.update();
            Thread.sleep(1);
        }
        assertThat(isDone.getAsBoolean()).as("done within two minutes").isTrue();
    }

    @Test
    void oneCarrierTellsTheOthersOfItsPoolAndSeveralPoolsCarry() throws InterruptedException {
        ThreadNames names = names(JDK_25);
        tellWorkers(names);
        names.tell(TID + 1, 1, 26, true, "ForkJoinPool-1-");
        await(names, () -> !snapshot(names, TID).isNameAwaited());
        assertThat(kind(names, TID)).isEqualTo(ThreadKind.CARRIER);
        assertThat(kind(names, TID + 1)).isEqualTo(ThreadKind.CARRIER);
        assertThat(kind(names, TID + 2)).isEqualTo(ThreadKind.JAVA);
        names.tell(TID + 2, 1, 27, true, "ForkJoinPool-2-");
        assertThat(kind(names, TID)).isEqualTo(ThreadKind.CARRIER);
        assertThat(kind(names, TID + 2)).isEqualTo(ThreadKind.CARRIER);
    }

    /** The kernel cuts names after 15 bytes, which is after the pool's number. */
    @ParameterizedTest
    @CsvSource({
        "ForkJoinPool-1-, ForkJoinPool-1-, true",
        "ForkJoinPool-1-, ForkJoinPool-10, false",
        "ForkJoinPool-10, ForkJoinPool-11, false"
    })
    void oneThatIsBornLaterIsACarrierAtOnceIfItIsOfThePool(String carrier, String later, boolean carries) {
        ThreadNames names = names("");
        names.tell(TID, 1, 25, true, carrier);
        names.tell(TID + 1, 2, 0, false, later);
        assertThat(kind(names, TID)).isEqualTo(ThreadKind.CARRIER);
        assertThat(kind(names, TID + 1) == ThreadKind.CARRIER).isEqualTo(carries);
    }

    @Test
    void theAgentIsAskedForCarriersWhenThereAreNewThreads() throws InterruptedException {
        ThreadNames names = names("");
        names.update();
        tellWorkers(names);
        await(names, () -> searches.get() == 1);
        names.update();
        assertThat(searches).as("searches without a new thread").hasValue(1);
        names.tell(TID + 3, 1, 0, false, "ForkJoinPool-3-");
        await(names, () -> searches.get() == 2);
    }

    @Test
    void whereCarriersAreKnownTheAgentIsLeftAlone() throws InterruptedException {
        ThreadNames names = names(JDK_25);
        names.update();
        tellWorkers(names);
        names.tell(TID, 1, 25, true, "ForkJoinPool-1-");
        await(names, () -> !snapshot(names, TID).isNameAwaited());
        assertThat(kind(names, TID)).isEqualTo(ThreadKind.CARRIER);
        assertThat(searches).hasValue(0);
    }

    @Test
    void aJdkWithoutVirtualThreadsIsNotAsked() throws InterruptedException {
        ThreadNames names = names("\"worker of JDK 8\" #12 prio=5 tid=0x1 nid=31 runnable\n");
        names.tell(TID, 1, 0, false, "worker of JDK 8");
        await(names, () -> snapshot(names, TID).javaId() == 12);
        names.tell(TID + 1, 1, 0, false, "another");
        names.update();
        Thread.sleep(20); // a background task would have run
        assertThat(searches).hasValue(0);
    }

    @Test
    void aNameIsAwaitedUntilTheListHasComeThatWasAskedOfIt() throws InterruptedException {
        ThreadNames names = names(JDK_25);
        tellWorkers(names);
        names.tell(TID + 3, 1, 0, false, "native");
        assertThat(snapshot(names, TID).isNameAwaited()).isTrue();
        assertThat(snapshot(names, TID + 3).isNameAwaited())
                .as("of a native thread")
                .isTrue();
        await(names, () -> !snapshot(names, TID).isNameAwaited());
        assertThat(snapshot(names, TID).name()).isEqualTo("ForkJoinPool-1-worker-1");
        assertThat(snapshot(names, TID + 3).isNameAwaited())
                .as("of one that the list does not have")
                .isFalse();
        names.tell(TID + 4, 1, 40, false, "ForkJoinPool-1-");
        names.tell(TID + 5, 1, 41, false, "worker");
        assertThat(snapshot(names, TID + 4).isNameAwaited())
                .as("of a new thread")
                .isTrue();
        assertThat(snapshot(names, TID + 5).isNameAwaited())
                .as("of one whose name is whole")
                .isFalse();
    }

    /** JDK 25 cuts these names within a letter, or stores an emoji in six bytes. */
    @ParameterizedTest
    @CsvSource({
        "\u00c3\u009cbertr\u00c3\u00a4ger-1\u00c3, Überträger-1é-1, Überträger-1é-2",
        "\u00ed\u00a0\u00bd\u00ed\u00b8\u0080 carrier-, \uD83D\uDE00 carrier-1, \uD83D\uDE00 carrier-2"
    })
    void carriersHaveNamesOutsideAscii(String comm, String one, String another) throws InterruptedException {
        ThreadNames names = names(String.format(
                "\"%s\" #25 [31] prio=5 tid=0x1 nid=31 runnable%n\"%s\" #26 [32] prio=5 tid=0x2 nid=32 runnable%n",
                one, another));
        names.tell(TID, 1, 25, true, comm);
        names.tell(TID + 1, 1, 0, false, comm);
        await(names, () -> !snapshot(names, TID).isNameAwaited());
        assertThat(snapshot(names, TID).name()).isEqualTo(one);
        assertThat(snapshot(names, TID + 1).name()).isEqualTo(another);
        assertThat(kind(names, TID + 1)).isEqualTo(ThreadKind.CARRIER);
    }

    /** The first of them is not among the stacks yet. */
    @Test
    void theBytesOfAShortNameTellItsPool() throws InterruptedException {
        ThreadNames names = names("\"trägt-2\" #26 [32] prio=5 tid=0x2 nid=32 runnable\n");
        names.tell(TID, 1, 25, true, "tr\u00c3\u00a4gt-1");
        names.tell(TID + 1, 1, 26, false, "tr\u00c3\u00a4gt-2");
        await(names, () -> snapshot(names, TID + 1).name().equals("trägt-2"));
        assertThat(kind(names, TID + 1)).isEqualTo(ThreadKind.CARRIER);
        assertThat(snapshot(names, TID).name()).isEqualTo("trägt-1");
    }
}
