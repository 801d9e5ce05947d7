// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.concurrent.atomic.LongAdder;
import java.util.concurrent.locks.LockSupport;

/** The laws that all readings of times keep, and how often each was broken. Thread-safe. */
final class Judge {
    static final String FIRST = "first: "; // so begins a line on standard error that tells of a law's first breach
    /** An anchor is exact to half the time that the kernel's reading took, which may be interrupted. */
    static final long BELOW_NS = 10_000;
    /** As BELOW_NS, plus 50 ppm of a window, which is the error of the first calibration of the counter. */
    static final long ABOVE_NS = 10_000;
    /**
     * Hypervisors were seen to take 0.6 ms in one piece; a switch that goes unnoticed shows by up to a window, 4 ms.
     */
    static final long JUMP_NS = 1_000_000;
    /** After this time the clock has asked the kernel again, and stolen time no longer shows. */
    private static final long EPOCH_NS = 12_000_000;

    final LongAdder readings = new LongAdder();
    private final LongAdder switches = new LongAdder(); // readings in which, or just before which, there was one
    private final AtomicLongArray breaches = new AtomicLongArray(Law.values().length);

    enum Law {
        BELOW_KERNEL("below the kernel's clock read before"),
        ABOVE_KERNEL("above the kernel's clock read after, and what was stolen"),
        MISSED_SWITCH("ahead of the kernel after a switch"),
        NO_SUM("user + system time ≠ CPU time"),
        BACKWARDS("less than the reading before"),
        USER_ABOVE_CPU("user time grew by more than CPU time"),
        OTHERS_DISAGREE("less than what another thread had read"),
        WRONG_ANSWER("a figure for an ended or virtual thread, or none for a live one"),
        EXCEPTION("exceptions");

        final String breach;

        Law(String breach) {
            this.breach = breach;
        }
    }

    /** @param excessNs by how much the law is broken; it holds if that is not more than 0 */
    void check(Law law, String reader, long excessNs) {
        if (excessNs > 0) {
            add(law, reader + ", by " + excessNs + " ns");
        }
    }

    void add(Law law, String detail) {
        if (breaches.getAndIncrement(law.ordinal()) == 0) {
            System.err.println(FIRST + law.breach + ": " + detail);
        }
    }

    /** Readings, switches, and the breaches of each law. */
    String counts() {
        return readings + " " + switches + " " + breaches.toString().replaceAll("[^0-9 ]", "");
    }

    /**
     * Holds one thread's readings of CPU time against the kernel's clock before and after each. The time-stamp counter
     * also counts what the kernel does not book: what a hypervisor takes away. It shows: while a thread is not switched
     * out, wall time passes just as CPU time does, and what it passes faster was stolen. So the laws are {@code before
     * - BELOW <= reading <= after + stolen + ABOVE}, and that no reading gets ahead of the kernel by more than JUMP
     * while the thread is switched out: that would be a switch that went unnoticed.
     */
    final class Witness {
        private Stretch stretch;
        private long excessNs;

        /** Since the first look after a switch. Readings never go back, so they may still be ahead as before. */
        private record Stretch(BareClocks.Look begin, long aheadNs, long slackNs) {
            long stolenNs(BareClocks.Look now) {
                long elapsedNs = now.wallAfterNs() - begin.wallBeforeNs();
                return aheadNs + Math.max(0, elapsedNs - (now.cpuNs() - begin.cpuNs()));
            }
        }

        void judge(BareClocks.Look before, long cpuNs, BareClocks.Look after) {
            readings.increment();
            boolean isSwitchedBefore = stretch != null && stretch.begin.switches() != before.switches();
            boolean isSwitchedWithin = before.switches() != after.switches();
            boolean isSwitched = isSwitchedBefore || isSwitchedWithin;
            switches.add(isSwitched ? 1 : 0);
            if (stretch == null || isSwitchedBefore) {
                stretch = new Stretch(before, excessNs, ABOVE_NS);
            }
            check(Law.BELOW_KERNEL, "CPU time", before.cpuNs() - cpuNs - BELOW_NS);
            long aheadNs = cpuNs - after.cpuNs();
            // Time stolen between the reading and the look after it looks like time that other threads had the CPU.
            long slackNs = isSwitchedWithin ? JUMP_NS : stretch.slackNs;
            long excusedNs = stretch.stolenNs(isSwitchedWithin ? before : after) + slackNs;
            check(isSwitched ? Law.MISSED_SWITCH : Law.ABOVE_KERNEL, "CPU time", aheadNs - excusedNs);
            excessNs = Math.max(0, aheadNs);
            if (isSwitchedWithin) {
                stretch = new Stretch(after, excessNs, JUMP_NS);
            } else if (after.wallAfterNs() - stretch.begin.wallBeforeNs() > EPOCH_NS) {
                LockSupport.parkNanos(1); // so that what was stolen is no excuse any more
            }
        }
    }

    /** The readings of one thread by one reader, in order. Each is compared with the one before. */
    final class Sequence {
        private long lastCpuNs;
        private long lastUserNs;

        /** Adds all times of one consistent reading. */
        void next(String reader, long cpuNs, long userNs, long systemNs) {
            check(Law.NO_SUM, reader, Math.abs(userNs + systemNs - cpuNs));
            check(Law.USER_ABOVE_CPU, reader, userNs - lastUserNs - (cpuNs - lastCpuNs));
            next(reader, userNs, cpuNs);
        }

        /** Adds user time, and CPU time that was read after it. */
        void next(String reader, long userNs, long cpuNs) {
            check(Law.WRONG_ANSWER, reader, -Math.min(userNs, cpuNs));
            check(Law.BACKWARDS, reader, Math.max(lastUserNs - userNs, lastCpuNs - cpuNs));
            check(Law.USER_ABOVE_CPU, reader, userNs - cpuNs);
            lastCpuNs = cpuNs;
            lastUserNs = userNs;
        }
    }

    /** The greatest times that anybody has read of a thread by threadclock's clock. Thread-safe. */
    final class Seen {
        private final AtomicLong greatestCpuNs = new AtomicLong();
        private final AtomicLong greatestUserNs = new AtomicLong();

        /** CPU and user time: no reading may be below that begins now. */
        long[] floor() {
            return new long[] {greatestCpuNs.get(), greatestUserNs.get()};
        }

        void show(long[] floor, long cpuNs, long userNs, String reader) {
            check(Law.OTHERS_DISAGREE, reader, Math.max(floor[0] - cpuNs, floor[1] - userNs));
            greatestCpuNs.accumulateAndGet(cpuNs, Math::max);
            greatestUserNs.accumulateAndGet(userNs, Math::max);
        }
    }
}
