// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.management.ManagementFactory;

/**
 * Reads how many bytes a thread has allocated, as HotSpot's own {@code com.sun.management.ThreadMXBean} counts them.
 * That is reached by method handles, because not every JVM has it.
 */
final class AllocatedBytes {
    static final long UNKNOWN = -1;

    private static final MethodType OF_CALLER = MethodType.methodType(long.class);
    private static final MethodType OF_ID = MethodType.methodType(long.class, long.class);

    /** Java 14 and newer have this one, which needs no search. Null if there is none. */
    private static final MethodHandle CURRENT = find("getCurrentThreadAllocatedBytes", OF_CALLER);

    private static final MethodHandle BY_ID = CURRENT == null ? find("getThreadAllocatedBytes", OF_ID) : null;

    private AllocatedBytes() {}

    /** Bytes that the calling thread has allocated since it started; {@link #UNKNOWN} in virtual threads. */
    static long ofCallingThread() {
        try {
            if (CURRENT != null) {
                return (long) CURRENT.invokeExact();
            }
            return BY_ID == null ? UNKNOWN : (long) BY_ID.invokeExact(ownId());
        } catch (Throwable refused) { // not supported, or a security manager
            return UNKNOWN;
        }
    }

    /** A thread may say that it has another thread's id; the JVM knows none below 1. */
    private static long ownId() throws NoSuchMethodException {
        Thread thread = Thread.currentThread();
        boolean isOwn = thread.getClass() == Thread.class
                || thread.getClass().getMethod("getId").getDeclaringClass() == Thread.class;
        return isOwn ? thread.getId() : UNKNOWN;
    }

    private static MethodHandle find(String name, MethodType type) {
        try {
            Class<?> bean = Class.forName("com.sun.management.ThreadMXBean");
            return MethodHandles.publicLookup()
                    .findVirtual(bean, name, type)
                    .bindTo(bean.cast(ManagementFactory.getThreadMXBean()));
        } catch (ReflectiveOperationException | RuntimeException | LinkageError another) {
            return null;
        }
    }
}
