// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/**
 * The CPU time of one pool's measured virtual threads so far, ended ones included; or that of their carriers between
 * two mounts. CPU time = user time + system time; immutable. {@link VirtualThreads#pools(int)} returns all of them.
 *
 * @since 0.1
 */
public final class VirtualPoolTimes {
    /** The name of the entry that is no pool: the carriers' own work, such as finding and submitting threads. */
    public static final String REST = "(carriers' rest)";

    /** The pool of threads that have no name. */
    public static final String UNNAMED = "(no name)";

    /** The pool of all threads whose own pool came too late to have a place. */
    public static final String OTHERS = "(other names)";

    private static final int CPU = 0;
    private static final int USER = 1;
    private static final int MOUNTS = 2;
    private static final int THREADS = 4;

    /** The longs of each pool, in the order of struct tclk_pool_total. */
    private static final int LONGS = 5;

    /** The numbers of these three; serve/virtual_pools.h has them, too. */
    private static final int REST_POOL = 0;

    private static final int UNNAMED_POOL = 1;
    private static final int OTHERS_POOL = 255;

    private static final int POOLS = OTHERS_POOL + 1;

    private final String name;
    private final long cpuTimeNs;
    private final long userTimeNs;
    private final long mounts;
    private final long threads;

    VirtualPoolTimes(String name, long cpuTimeNs, long userTimeNs, long mounts, long threads) {
        this.name = name;
        this.cpuTimeNs = cpuTimeNs;
        this.userTimeNs = userTimeNs;
        this.mounts = mounts;
        this.threads = threads;
    }

    static List<VirtualPoolTimes> all(int most) {
        long[] totals = new long[POOLS * LONGS];
        if (!BootClocks.pools(totals)) {
            return Collections.emptyList();
        }
        List<VirtualPoolTimes> pools = new ArrayList<>();
        pools.add(of(REST, totals, REST_POOL * LONGS));
        long[] others = new long[LONGS];
        for (int pool = UNNAMED_POOL; pool < POOLS; pool++) {
            int at = pool * LONGS;
            boolean hasPlace = totals[at + MOUNTS] > 0 && pool < most - 1 && pool != OTHERS_POOL;
            String name = hasPlace ? nameOf(pool) : null;
            if (name != null) {
                pools.add(of(name, totals, at));
            } else {
                for (int i = 0; i < LONGS; i++) {
                    others[i] += totals[at + i];
                }
            }
        }
        if (others[MOUNTS] > 0) {
            pools.add(of(OTHERS, others, 0));
        }
        return pools;
    }

    private static VirtualPoolTimes of(String name, long[] totals, int at) {
        return new VirtualPoolTimes(
                name, totals[at + CPU], totals[at + USER], totals[at + MOUNTS], totals[at + THREADS]);
    }

    /** Null: the JVM has no memory for it. */
    private static String nameOf(int pool) {
        return pool == UNNAMED_POOL ? UNNAMED : BootClocks.poolName(pool);
    }

    /** {@return the {@link PoolName} of the threads' names when they were first mounted, or what stands for it} */
    public String name() {
        return name;
    }

    /** {@return whether this is what the carriers have used between two mounts} */
    public boolean isRest() {
        return name.equals(REST);
    }

    /** {@return user time + system time, in ns; never less than before} */
    public long cpuTimeNs() {
        return cpuTimeNs;
    }

    /** {@return time in the program's own code, in ns; from 0 to the CPU time} */
    public long userTimeNs() {
        return userTimeNs;
    }

    /** {@return time in the kernel on behalf of the program, in ns; from 0 to the CPU time} */
    public long systemTimeNs() {
        return cpuTimeNs - userTimeNs;
    }

    /** {@return how often threads were mounted on a carrier; 0 for the carriers' rest} */
    public long mounts() {
        return mounts;
    }

    /** {@return the number of threads that have been mounted and have not ended; 0 for the carriers' rest} */
    public long threads() {
        return threads;
    }

    @Override
    public String toString() {
        return name + ": " + new CpuTimes(cpuTimeNs, userTimeNs) + ", " + mounts + " mounts, " + threads + " threads";
    }
}
