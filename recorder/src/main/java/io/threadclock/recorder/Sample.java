// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.List;

/**
 * The work of a JVM since the sample before.
 *
 * @param wallUs the moment, since 1970
 * @param elapsedUs since the sample before
 * @param threadCount number of its threads
 * @param whole all its threads together, ended ones included
 * @param ownNs CPU time that sampling has cost it, a part of that
 * @param threads the threads that have run
 * @param names of threads that are new, or have another name or kind than before
 * @param pools the pools of measured virtual threads that have run, and the carriers' rest; their time is a part of
 *     that of the carriers, which are among the threads
 */
public record Sample(
        JvmName jvm,
        long wallUs,
        long elapsedUs,
        int threadCount,
        Whole whole,
        long ownNs,
        List<ThreadTimes> threads,
        List<ThreadName> names,
        List<PoolTimes> pools) {

    /**
     * @param elapsedUs the time to which the others belong; with many threads the kernel is asked less often, because
     *     this is expensive; 0: it was not asked this time
     */
    public record Whole(long elapsedUs, long userNs, long systemNs) {
        public static final Whole NOT_ASKED = new Whole(0, 0, 0);
    }

    /**
     * @param thread see {@link ThreadName#thread}
     * @param elapsedUs the time to which the others belong; thousands of threads are not read in each sample
     * @param waitingNs run-queue delay, of waits that have ended since; {@link #UNKNOWN}: not known
     */
    public record ThreadTimes(long thread, int elapsedUs, long userNs, long systemNs, long waitingNs) {
        /** What QuestDB has for null. */
        public static final long UNKNOWN = Long.MIN_VALUE;

        /** Times of a thread of whose waits nothing is known. */
        public ThreadTimes(long thread, int elapsedUs, long userNs, long systemNs) {
            this(thread, elapsedUs, userNs, systemNs, UNKNOWN);
        }
    }

    /**
     * @param thread identifies one thread as long as its JVM lives
     * @param javaId 0: not known, or not a Java thread
     * @param pool the common name of the threads of one pool
     * @param kind java, gc, jit, vm, …
     */
    public record ThreadName(long thread, int tid, long javaId, String name, String pool, String kind) {}

    /**
     * @param number identifies the pool as long as its JVM lives; {@link #REST}: what its carriers use between two
     *     mounts
     * @param pool its name, or what stands for it
     * @param threads those that have been mounted and have not ended
     * @param mounts 0 for the carriers' rest
     */
    public record PoolTimes(int number, String pool, int threads, long mounts, long userNs, long systemNs) {
        public static final int REST = 0;
    }
}
