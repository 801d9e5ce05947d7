// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.probe;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Paths;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Measures {@code ThreadMXBean.getCurrentThreadUserTime()} of the JDK that runs this: its cost, how it is read, and how
 * well it shows short bursts of work. It is one class, for Java 8, and prints lines with a name and numbers, separated
 * by blanks.
 *
 * <p>Arguments: the clock tick in ns, the number of its phases that bursts begin at, and the bursts at each.
 */
public final class UserTimeProbe {
    private static final int ROUNDS = 20;
    private static final int CALLS_A_ROUND = 200;
    private static final int CALLS_COUNTED = 200;

    /** CPU time of the test: several steps of 10 ms. */
    private static final long STEPS_NS = TimeUnit.MILLISECONDS.toNanos(60);
    /**
     * Rounds of work between two looks are this part of a burst. They are mostly user work, because otherwise all ticks
     * would find the thread in a system call.
     */
    private static final long STEP_DIVISOR = 10;

    private static final long BURST_NS = TimeUnit.MICROSECONDS.toNanos(300);
    private static final long STEADY_WORK_NS = TimeUnit.MILLISECONDS.toNanos(100);
    /** Long enough for a timer and a wake-up, short enough to be outside of most ticks. */
    private static final long SPIN_NS = TimeUnit.MICROSECONDS.toNanos(100);
    /** A burst that begins later than this is at another phase, and is not counted. */
    private static final long LATE_NS = TimeUnit.MICROSECONDS.toNanos(30);

    private static final int ATTEMPTS_PER_BURST = 3;
    private static final int CALIBRATION_ROUNDS = 20_000;
    private static final int CALIBRATION_RUNS = 200;

    private final ThreadMXBean threads = ManagementFactory.getThreadMXBean();
    private long state = 1;

    private UserTimeProbe() {}

    /** The one to call. */
    public static void main(String[] arguments) {
        UserTimeProbe probe = new UserTimeProbe();
        System.out.println("jdk " + System.getProperty("java.version"));
        System.out.println("vm " + System.getProperty("java.vm.name"));
        if (!probe.threads.isCurrentThreadCpuTimeSupported()) {
            System.out.println("unsupported");
            return;
        }
        probe.threads.setThreadCpuTimeEnabled(true);
        long burstRounds = probe.roundsOf(BURST_NS);
        probe.work(burstRounds, STEADY_WORK_NS);
        probe.printCosts();
        probe.printReads();
        probe.printSteps(burstRounds / STEP_DIVISOR);
        int phases = Integer.parseInt(arguments[1]);
        for (int phase = 0; phase < phases; phase++) {
            long tickNs = Long.parseLong(arguments[0]);
            probe.printPhase(tickNs, tickNs * phase / phases, Integer.parseInt(arguments[2]), burstRounds);
        }
        System.out.println("end " + (probe.state == 0 ? 1 : 0));
    }

    private void work(long rounds, long lengthNs) {
        long beginNs = System.nanoTime();
        while (System.nanoTime() - beginNs < lengthNs) {
            state += (threads.getCurrentThreadCpuTime() + threads.getCurrentThreadUserTime()) & 1;
            burst(rounds);
        }
    }

    private void printCosts() {
        long userNs = Long.MAX_VALUE;
        long cpuNs = Long.MAX_VALUE;
        for (int round = 0; round < ROUNDS; round++) {
            long beginNs = System.nanoTime();
            for (int i = 0; i < CALLS_A_ROUND; i++) {
                state += threads.getCurrentThreadUserTime() & 1;
            }
            long betweenNs = System.nanoTime();
            for (int i = 0; i < CALLS_A_ROUND; i++) {
                state += threads.getCurrentThreadCpuTime() & 1;
            }
            userNs = Math.min(userNs, betweenNs - beginNs);
            cpuNs = Math.min(cpuNs, System.nanoTime() - betweenNs);
        }
        System.out.println("calls " + userNs / CALLS_A_ROUND + " " + cpuNs / CALLS_A_ROUND);
    }

