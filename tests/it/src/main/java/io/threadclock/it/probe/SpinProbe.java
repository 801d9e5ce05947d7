// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.Semaphore;

/**
 * A thread spins and reads its own times before and after, the user time inside the CPU time. While it waits, the main
 * thread asks for the same by the thread's id, which is the kernel's word: around the thread's own readings, and
 * between them.
 *
 * <p>Argument: the milliseconds of CPU time to spin for: by the wall's, a busy machine would leave it few clock ticks.
 */
public final class SpinProbe {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final Semaphore spinnersTurn = new Semaphore(0);
    private final Semaphore askersTurn = new Semaphore(0);
    private final long spinMs;
    private long userNs;
    private long cpuNs;
    private long userTicks;
    private long systemTicks;

    private SpinProbe(long spinMs) {
        this.spinMs = spinMs;
    }

    public static void main(String[] arguments) throws InterruptedException {
        new SpinProbe(Long.parseLong(arguments[0])).run();
    }

    private void run() throws InterruptedException {
        Thread spinner = new Thread(this::spin);
        spinner.start();
        long beforeNs = cpuNsOnItsTurn(spinner);
        long insideNs = cpuNsOnItsTurn(spinner);
        insideNs = cpuNsOnItsTurn(spinner) - insideNs;
        long aroundNs = cpuNsOnItsTurn(spinner) - beforeNs;
        spinner.join();
        Fact.print("user", userNs);
        Fact.print("cpu", cpuNs);
        Fact.print("cpuByIdInside", insideNs);
        Fact.print("cpuByIdAround", aroundNs);
        Fact.print("kernelUserTicks", userTicks);
        Fact.print("kernelSystemTicks", systemTicks);
    }

    private long cpuNsOnItsTurn(Thread spinner) throws InterruptedException {
        askersTurn.acquire();
        long nowNs = THREADS.getThreadCpuTime(spinner.getId());
        spinnersTurn.release();
        return nowNs;
    }

    private void letAsk() {
        askersTurn.release();
        spinnersTurn.acquireUninterruptibly();
    }

    private void spin() {
        THREADS.getCurrentThreadUserTime();
        Work.spin(1); // loads classes
        long[] beginTicks = KernelAccount.splitTicks();
        letAsk();
        long cpuBeginNs = THREADS.getCurrentThreadCpuTime();
        long userBeginNs = THREADS.getCurrentThreadUserTime();
        letAsk();
        Work.spin(spinMs);
        letAsk();
        userNs = THREADS.getCurrentThreadUserTime() - userBeginNs;
        cpuNs = THREADS.getCurrentThreadCpuTime() - cpuBeginNs;
        letAsk();
        long[] endTicks = KernelAccount.splitTicks();
        userTicks = endTicks[0] - beginTicks[0];
        systemTicks = endTicks[1] - beginTicks[1];
    }
}
