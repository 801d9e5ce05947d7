// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

import io.threadclock.lab.demo.message.PhaseRequest;
import io.threadclock.lab.demo.message.PhaseResult;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.concurrent.Callable;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.TimeUnit;

/** One thread's share of a phase: unit after unit until the time is over. */
final class Worker implements Callable<PhaseResult> {
    /** A worker that fails before the start must not leave the others waiting. */
    private static final int START_TIMEOUT_S = 30;

    private final TradeClient client;
    private final PhaseRequest request;
    private final CyclicBarrier start;
    private final TimedReadings readings;
    private final UnitLedger ledger = new UnitLedger();
    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    /** What the units found; kept so that no compiler can leave their work out. */
    private double found;

    Worker(TradeClient client, PhaseRequest request, CyclicBarrier start) {
        this.client = client;
        this.request = request;
        this.start = start;
        this.readings = new TimedReadings(request.attribution());
    }

    @Override
    public PhaseResult call() throws Exception {
        start.await(START_TIMEOUT_S, TimeUnit.SECONDS);
        long beginNs = System.nanoTime();
        long beginCpuNs = threads.getCurrentThreadCpuTime();
        workUntil(beginNs + TimeUnit.MILLISECONDS.toNanos(request.durationMs()));
        return result(beginCpuNs, System.nanoTime() - beginNs);
    }

    private void workUntil(long endNs) throws Exception {
        for (long turn = 0; System.nanoTime() - endNs < 0; turn++) {
            long cpuBeforeNs = readings.cpuNs();
            long userBeforeNs = readings.userNs();
            found += client.work(turn);
            long cpuAfterNs = readings.cpuNs();
            long userAfterNs = readings.userNs();
            ledger.charge(cpuBeforeNs, userBeforeNs, cpuAfterNs, userAfterNs);
        }
    }

    private PhaseResult result(long beginCpuNs, long wallNs) throws IOException {
        KernelTimes kernel = KernelTimes.ofCurrentThread();
        long userNs = threads.getCurrentThreadUserTime();
        long cpuNs = threads.getCurrentThreadCpuTime();
        ledger.settle(cpuNs);
        return new PhaseResult(
                ledger.units(),
                ledger.unitsWithoutUserTime(),
                wallNs,
                userNs,
                cpuNs,
                cpuNs - beginCpuNs,
                kernel.userNs(),
                kernel.systemNs(),
                ledger.breaches(),
                readings.userCallNs(),
                readings.cpuCallNs());
    }
}
