// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.function.LongSupplier;

/**
 * Prints the times that the main thread reads of threads that have used a known CPU time and now wait. Those called
 * "before" have done so before the gate "begin", where the agent may be attached.
 *
 * <p>Argument: the milliseconds of CPU time of each.
 */
public final class TruthProbe {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    private final List<Worker> workers = new ArrayList<>();

    private TruthProbe() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        long cpuMs = Long.parseLong(arguments[0]);
        TruthProbe probe = new TruthProbe();
        probe.startAll("before", cpuMs);
        Gate.await("begin");
        probe.startAll("after", cpuMs);
        probe.printAll();
        probe.workers.forEach(worker -> worker.parked.close());
    }

    private void startAll(String when, long cpuMs) throws InterruptedException {
        workers.add(new Worker(when + ".spinner", () -> Work.spin(cpuMs)));
        workers.add(new Worker(when + ".selfReadingSpinner", () -> readingItself(cpuMs)));
        workers.add(new Worker(when + ".zeroReader", () -> Work.readZeros(cpuMs)));
        workers.add(new Worker(when + ".idler", KernelAccount::cpuNs));
    }

    private static long readingItself(long cpuMs) {
        THREADS.getCurrentThreadUserTime();
        Work.spin(cpuMs);
        THREADS.getCurrentThreadUserTime();
        return KernelAccount.cpuNs();
    }

    private void printAll() {
        long[] ids = workers.stream().mapToLong(worker -> worker.parked.id()).toArray();
        long[] userNs = THREADS.getThreadUserTime(ids);
        long[] cpuNs = THREADS.getThreadCpuTime(ids);
        for (int i = 0; i < ids.length; i++) {
            String name = workers.get(i).name;
            Fact.print(name + ".kernelNs", workers.get(i).kernelNs);
            Fact.print(name + ".byId.userNs", THREADS.getThreadUserTime(ids[i]));
            Fact.print(name + ".byId.cpuNs", THREADS.getThreadCpuTime(ids[i]));
            Fact.print(name + ".byArray.userNs", userNs[i]);
            Fact.print(name + ".byArray.cpuNs", cpuNs[i]);
            long[] ticks = KernelAccount.splitTicksOf(workers.get(i).parked.tid());
            Fact.print(name + ".kernelUserTicks", ticks[0]);
            Fact.print(name + ".kernelSystemTicks", ticks[1]);
            Fact.print(
                    name + ".kernelAfterNs",
                    KernelAccount.cpuNsOf(workers.get(i).parked.tid()));
        }
    }

    private static final class Worker {
        private final String name;
        private final Parked parked;
        private volatile long kernelNs;

        Worker(String name, LongSupplier work) throws InterruptedException {
            this.name = name;
            this.parked = new Parked(() -> kernelNs = work.getAsLong());
        }
    }
}
