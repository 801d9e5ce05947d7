// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** A thread reads the same clock of itself as the current thread, by its id, and in an array. */
@InChild(agent = {InChild.Loading.AGENTPATH, InChild.Loading.ATTACHED, InChild.Loading.BOOSTED})
class OwnClockIT {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = Amount.orLittle(50_000, 5_000);
    private static final int FEW_ROUNDS = 1_000;
    private static final String LAW = "a thread that reads itself in another way reads no less";

    private final long ownId = Thread.currentThread().getId();

    @BeforeAll
    static void loadTheAgent() throws IOException {
        Gate.await("begin");
    }

    @Test
    void isTheSameById() {
        compare(ROUNDS, THREADS::getCurrentThreadCpuTime, () -> THREADS.getThreadCpuTime(ownId))
                .assertNoBreach(LAW);
    }

    /** JDK-8372704: some give CPU time for the user time of the own id, without asking the agent. */
    @Test
    void isTheSameByIdForUserTimeWhereItIsOnTheStockJdk() throws Exception {
        assumeTrue(StockJvm.linesOf(OwnClockIT.class).contains("0"), "the stock JDK has another clock for the own id");
        userTimeById(ROUNDS).assertNoBreach(LAW);
    }

    /** Prints how often the clocks of user time differ. */
    public static void main(String[] arguments) {
        System.out.println(new OwnClockIT().userTimeById(FEW_ROUNDS).breaches());
    }

    private Tally userTimeById(int rounds) {
        return compare(rounds, THREADS::getCurrentThreadUserTime, () -> THREADS.getThreadUserTime(ownId));
    }

    @Test
    void isTheSameInArrays() throws InterruptedException {
        try (Parked other = new Parked(() -> {})) {
            long[] first = {ownId, other.id()};
            long[] last = {other.id(), other.id(), ownId};
            LongSupplier cpu = THREADS::getCurrentThreadCpuTime;
            compare(ROUNDS, cpu, () -> THREADS.getThreadCpuTime(first)[0]).assertNoBreach(LAW);
            compare(ROUNDS, cpu, () -> THREADS.getThreadCpuTime(last)[2]).assertNoBreach(LAW);
            LongSupplier user = THREADS::getCurrentThreadUserTime;
            compare(ROUNDS, user, () -> THREADS.getThreadUserTime(first)[0]).assertNoBreach(LAW);
            compare(ROUNDS, user, () -> THREADS.getThreadUserTime(last)[2]).assertNoBreach(LAW);
        }
    }

    /** Reads by turns in two ways; no reading may be less than the one before it. */
    private static Tally compare(int rounds, LongSupplier oneWay, LongSupplier otherWay) {
        Tally tally = new Tally();
        Disturbance disturbance = new Disturbance();
        long lastNs = 0;
        for (int i = 0; i < rounds; i++) {
            long nowNs = oneWay.getAsLong();
            tally.atLeast(lastNs, nowNs);
            lastNs = otherWay.getAsLong();
            tally.atLeast(nowNs, lastNs);
            disturbance.next();
        }
        return tally;
    }
}
