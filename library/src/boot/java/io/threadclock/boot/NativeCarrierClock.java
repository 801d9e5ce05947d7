// SPDX-License-Identifier: Apache-2.0
package io.threadclock.boot;

import java.lang.invoke.MethodHandle;

/**
 * The clocks of carriers, by natives of {@code jvm/virtual_clocks.c}; where the library reads by the foreign function
 * interface, by its critical calls first. Times are ns, or a negative errno.
 */
final class NativeCarrierClock extends CarrierClock {
    static final NativeCarrierClock NATIVE = new NativeCarrierClock();

    /** The greatest errno. A result below its negative is a time that a source for comparison returned. */
    private static final int MAX_ERRNO = 4095;

    /** Stands in place of a time; {@code NOT_AT_ONCE} in {@code jvm/java_clock.c}. */
    private static final long NOT_AT_ONCE = Long.MIN_VALUE;

    private static final int DONE = 1;

    /** The offsets of fields of struct tclk_carrier, in serve/virtual_pools.h; CPU time is at 0. */
    private static final int USER_OFFSET = 8;

    private static final int TID_OFFSET = 24;

    /**
     * Critical calls, in the order of the library's CallingThread; null: there are none. Its methods do as the ones
     * below, but handles of them would keep the library's class loader in memory.
     */
    private static final MethodHandle CPU_TIME_NS = VirtualClocks.critical(0);

    private static final MethodHandle USER_TIME_NS = VirtualClocks.critical(1);
    private static final MethodHandle SYSTEM_TIME_NS = VirtualClocks.critical(2);
    private static final MethodHandle CPU_TIME_NS_KEEPING_USER = VirtualClocks.critical(3);
    private static final MethodHandle KEPT_USER_TIME_NS = VirtualClocks.critical(4);
    private static final MethodHandle READ = VirtualClocks.critical(5);

    private NativeCarrierClock() {}

    @Override
    boolean isOnCarrier() {
        return Thread.currentThread().getClass() == JdkUnsafe.THREAD;
    }

    @Override
    Carrier newCarrier() {
        long page = newPage();
        if (page == 0) {
            throw new IllegalStateException("the process has no memory for another carrier");
        }
        return new Carrier((int) JdkUnsafe.getLong(page + TID_OFFSET), page);
    }

    @Override
    void forgetCarrier() {
        super.forgetCarrier();
        leavePage();
    }

    @Override
    void read(Carrier carrier, int next) {
        long page = carrier.page;
        if (READ == null || !isDone(page, next)) {
            int error = readTo(page, next);
            if (error != 0) {
                throw refused(error);
            }
        }
        carrier.cpuNs = JdkUnsafe.getLong(page);
        carrier.userNs = JdkUnsafe.getLong(page + USER_OFFSET);
    }

    private static boolean isDone(long page, int next) {
        try {
            return (int) READ.invokeExact(page, next) == DONE;
        } catch (Throwable impossible) {
            throw new AssertionError("a native function throws nothing", impossible);
        }
    }

    @Override
    int poolNamed(String name) {
        return numberOfPool(name);
    }

    @Override
    int observe(int tid, Total times) {
        return readOther(tid, times);
    }

    @Override
    long cpuTimeNs() {
        long ns = CPU_TIME_NS != null ? call(CPU_TIME_NS) : NOT_AT_ONCE;
        return ns != NOT_AT_ONCE ? ns : figure(cpuNs());
    }

    @Override
    long userTimeNs() {
        long ns = USER_TIME_NS != null ? call(USER_TIME_NS) : NOT_AT_ONCE;
        return ns != NOT_AT_ONCE ? ns : figure(userNs());
    }

    @Override
    long systemTimeNs() {
        long ns = SYSTEM_TIME_NS != null ? call(SYSTEM_TIME_NS) : NOT_AT_ONCE;
        return ns != NOT_AT_ONCE ? ns : figure(systemNs());
    }

    /**
     * Makes two critical calls, and the second returns the rest of the first one's reading. An array would have to be
     * copied.
     */
    @Override
    int copy(long[] timesNs) {
        long cpuNs = CPU_TIME_NS_KEEPING_USER != null ? call(CPU_TIME_NS_KEEPING_USER) : NOT_AT_ONCE;
        if (cpuNs == NOT_AT_ONCE) {
            return copyTo(timesNs);
        }
        timesNs[CPU] = cpuNs;
        timesNs[USER] = call(KEPT_USER_TIME_NS);
        timesNs[SYSTEM] = cpuNs - timesNs[USER];
        return 0;
    }

    private static long call(MethodHandle function) {
        try {
            return (long) function.invokeExact();
        } catch (Throwable impossible) {
            throw new AssertionError("a native function throws nothing", impossible);
        }
    }

    private static long figure(long answer) {
        if (answer < 0 && answer >= -MAX_ERRNO) {
            throw refused((int) answer);
        }
        return answer;
    }

    /**
     * {@code getUnsafe()}, {@code objectFieldOffset()} of a class and a name, {@code getReference()},
     * {@code putReferenceRelease()} and {@code getLong()} of an address, of the JDK's own Unsafe; null: this JDK has
     * others.
     */
    static native MethodHandle[] handlesOfUnsafe();

    private static native long newPage();

    private static native void leavePage();

    private static native int readTo(long page, int next);

    private static native int numberOfPool(String name);

    /** Gets the thread from a Runnable of this class; null if it has none. */
    static native MethodHandle getterOf(Class<?> type);

    private static native int readOther(int tid, Total times);

    private static native long cpuNs();

    private static native long userNs();

    private static native long systemNs();

    private static native int copyTo(long[] timesNs);
}
