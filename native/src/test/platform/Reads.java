// SPDX-License-Identifier: Apache-2.0

import io.threadclock.ThreadClock;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Prints facts: what the unmodified ThreadMXBean and the Java library say of work of this thread. */
public final class Reads {
    private static final int ROUNDS = 200;
    private static volatile long sum;

    public static void main(String[] arguments) {
        ThreadMXBean bean = ManagementFactory.getThreadMXBean();
        boolean hasLibrary = arguments.length > 0;
        long wallNs = System.nanoTime();
        long cpuNs = bean.getCurrentThreadCpuTime();
        long userNs = bean.getCurrentThreadUserTime();
        long lastCpuNs = cpuNs;
        int contradictions = 0;
        for (int round = 0; round < ROUNDS; round++) {
            work();
            long user = bean.getCurrentThreadUserTime();
            long cpu = bean.getCurrentThreadCpuTime();
            long library = hasLibrary ? ThreadClock.cpuTimeNs() : bean.getCurrentThreadCpuTime();
            long after = bean.getCurrentThreadCpuTime();
            contradictions += user > cpu || cpu < lastCpuNs || library < cpu || after < library ? 1 : 0;
            lastCpuNs = after;
        }
        userNs = bean.getCurrentThreadUserTime() - userNs;
        cpuNs = bean.getCurrentThreadCpuTime() - cpuNs;
        wallNs = System.nanoTime() - wallNs;
        System.out.println("arch=" + System.getProperty("os.arch"));
        System.out.println("contradictions=" + contradictions);
        System.out.println("cpuMs=" + cpuNs / 1_000_000);
        System.out.println("userMs=" + userNs / 1_000_000);
        System.out.println("wallMs=" + wallNs / 1_000_000);
        if (hasLibrary) {
            System.out.println("source=" + ThreadClock.source());
        }
    }

    private static void work() {
        long s = 0;
        for (int i = 0; i < 500_000; i++) {
            s += (long) i * i;
        }
        sum += s;
    }
}
