// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Random;
import org.junit.jupiter.api.Test;

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

    private static void assertWaits(AccountUsage usage, long runDelayNs, long notRunningNs) {
        assertThat(usage.runDelayNs()).as("run delay").isEqualTo(runDelayNs);
        assertThat(usage.notRunningNs()).as("not running").isEqualTo(notRunningNs);
    }

    private static void assertWholeWallTime(AccountUsage usage) {
        assertThat(usage.cpuTimeNs() + usage.runDelayNs() + usage.notRunningNs())
                .as("CPU time + run delay + not running, against wall time: %s", usage)
                .isEqualTo(usage.wallTimeNs());
    }

    @Test
    void dividesTheWallTimeOfAPart() {
        begin();
        clock.run(50);
        clock.waitForCpu(30);
        clock.sleep(100);
        clock.sleep(10);
        AccountUsage usage = end();
        assertThat(usage.wallTimeNs()).as("wall time").isEqualTo(190);
        assertThat(usage.cpuTimeNs()).as("CPU time").isEqualTo(50);
        assertWaits(usage, 30, 110);
        assertThat(usage.voluntarySwitches()).as("voluntary switches").isEqualTo(2);
        assertThat(usage.involuntarySwitches()).as("involuntary switches").isEqualTo(1);
        assertThat(usage.partsOfUnknownWaits()).as("parts of unknown waits").isZero();
    }

    @Test
    void tellsItsThreadHowItHasWaitedSoFar() {
        begin();
        clock.waitForCpu(30);
        clock.sleep(100);
        AccountUsage usage = readBy(mine);
        assertWaits(usage, 30, 100);
        assertThat(usage.partsOfUnknownWaits()).as("parts of unknown waits").isZero();
    }

    @Test
    void tellsOthersOfAPartThatRunsOnlyHowItHadWaitedWhenItReadItself() {
        begin();
        clock.sleep(100);
        AccountUsage before = readBy(others);
        assertWaits(before, ThreadWaits.UNKNOWN, ThreadWaits.UNKNOWN);
        assertThat(before.wallTimeNs()).as("wall time").isEqualTo(100);
        readBy(mine);
        clock.waitForCpu(30);
        AccountUsage after = readBy(others);
        assertWaits(after, 0, 100);
        assertThat(after.partsOfUnknownWaits()).as("parts of unknown waits").isEqualTo(1);
        assertWaits(end(), 30, 100);
    }

    /** Otherwise it would be told that the thread did not run at that time, which would never be taken back. */
    @Test
    void tellsNoTimeInWhichTheThreadHasRunMeanwhileAsNotRunning() {
        begin();
        clock.sleep(100);
        clock.afterWallTime = () -> clock.run(7);
        assertWaits(readBy(mine), 0, 93);
        clock.afterWallTime = () -> {};
        assertWaits(end(), 0, 100);
    }

    @Test
    void countsPartsWhoseWaitsAreUnknown() {
        clock.hasWaits = false;
        begin();
        clock.sleep(100);
        AccountUsage unknown = end();
        assertWaits(unknown, ThreadWaits.UNKNOWN, ThreadWaits.UNKNOWN);
        assertThat(unknown.voluntarySwitches()).as("voluntary switches").isEqualTo(ThreadWaits.UNKNOWN);
        assertThat(unknown.involuntarySwitches()).as("involuntary switches").isEqualTo(ThreadWaits.UNKNOWN);
        assertThat(unknown.wallTimeNs()).as("wall time").isEqualTo(100);
        clock.hasWaits = true;
        assertThat(slot.claim(mine)).as("is free").isTrue();
        begin();
        clock.sleep(5);
        AccountUsage mixed = end();
        assertWaits(mixed, 0, 5);
        assertThat(mixed.partsOfUnknownWaits()).as("parts of unknown waits").isEqualTo(1);
        assertThat(mixed.unmeasuredParts()).as("unmeasured parts").isZero();
    }

    @Test
    void countsWhatAPartAllocates() {
        begin();
        clock.bytes += 64;
        assertThat(readBy(others).allocatedBytes()).as("told others").isEqualTo(AllocatedBytes.UNKNOWN);
        assertThat(readBy(mine).allocatedBytes()).as("told the thread").isEqualTo(64);
        clock.bytes += 8;
        assertThat(readBy(others).allocatedBytes()).as("told others then").isEqualTo(64);
        assertThat(readBy(others).partsOfUnknownBytes())
                .as("parts of unknown bytes")
                .isEqualTo(1);
        AccountUsage usage = end();
        assertThat(usage.allocatedBytes()).as("at the end").isEqualTo(72);
        assertThat(usage.partsOfUnknownBytes()).as("parts of unknown bytes").isZero();
    }

    @Test
    void countsPartsOfWhichTheJvmDoesNotCountBytes() {
        clock.bytes = AllocatedBytes.UNKNOWN;
        begin();
        clock.bytes = 5_000;
        AccountUsage usage = end();
        assertThat(usage.allocatedBytes()).as("bytes").isEqualTo(AllocatedBytes.UNKNOWN);
        assertThat(usage.partsOfUnknownBytes()).as("parts of unknown bytes").isEqualTo(1);
        assertThat(usage.partsOfUnknownWaits()).as("parts of unknown waits").isZero();
    }

    @Test
    void staysUnknownIfItBecomesKnownInThePart() {
        clock.hasWaits = false;
        begin();
        clock.hasWaits = true;
        clock.sleep(100);
        assertWaits(end(), ThreadWaits.UNKNOWN, ThreadWaits.UNKNOWN);
    }

    /** The CPU clock may be some ns ahead of the wall clock; after a restore from a checkpoint the kernel counts from 0. */
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
        assertWaits(usage, 0, 0);
        assertThat(usage.voluntarySwitches()).as("voluntary switches").isZero();
    }

    /** Divides a part at each of its steps: all that it uses is the account's, or late. */
    @Test
    void givesWhatIsUsedAfterTheClosingToTheLateParts() {
        for (int closedAfter = 0; closedAfter <= 3; closedAfter++) {
            PartSlots account = new PartSlots(false);
            long[] before = PartSlots.LATE.sum();
            Runnable[] steps = {
                () -> account.claim(mine).begin(mine),
                () -> clock.run(50),
                () -> clock.waitForCpu(30),
                () -> mine.find(account).end(mine)
            };
            for (int step = 0; step < steps.length; step++) {
                steps[step].run();
                if (step == closedAfter) {
                    account.close(others);
                }
            }
            account.close(others);
            AccountUsage used = new AccountUsage(account.sum());
            long[] late = PartSlots.LATE.sum();
            assertThat(used.cpuTimeNs()).as("CPU time of the account").isEqualTo(closedAfter == 0 ? 0 : 50);
            assertThat(used.cpuTimeNs() + late[PartSlot.CPU] - before[PartSlot.CPU])
                    .as("with the late one")
                    .isEqualTo(50);
            assertThat(used.wallTimeNs() + late[PartSlot.WALL] - before[PartSlot.WALL])
                    .as("wall time")
                    .isEqualTo(80);
            assertThat(late[PartSlot.PARTS] - before[PartSlot.PARTS])
                    .as("late parts")
                    .isEqualTo(closedAfter < 3 ? 1 : 0);
            assertThat(account.claim(mine)).as("slot for another part").isNull();
        }
    }

    @Test
    void givesAPartThatBeginsAtTheClosingToTheLateParts() {
        PartSlots account = new PartSlots(false);
        PartSlot beginning = account.claim(mine);
        account.close(others);
        assertIsLate(beginning);
    }

    /** Its thread claims it by a store, and may miss the closing. */
    @Test
    void givesAPartWhoseSlotWasFreeAtTheClosingToTheLateParts() {
        PartSlots account = new PartSlots(false);
        PartSlot free = account.claim(mine);
        free.begin(mine);
        free.end(mine);
        account.close(others);
        assertThat(free.claim(mine)).as("is free").isTrue();
        assertIsLate(free);
    }

    private void assertIsLate(PartSlot claimed) {
        long beforeNs = PartSlots.LATE.sum()[PartSlot.CPU];
        claimed.begin(mine);
        clock.run(50);
        claimed.end(mine);
        assertThat(claimed.account.sum()[PartSlot.CPU])
                .as("CPU time of the account")
                .isZero();
        assertThat(PartSlots.LATE.sum()[PartSlot.CPU] - beforeNs).as("late").isEqualTo(50);
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
