// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Tests the figures of parts on a fake thread, which runs, waits for a CPU, and sleeps as it is told. */
class PartSlotTest {
    private final FakeClock clock = new FakeClock();
    private final ThreadParts mine = new ThreadParts(Thread.currentThread(), clock);
    private final ThreadParts others = new ThreadParts(new Thread(), clock);
    private final PartSlot slot = new PartSlot(new PartSlots(true), null);

    /** The clock of a thread, by which it reads itself, and others read it. */
    private static final class FakeClock extends PartClock {
        private long wallNs = 1_000;
        private final long[] figures = {700, 400, 200, 3, 4};
        private boolean hasWaits = true;
        private long bytes = 5_000;

        /** Runs after each reading of the wall time. */
        private Runnable afterWallTime = () -> {};

        void run(long ns) {
            wallNs += ns;
            figures[PartSlot.CPU] += ns;
            figures[PartSlot.USER] += ns / 2;
        }

        void waitForCpu(long ns) {
            wallNs += ns;
            figures[PartSlot.RUN_DELAY] += ns;
            figures[PartSlot.INVOLUNTARY]++;
        }

        void sleep(long ns) {
            wallNs += ns;
            figures[PartSlot.VOLUNTARY]++;
        }

        @Override
        boolean read(long[] read) {
            readWallTime(read);
            System.arraycopy(figures, 0, read, 0, PartSlot.BYTES);
            if (!hasWaits) {
                read[PartSlot.RUN_DELAY] = ThreadWaits.UNKNOWN;
            }
            return true;
        }

        private void readWallTime(long[] read) {
            read[PartSlot.WALL] = wallNs;
            afterWallTime.run();
        }

        @Override
        boolean read(Thread thread, long[] read) {
            readWallTime(read);
            System.arraycopy(figures, 0, read, 0, PartSlot.RUN_DELAY);
            read[PartSlot.RUN_DELAY] = ThreadWaits.UNKNOWN;
            return true;
        }

        @Override
        long allocatedBytes() {
            return bytes;
        }
    }

    private AccountUsage readBy(ThreadParts reader) {
        long[] sum = new long[PartSlot.FIGURES];
        slot.addTo(sum, reader);
        return new AccountUsage(sum);
    }

    private void begin() {
        slot.begin(mine);
    }

    private AccountUsage end() {
        slot.end(mine);
        return readBy(others);
    }

    private static void says(AccountUsage usage, String... figures) {
        assertThat(usage.toString()).contains(figures);
    }

    private static void assertWholeWallTime(AccountUsage usage) {
        assertThat(usage.cpuTimeNs() + usage.runDelayNs() + usage.notRunningNs())
                .as("CPU time + run delay + not running, against wall time: %s", usage)
                .isEqualTo(usage.wallTimeNs());
    }

    private static void assertBytes(AccountUsage usage, long bytes, long unknownParts) {
        assertThat(usage.allocatedBytes()).as("bytes").isEqualTo(bytes);
        assertThat(usage.partsOfUnknownBytes()).as("parts of unknown bytes").isEqualTo(unknownParts);
    }

    @Test
    void dividesTheWallTimeOfAPart() {
        begin();
        clock.run(50);
        clock.waitForCpu(30);
        clock.sleep(100);
        clock.sleep(10);
        String waits = "run delay 30 ns, not running 110 ns, wall 190 ns, switches 2 voluntary + 1 involuntary";
        says(end(), "CPU 50 ns", waits, "of unknown waits 0");
    }

    @Test
    void tellsItsThreadHowItHasWaitedSoFar() {
        begin();
        clock.waitForCpu(30);
        clock.sleep(100);
        says(readBy(mine), "run delay 30 ns, not running 100 ns", "of unknown waits 0");
    }

    @Test
    void tellsOthersOfAPartThatRunsOnlyHowItHadWaitedWhenItReadItself() {
        begin();
        clock.sleep(100);
        says(readBy(others), "run delay unknown, not running unknown, wall 100 ns");
        readBy(mine);
        clock.waitForCpu(30);
        says(readBy(others), "run delay 0 ns, not running 100 ns", "of unknown waits 1");
        says(end(), "run delay 30 ns, not running 100 ns");
    }

    /** Otherwise it would be told that the thread did not run at that time, which would never be taken back. */
    @Test
    void tellsNoTimeInWhichTheThreadHasRunMeanwhileAsNotRunning() {
        begin();
        clock.sleep(100);
        clock.afterWallTime = () -> clock.run(7);
        says(readBy(mine), "run delay 0 ns, not running 93 ns");
        clock.afterWallTime = () -> {};
        says(end(), "run delay 0 ns, not running 100 ns");
    }

    @Test
    void countsPartsWhoseWaitsAreUnknown() {
        clock.hasWaits = false;
        begin();
        clock.sleep(100);
        String waits = "run delay unknown, not running unknown, wall 100 ns, switches unknown voluntary + unknown in";
        says(end(), waits);
        clock.hasWaits = true;
        assertThat(slot.claim(mine)).as("is free").isTrue();
        begin();
        clock.sleep(5);
        says(end(), "run delay 0 ns, not running 5 ns", "(unmeasured 0, of unknown waits 1");
    }