    /** Prints how many read system calls the process has made for a number of calls, by the kernel's own account. */
    private void printReads() {
        try {
            long before = readCalls();
            long idle = readCalls() - before;
            for (int i = 0; i < CALLS_COUNTED; i++) {
                state += threads.getCurrentThreadUserTime() & 1;
            }
            System.out.println("reads " + Math.max(0, readCalls() - before - 2 * idle) + " " + CALLS_COUNTED);
        } catch (IOException noAccount) {
            System.out.println("reads -1 " + CALLS_COUNTED);
        }
    }

    private static long readCalls() throws IOException {
        byte[] text = Files.readAllBytes(Paths.get("/proc/self/io"));
        for (String line : new String(text, StandardCharsets.US_ASCII).split("\n")) {
            if (line.startsWith("syscr: ")) {
                return Long.parseLong(line.substring("syscr: ".length()));
            }
        }
        throw new IOException("no count of read calls");
    }

    /**
     * Prints the median step of user time, and how often it moves in a certain time, while the thread does nothing but
     * user work.
     */
    private void printSteps(long rounds) {
        List<Long> steps = new ArrayList<>();
        long beginNs = System.nanoTime();
        long cpuNs = threads.getCurrentThreadCpuTime();
        long lastNs = threads.getCurrentThreadUserTime();
        for (long spentNs = 0; spentNs < STEPS_NS; spentNs = threads.getCurrentThreadCpuTime() - cpuNs) {
            burst(rounds);
            long nowNs = threads.getCurrentThreadUserTime();
            if (nowNs != lastNs) {
                steps.add(nowNs - lastNs);
                lastNs = nowNs;
            }
        }
        Collections.sort(steps);
        long stepNs = steps.isEmpty() ? 0 : steps.get(steps.size() / 2);
        System.out.println("steps " + stepNs + " " + steps.size() + " " + (System.nanoTime() - beginNs));
    }

    private void printPhase(long tickNs, long offsetNs, int bursts, long rounds) {
        int done = 0;
        long userNs = 0;
        long cpuNs = 0;
        for (int attempt = 0; attempt < bursts * ATTEMPTS_PER_BURST && done < bursts; attempt++) {
            long earliestNs = System.nanoTime() + SPIN_NS;
            if (!waitFor(earliestNs + Math.floorMod(offsetNs - earliestNs, tickNs))) {
                continue;
            }
            long cpuBeforeNs = threads.getCurrentThreadCpuTime();
            long userBeforeNs = threads.getCurrentThreadUserTime();
            burst(rounds);
            cpuNs += threads.getCurrentThreadCpuTime() - cpuBeforeNs;
            userNs += threads.getCurrentThreadUserTime() - userBeforeNs;
            done++;
        }
        System.out.println("phase " + offsetNs + " " + done + " " + userNs + " " + cpuNs);
    }

    private static boolean waitFor(long beginNs) {
        LockSupport.parkNanos(beginNs - System.nanoTime() - SPIN_NS);
        while (System.nanoTime() - beginNs < 0) {
            continue;
        }
        return System.nanoTime() - beginNs < LATE_NS;
    }

    /**
     * The work is a count of rounds and not a time, because work that ends by the clock would end at one phase of the
     * tick as well.
     */
    private void burst(long rounds) {
        long x = state;
        for (long i = 0; i < rounds; i++) {
            x ^= x << 13;
            x ^= x >>> 7;
            x ^= x << 17;
        }
        state = x;
    }

    private long roundsOf(long lengthNs) {
        long shortestNs = Long.MAX_VALUE;
        for (int i = 0; i < CALIBRATION_RUNS; i++) {
            long beginNs = System.nanoTime();
            burst(CALIBRATION_ROUNDS);
            shortestNs = Math.min(shortestNs, System.nanoTime() - beginNs);
        }
        return Math.max(1, CALIBRATION_ROUNDS * lengthNs / Math.max(1, shortestNs));
    }
}
