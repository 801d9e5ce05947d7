// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

/**
 * Time that the hypervisor takes from one thread, by {@link Witness}'s law: while a thread is not switched out, its wall time
 * and its CPU time differ by what was stolen. The looks tell the difference from both sides: nothing counts as stolen unless
 * the least difference says so, and then the greatest one counts. Time that was stolen before a switch counts until the next
 * one, because a reading that was ahead stands still until the kernel has caught up. Nothing is known of time in which the
 * thread was switched out.
 */
final class StolenTime {
    private KernelClock.Look since;
    private long beforeNs;
    private long nowNs;

    /** Looks before work begins. */
    void begin(KernelClock.Look look) {
        if (since == null
                || since.switches() != look.switches()
                || look.wallAfterNs() - since.wallBeforeNs() > Witness.EPOCH_NS) {
            since = look;
            beforeNs = nowNs;
            nowNs = 0;
        }
    }

    /** The time that misleads readings up to now, in ns; 0 if the thread was switched out since it began. */
    long upTo(KernelClock.Look look) {
        if (since.switches() != look.switches()) {
            return 0;
        }
        long cpuNs = look.cpuNs() - since.cpuNs();
        if (look.wallBeforeNs() - since.wallAfterNs() > cpuNs) {
            nowNs = Math.max(nowNs, look.wallAfterNs() - since.wallBeforeNs() - cpuNs);
        }
        return beforeNs + nowNs;
    }
}
