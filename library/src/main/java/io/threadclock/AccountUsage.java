// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * The usage of a {@link CpuAccount} up to one reading. User time + system time = CPU time, and CPU time + run delay +
 * the time in which the threads did not run = wall time; both exactly. (The second is true of the parts whose waits are
 * known: if {@link #partsOfUnknownWaits()} is not 0, the rest of the wall time is theirs.) For the usage from one
 * reading to another, see {@link CostsByKey.Snapshot#since}. Immutable.
 *
 * @since 0.1
 */
public final class AccountUsage {
    private final long[] figures;

    /** Takes figures by the indexes of {@link PartSlot}. */
    AccountUsage(long[] figures) {
        this.figures = figures;
    }

    /** What was used after an earlier reading, which is null if there was nothing. */
    AccountUsage since(AccountUsage earlier) {
        long[] used = figures.clone();
        for (int i = 0; earlier != null && i < used.length; i++) {
            used[i] -= earlier.figures[i];
        }
        return new AccountUsage(used);
    }

    /** {@return user time + system time of all parts, in ns; ≥ 0} */
    public long cpuTimeNs() {
        return figures[PartSlot.CPU];
    }

    /** {@return time in the program's own code, in ns; from 0 to the CPU time} */
    public long userTimeNs() {
        return figures[PartSlot.USER];
    }

    /** {@return time in the kernel on behalf of the program, in ns; from 0 to the CPU time} */
    public long systemTimeNs() {
        return cpuTimeNs() - userTimeNs();
    }

    /**
     * {@return wall time of all parts, in ns; at least the CPU time} Parts that run at the same time add up, so it can
     * grow faster than a clock.
     */
    public long wallTimeNs() {
        return figures[PartSlot.WALL];
    }

    /**
     * {@return run-queue delay of the parts, in ns: time in which their threads wanted to run and had no CPU; -1 if it
     * is known of none} See {@link ThreadWaits#runDelayNs()}.
     */
    public long runDelayNs() {
        return wait(PartSlot.RUN_DELAY);
    }

    /**
     * {@return time of the parts in which their threads did not want to run, in ns: they slept, or waited for locks,
     * input, or other threads; -1 if it is known of none} It is wall time - CPU time - run delay.
     */
    public long notRunningNs() {
        return wait(PartSlot.NOT_RUNNING);
    }

    /** {@return how often the threads gave up their CPU themselves in the parts; -1 if it is known of none} */
    public long voluntarySwitches() {
        return wait(PartSlot.VOLUNTARY);
    }

    /** {@return how often the threads were switched out while they could have gone on; -1 if it is known of none} */
    public long involuntarySwitches() {
        return wait(PartSlot.INVOLUNTARY);
    }

    private long wait(int figure) {
        long toldNs = figures[PartSlot.RUN_DELAY] + figures[PartSlot.NOT_RUNNING];
        return isAnyKnown(partsOfUnknownWaits(), toldNs) ? figures[figure] : ThreadWaits.UNKNOWN;
    }

    /** A part that is unknown now may have told something before, and one that runs may have begun before. */
    private boolean isAnyKnown(long unknownParts, long told) {
        return parts() == 0 && wallTimeNs() == 0 || unknownParts < parts() || told > 0;
    }

    /**
     * {@return number of those parts whose waits are not known, or not up to this reading, and not in the figures} If
     * it is not 0, run delay, the time in which the threads did not run, and switches are too small. A part counts here
     * if it is unmeasured, or in a virtual thread, or the kernel does not tell
     * ({@link ThreadClock#readWithWaits(TimesHolder)}). A part that runs counts unless its own thread has read the
     * account: when it ends, its waits are known after all.
     */
    public long partsOfUnknownWaits() {
        return figures[PartSlot.UNKNOWN_WAITS];
    }

    /**
     * {@return bytes that the parts have allocated on the heap; -1 if that is known of none} They are counted by
     * accounts that {@link CpuAccount#withAllocatedBytes()} has made, in platform threads of JVMs that count them.
     */
    public long allocatedBytes() {
        return isAnyKnown(partsOfUnknownBytes(), figures[PartSlot.BYTES])
                ? figures[PartSlot.BYTES]
                : AllocatedBytes.UNKNOWN;
    }

    /**
     * {@return number of those parts of which it is not known what they have allocated, or not up to this reading, and
     * which are not in the figure} A part that runs counts unless its own thread has read the account.
     */
    public long partsOfUnknownBytes() {
        return figures[PartSlot.UNKNOWN_BYTES];
    }

    /**
     * {@return number of parts that have begun} A part that a thread enters inside of another one of the same account
     * is not counted.
     */
    public long parts() {
        return figures[PartSlot.PARTS];
    }

    /**
     * {@return number of those parts whose times are unknown, and not in the figures} If it is not 0, the account has
     * used more than its times say. A part is unmeasured if {@link ThreadClock#canRead()} was false in its thread. A
     * part that runs is also counted here if others cannot read its thread; when it ends, its times are known after
     * all.
     */
    public long unmeasuredParts() {
        return figures[PartSlot.UNMEASURED];
    }

    /**
     * {@return number of those parts that ran in workers of a {@code ForkJoinPool}, such as the common pool's} What
     * they have forked is in the figures only as far as the same worker ran it; if it is not 0, the account may have
     * used more than its figures say. Workers of {@link CpuAccount#forkJoinWorkerFactory()} do not count here. Nothing
     * tells what a part in another thread has handed to the common pool, by a parallel stream for instance.
     */
    public long partsThatMayFork() {
        return figures[PartSlot.FORKING];
    }

    /**
     * {@return number of threads that have had parts; exact up to 64} If there have been more, a thread that comes back
     * may be counted again.
     */
    public long threads() {
        return figures[PartSlot.THREADS];
    }

    @Override
    public String toString() {
        return "CPU " + cpuTimeNs() + " ns = user " + userTimeNs() + " ns + system " + systemTimeNs()
                + " ns, run delay "
                + ThreadWaits.inWords(runDelayNs(), " ns") + ", not running "
                + ThreadWaits.inWords(notRunningNs(), " ns") + ", wall " + wallTimeNs() + " ns, switches "
                + ThreadWaits.inWords(voluntarySwitches(), " voluntary") + " + "
                + ThreadWaits.inWords(involuntarySwitches(), " involuntary") + ", allocated "
                + ThreadWaits.inWords(allocatedBytes(), " bytes") + ", parts " + parts() + " (unmeasured "
                + unmeasuredParts() + ", of unknown waits " + partsOfUnknownWaits() + ", that may fork "
                + partsThatMayFork() + "), threads "
                + threads();
    }
}
