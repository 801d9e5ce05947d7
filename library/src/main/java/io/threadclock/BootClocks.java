// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * The clocks of virtual threads, which all copies of this library, and the agent, share: the class
 * {@code io.threadclock.boot.VirtualClocks}. The copy of the native library that comes first gives it to the boot
 * loader. It is reached by method handles, because it may be of another version, and is not there before.
 */
final class BootClocks {
    /** The class, or a text that says why there is none. */
    private static final Object FOUND = ThreadClock.isSupported()
            ? NativeVirtualClocks.prepare(CallingThread.criticalHandles())
            : "the clock is not supported here";

    /** Why there are none; null if there are. */
    static final String REASON = FOUND instanceof Class ? null : String.valueOf(FOUND);

    /** Either all are null or none is. They are constants, so that a compiled caller has no call of them. */
    private static final MethodHandle MEASURE = find("measure", void.class, Thread.class);

    private static final MethodHandle HAS = find("has", boolean.class, Thread.class);
    private static final MethodHandle CAN_READ = find("canRead", boolean.class);
    private static final MethodHandle CPU_TIME_NS = find("cpuTimeNs", long.class);
    private static final MethodHandle USER_TIME_NS = find("userTimeNs", long.class);
    private static final MethodHandle SYSTEM_TIME_NS = find("systemTimeNs", long.class);
    private static final MethodHandle READ = find("read", int.class, long[].class);
    private static final MethodHandle TELL = find("tell", boolean.class, Thread.class, boolean.class, long[].class);
    private static final MethodHandle TRY = find("tryInVirtualThread", String.class);
    private static final MethodHandle POOLS = find("pools", boolean.class, long[].class);
    private static final MethodHandle POOL_NAME = find("poolName", String.class, int.class);

    private BootClocks() {}

    private static MethodHandle find(String name, Class<?> result, Class<?>... parameters) {
        if (REASON != null) {
            return null;
        }
        try {
            return MethodHandles.publicLookup()
                    .findStatic((Class<?>) FOUND, name, MethodType.methodType(result, parameters));
        } catch (ReflectiveOperationException impossible) { // it is of the version that we know
            throw new AssertionError(impossible);
        }
    }

    /** Gives a clock to a virtual thread that has none, and has not started or is the calling one. */
    static void measure(Thread thread) {
        try {
            MEASURE.invokeExact(thread);
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    /** Whether the thread has a clock. */
    static boolean has(Thread thread) {
        try {
            return REASON == null && (boolean) HAS.invokeExact(thread);
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    /** Whether the calling virtual thread has a clock that can be read. */
    static boolean canRead() {
        try {
            return REASON == null && (boolean) CAN_READ.invokeExact();
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    /**
     * The CPU time of the calling virtual thread, which is refused if it has no clock that can be read; as the next
     * ones.
     */
    static long cpuTimeNs() {
        requireAny();
        try {
            return (long) CPU_TIME_NS.invokeExact();
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    static long userTimeNs() {
        requireAny();
        try {
            return (long) USER_TIME_NS.invokeExact();
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    static long systemTimeNs() {
        requireAny();
        try {
            return (long) SYSTEM_TIME_NS.invokeExact();
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    /** Writes CPU, user and system time to an array of three. Returns 0, or a negative errno. */
    static int read(long[] timesNs) {
        requireAny();
        try {
            return (int) READ.invokeExact(timesNs);
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    /**
     * Writes CPU and user time of a thread, which may be mounted or not, to an array of two. Returns false if it has no
     * clock, or its total is lost.
     */
    static boolean tell(Thread thread, long[] timesNs) {
        boolean hasEnded = thread.getState() == Thread.State.TERMINATED;
        try {
            return REASON == null && (boolean) TELL.invokeExact(thread, hasEnded, timesNs);
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    /** In a measured thread: why the JDK does not mount it through its clock; null if it does. */
    static String tryInVirtualThread() {
        try {
            return (String) TRY.invokeExact();
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    /**
     * Writes what each pool has used: {@link VirtualPoolTimes} has the layout. False: no carrier has had a measured
     * thread.
     */
    static boolean pools(long[] totals) {
        try {
            return REASON == null && (boolean) POOLS.invokeExact(totals);
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    /** The name of a pool; "" if it has none, and null if there is no such pool yet. */
    static String poolName(int pool) {
        try {
            return (String) POOL_NAME.invokeExact(pool);
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    private static void requireAny() {
        if (REASON != null) {
            throw Measurability.refusal();
        }
    }

    /** The clocks know none of this library's exceptions. */
    private static RuntimeException translated(Throwable thrown) {
        if (thrown instanceof Error) {
            throw (Error) thrown;
        }
        return thrown instanceof UnsupportedOperationException ? Measurability.refusal() : Measurability.unreadable();
    }
}
