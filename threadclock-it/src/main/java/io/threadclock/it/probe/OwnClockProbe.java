// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.function.LongSupplier;

/**
 * A thread reads itself by turns as the current thread and in another way, by id or by array; none of its readings may
 * be less than the one before it. At the gate "begin" the agent may be attached.
 *
 * <p>Argument: the rounds.
 */
public final class OwnClockProbe {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final int rounds;

    private OwnClockProbe(int rounds) {
        this.rounds = rounds;
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        Gate.await("begin");
        OwnClockProbe probe = new OwnClockProbe(Integer.parseInt(arguments[0]));
        long ownId = ThreadIdProbe.ownId();
        try (Parked other = new Parked(() -> {})) {
            long[] first = {ownId, other.id()};
            long[] last = {other.id(), other.id(), ownId};
            LongSupplier cpu = THREADS::getCurrentThreadCpuTime;
            probe.compare("cpu.byId", cpu, () -> THREADS.getThreadCpuTime(ownId));
            probe.compare("cpu.firstInArray", cpu, () -> THREADS.getThreadCpuTime(first)[0]);
            probe.compare("cpu.lastInArray", cpu, () -> THREADS.getThreadCpuTime(last)[2]);
            LongSupplier user = THREADS::getCurrentThreadUserTime;
            probe.compare("user.byId", user, () -> THREADS.getThreadUserTime(ownId));
            probe.compare("user.firstInArray", user, () -> THREADS.getThreadUserTime(first)[0]);
            probe.compare("user.lastInArray", user, () -> THREADS.getThreadUserTime(last)[2]);
        }
    }

    private void compare(String name, LongSupplier oneWay, LongSupplier otherWay) {
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
        tally.print(name);
    }
}
