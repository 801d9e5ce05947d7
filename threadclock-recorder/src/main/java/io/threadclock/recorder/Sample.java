// SPDX-License-Identifier: Apache-2.0
package io.threadclock.recorder;

import java.util.List;

/**
 * What a JVM has done since the look before.
 *
 * @param wallUs the moment, since 1970
 * @param elapsedUs since the look before
 * @param threadCount how many threads it has
 * @param whole all its threads together, ended ones too
 * @param ownNs CPU time that looking has cost it, a part of that
 * @param threads those that have done anything
 * @param names of threads that are new, or have another name than before
 */
public record Sample(
        JvmName jvm,
        long wallUs,
        long elapsedUs,
        int threadCount,
        Whole whole,
        long ownNs,
        List<ThreadTimes> threads,
        List<ThreadName> names) {

    /**
     * @param elapsedUs what these are of: with many threads the kernel is asked for them less often, as that is dear; 0: it
     *     was not asked this time
     */
    public record Whole(long elapsedUs, long userNs, long systemNs) {
        public static final Whole NOT_ASKED = new Whole(0, 0, 0);
    }

    /**
     * @param thread see {@link ThreadName#thread}
     * @param elapsedUs what these are of: thousands of threads are not read at each look
     */
    public record ThreadTimes(long thread, int elapsedUs, long userNs, long systemNs) {}

    /**
     * @param thread one thread's alone, as long as its JVM lives
     * @param javaId 0: not known, or no thread of Java
     * @param pool what threads of one pool have in common
     * @param kind what it is for: java, gc, jit, vm, …
     */
    public record ThreadName(long thread, int tid, long javaId, String name, String pool, String kind) {}
}
