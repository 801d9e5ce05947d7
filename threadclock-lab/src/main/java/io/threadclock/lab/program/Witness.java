// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.lab.program.Breaches.Breach;

/**
 * Holds one thread's readings of CPU time against the kernel's clock before and after each.
 *
 * <p>The time-stamp counter also counts what the kernel does not book: what a hypervisor takes away. It shows: while a
 * thread is not switched out, wall time passes just as CPU time does, and what it passes faster was stolen. So the laws
 * are {@code before - BELOW <= reading <= after + stolen + ABOVE}, and that no reading gets ahead of the kernel by more
 * than JUMP while the thread is switched out: that would be a switch that went unnoticed.
 */
final class Witness {
    /** An anchor is exact to half the time that the kernel's reading took, which may be interrupted. */
    static final long BELOW_NS = 10_000;
    /** As BELOW_NS, plus 50 ppm of a window, which is the error of the first calibration of the counter. */
    static final long ABOVE_NS = 10_000;

    /** Hypervisors were seen to take 0.6 ms in one piece; a switch that goes unnoticed shows by up to a window, 4 ms. */
    static final long JUMP_NS = 1_000_000;
    /** After this time the clock has asked the kernel again, and stolen time no longer shows. */
    static final long EPOCH_NS = 12_000_000;

    private final Breaches breaches;
    /** The first look after the last switch. */
    private KernelClock.Look since;

    private long excessNs;
    private long stolenBeforeNs;
    private long slackNs = ABOVE_NS;

    Witness(Breaches breaches) {
        this.breaches = breaches;
    }

    void judge(KernelClock.Look before, long cpuNs, KernelClock.Look after) {
        breaches.reading();
        Breach ahead = Breach.ABOVE_KERNEL;
        if (since == null) {
            begin(before, ABOVE_NS);
        } else if (since.switches() != before.switches()) {
            breaches.switched();
            begin(before, ABOVE_NS);
            ahead = Breach.MISSED_SWITCH;
        }
        long belowNs = before.cpuNs() - cpuNs;
        long aheadNs = cpuNs - after.cpuNs();
        breaches.check(belowNs > BELOW_NS, Breach.BELOW_KERNEL, "ns", belowNs);
        if (before.switches() == after.switches()) {
            long unexplainedNs = aheadNs - stolenNs(after);
            breaches.check(unexplainedNs > slackNs, ahead, "ns", unexplainedNs);
        } else {
            judgeSwitched(aheadNs, before, after);
        }
        excessNs = Math.max(0, aheadNs);
    }

    /** Whether it is time to sleep a moment: then what was stolen is no excuse any more. */
    boolean epochIsOver(KernelClock.Look now) {
        return since != null && now.wallAfterNs() - since.wallBeforeNs() > EPOCH_NS;
    }

    /** Time stolen between the reading and the look after it looks like time that other threads had the CPU. */
    private void judgeSwitched(long aheadNs, KernelClock.Look before, KernelClock.Look after) {
        breaches.switched();
        long jumpedNs = aheadNs - stolenNs(before);
        breaches.check(jumpedNs > JUMP_NS, Breach.MISSED_SWITCH, "ns", jumpedNs);
        excessNs = Math.max(0, aheadNs);
        begin(after, JUMP_NS);
    }

    /** Begins a new stretch. Readings never go back, so they may still be ahead as before. */
    private void begin(KernelClock.Look look, long slack) {
        since = look;
        slackNs = slack;
        stolenBeforeNs = excessNs;
    }

    private long stolenNs(KernelClock.Look now) {
        long elapsedNs = now.wallAfterNs() - since.wallBeforeNs();
        return stolenBeforeNs + Math.max(0, elapsedNs - (now.cpuNs() - since.cpuNs()));
    }
}