    @Test
    void countsWhatAPartAllocates() {
        begin();
        clock.bytes += 64;
        assertBytes(readBy(others), AllocatedBytes.UNKNOWN, 1);
        assertBytes(readBy(mine), 64, 0);
        clock.bytes += 8;
        assertBytes(readBy(others), 64, 1);
        assertBytes(end(), 72, 0);
    }

    @Test
    void countsPartsOfWhichTheJvmDoesNotCountBytes() {
        clock.bytes = AllocatedBytes.UNKNOWN;
        begin();
        clock.bytes = 5_000;
        AccountUsage usage = end();
        assertBytes(usage, AllocatedBytes.UNKNOWN, 1);
        says(usage, "of unknown waits 0");
    }

    @Test
    void staysUnknownIfItBecomesKnownInThePart() {
        clock.hasWaits = false;
        begin();
        clock.hasWaits = true;
        clock.sleep(100);
        says(end(), "run delay unknown, not running unknown");
    }

    /**
     * The CPU clock may be some ns ahead of the wall clock; after a restore from a checkpoint the kernel counts from 0.
     */
    @Test
    void keepsItsLawsWhateverTheClocksSay() {
        begin();
        clock.run(50);
        clock.wallNs -= 20;
        assertWholeWallTime(readBy(mine));
        clock.figures[PartSlot.RUN_DELAY] = 0;
        clock.figures[PartSlot.VOLUNTARY] = 0;
        AccountUsage usage = end();
        assertWholeWallTime(usage);
        says(usage, "run delay 0 ns, not running 0 ns", "switches 0 voluntary");
    }

    /** Divides a part at each of its steps: all that it uses is the account's, or late. */
    @ParameterizedTest
    @CsvSource({"0, 0, 1", "1, 50, 1", "2, 50, 1", "3, 50, 0"})
    void givesWhatIsUsedAfterTheClosingToTheLateParts(int closedAfter, long ownNs, long lateParts) {
        PartSlots account = new PartSlots(false);
        long[] before = PartSlots.LATE.sum();
        List<Runnable> steps = List.of(
                () -> account.claim(mine).begin(mine), () -> clock.run(50), () -> clock.waitForCpu(30), () -> mine.find(
                                account)
                        .end(mine));
        steps.subList(0, closedAfter + 1).forEach(Runnable::run);
        account.close(others);
        steps.subList(closedAfter + 1, 4).forEach(Runnable::run);
        account.close(others);
        assertThat(account.sum()[PartSlot.CPU]).as("CPU time of the account").isEqualTo(ownNs);
        long[] late = PartSlots.LATE.sum();
        assertSum(account, late, before, PartSlot.CPU, 50);
        assertSum(account, late, before, PartSlot.WALL, 80);
        assertThat(late[PartSlot.PARTS] - before[PartSlot.PARTS])
                .as("late parts")
                .isEqualTo(lateParts);
        assertThat(account.claim(mine)).as("slot for another part").isNull();
    }

    private static void assertSum(PartSlots account, long[] late, long[] before, int figure, long expected) {
        assertThat(account.sum()[figure] + late[figure] - before[figure])
                .as("figure %d of the account and the late one", figure)
                .isEqualTo(expected);
    }

    /** Its thread claims a free slot by a store, and may miss the closing. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void givesAPartThatBeginsAtTheClosingToTheLateParts(boolean wasFree) {
        PartSlots account = new PartSlots(false);
        PartSlot claimed = account.claim(mine);
        if (wasFree) {
            claimed.begin(mine);
            claimed.end(mine);
        }
        account.close(others);
        assertThat(wasFree == claimed.claim(mine)).as("is claimed now, or was").isTrue();
        long[] before = PartSlots.LATE.sum();
        claimed.begin(mine);
        clock.run(50);
        claimed.end(mine);
        assertThat(account.sum()[PartSlot.CPU]).as("CPU time of the account").isZero();
        assertSum(account, PartSlots.LATE.sum(), before, PartSlot.CPU, 50);
    }

    @Test
    void isClaimedByNoOtherThreadWhileItsOwnLives() {
        begin();
        end();
        assertThat(slot.claim(others)).as("by another thread").isFalse();
        assertThat(slot.claim(mine)).as("by its own").isTrue();
    }

    @Test
    void neverGoesBackHoweverItIsRead() {
        Random random = new Random(1);
        long[] last = new long[PartSlot.FIGURES];
        slot.begin(mine);
        for (int i = 0; i < 10_000; i++) {
            step(random);
            long[] next = new long[PartSlot.FIGURES];
            boolean isOwn = random.nextBoolean();
            slot.addTo(next, isOwn ? mine : others);
            for (int figure = 0; figure < PartSlot.PART; figure++) {
                assertThat(next[figure]).as("figure %d in step %d", figure, i).isGreaterThanOrEqualTo(last[figure]);
            }
            if (isOwn) {
                assertWholeWallTime(new AccountUsage(next));
            }
            last = next;
        }
        assertWholeWallTime(end());
    }

    private void step(Random random) {
        int ns = random.nextInt(100);
        switch (random.nextInt(4)) {
            case 0 -> clock.run(ns);
            case 1 -> clock.waitForCpu(ns);
            case 2 -> clock.sleep(ns);
            default -> {
                slot.end(mine);
                assertThat(slot.claim(mine)).as("is free").isTrue();
                slot.begin(mine);
            }
        }
    }
}
