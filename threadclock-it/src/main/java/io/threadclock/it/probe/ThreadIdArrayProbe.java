// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.function.Function;

/** Prints the answers of the methods that take an array of ids. */
public final class ThreadIdArrayProbe {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private ThreadIdArrayProbe() {}

    public static void main(String[] arguments) throws InterruptedException {
        try (Parked other = new Parked(() -> {})) {
            print("cpu", THREADS::getThreadCpuTime, other.id());
            print("user", THREADS::getThreadUserTime, other.id());
            THREADS.setThreadCpuTimeEnabled(false);
            print("disabled.cpu", THREADS::getThreadCpuTime, other.id());
            print("disabled.user", THREADS::getThreadUserTime, other.id());
        }
    }

    private static void print(String time, Function<long[], long[]> byIds, long otherId) throws InterruptedException {
        long ownId = ThreadIdProbe.ownId();
        long endedId = ThreadIdProbe.endedId();
        Fact.print(time + ".own", kinds(byIds, ownId));
        Fact.print(time + ".ownAndOther", kinds(byIds, ownId, otherId));
        Fact.print(time + ".ownEndedOther", kinds(byIds, ownId, endedId, otherId));
        Fact.print(time + ".ownTwice", kinds(byIds, ownId, ownId));
        Fact.print(time + ".none", kinds(byIds));
        Fact.print(time + ".ownAndZero", kinds(byIds, ownId, 0));
        Fact.print(time + ".zero", kinds(byIds, 0));
        Fact.print(time + ".null", kinds(byIds, (long[]) null));
    }

    private static String kinds(Function<long[], long[]> byIds, long... ids) {
        return Fact.kinds(() -> byIds.apply(ids));
    }
}
