// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/**
 * Accounts that the agent has given virtual threads (its option {@code virtual}). Their class is the boot loader's,
 * which has a copy of {@link ThreadAccount}, and reads the agent's clock. They are reached by method handles, because
 * this library can be older or newer than the agent.
 */
final class AgentAccounts {
    private static final String TYPE = "io.threadclock.agent.AgentAccount";

    /** The class of such accounts; null until the first one is seen. Two threads that set it set the same. */
    private static Class<?> type;

    private AgentAccounts() {}

    /** Whether this is such an account, and one that this version can read. */
    static boolean has(Runnable runnable) {
        return runnable != null && (runnable.getClass() == type || isFirst(runnable.getClass()));
    }

    private static boolean isFirst(Class<?> found) {
        if (found.getClassLoader() != null || !found.getName().equals(TYPE) || Handles.READ == null) {
            return false;
        }
        type = found;
        return true;
    }

    static boolean isMounted(Runnable account) {
        try {
            return (boolean) Handles.IS_MOUNTED.invokeExact(account);
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    static long cpuTimeNs(Runnable account) {
        try {
            return (long) Handles.CPU_TIME_NS.invokeExact(account);
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    static long userTimeNs(Runnable account) {
        try {
            return (long) Handles.USER_TIME_NS.invokeExact(account);
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    static long systemTimeNs(Runnable account) {
        try {
            return (long) Handles.SYSTEM_TIME_NS.invokeExact(account);
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    /** Writes CPU, user and system time of the calling thread to an array of three. Returns 0, or a negative errno. */
    static int read(Runnable account, long[] timesNs) {
        try {
            return (int) Handles.READ.invokeExact(account, timesNs);
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
    }

    /** Returns the total of a thread, which may be mounted or not. */
    static Total tell(Runnable account, boolean hasEnded) {
        Total total = new Total();
        long[] timesNs = new long[2];
        try {
            Handles.TELL.invokeExact(account, hasEnded, timesNs);
        } catch (Throwable thrown) {
            throw translated(thrown);
        }
        total.cpuNs = timesNs[CarrierClock.CPU];
        total.userNs = timesNs[CarrierClock.USER];
        return total;
    }

    /** The agent knows none of this library's exceptions. */
    private static RuntimeException translated(Throwable thrown) {
        if (thrown instanceof Error) {
            throw (Error) thrown;
        }
        return thrown instanceof UnsupportedOperationException ? Accounting.refusal() : Accounting.unreadable();
    }

    /** Either all are null or none is. They are looked up when the first account is seen. */
    private static final class Handles {
        static final MethodHandle IS_MOUNTED = find("isMounted", boolean.class);
        static final MethodHandle CPU_TIME_NS = find("cpuTimeNs", long.class);
        static final MethodHandle USER_TIME_NS = find("userTimeNs", long.class);
        static final MethodHandle SYSTEM_TIME_NS = find("systemTimeNs", long.class);
        static final MethodHandle TELL = find("tell", void.class, boolean.class, long[].class);
        static final MethodHandle READ = find("read", int.class, long[].class);

        private static MethodHandle find(String name, Class<?> answer, Class<?>... parameters) {
            try {
                return MethodHandles.publicLookup()
                        .findVirtual(Class.forName(TYPE, false, null), name, MethodType.methodType(answer, parameters))
                        .asType(MethodType.methodType(answer, parameters).insertParameterTypes(0, Runnable.class));
            } catch (ReflectiveOperationException anotherVersion) {
                return null;
            }
        }
    }
}
