// SPDX-License-Identifier: Apache-2.0
package io.threadclock.boot;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodType;

/**
 * The virtual thread that a Runnable of the JDK mounts. The Runnable has captured the thread, in a field of a class
 * that the JVM has made for it ({@code jvm/virtual_clocks.c}). Nothing but names and counts depends on this: a thread
 * that is not found is measured all the same.
 */
final class MountedThread {
    private static final String PREFIX = "java.lang.VirtualThread$$";

    /**
     * The class of the first Runnable that was seen. There are others only after somebody has retransformed
     * java.lang.VirtualThread. Two threads that set it set the same, or one of two that both serve.
     */
    private static Class<?> first;

    private static final Others OTHERS = new Others();

    private MountedThread() {}

    /** Returns null if it is not known. Only carriers call this. */
    static Thread of(Runnable runnable) {
        Class<?> type = runnable.getClass();
        if (first == null) {
            if (!type.getName().startsWith(PREFIX)) {
                return null;
            }
            first = type;
        }
        return type == First.TYPE ? get(First.GETTER, runnable) : get(OTHERS.get(type)[0], runnable);
    }

    private static Thread get(MethodHandle getter, Runnable runnable) {
        try {
            return getter == null ? null : (Thread) getter.invokeExact(runnable);
        } catch (Throwable impossible) {
            throw new AssertionError("a getter throws nothing", impossible);
        }
    }

    static MethodHandle getter(Class<?> type) {
        MethodHandle getter = type.getName().startsWith(PREFIX) ? NativeCarrierClock.getterOf(type) : null;
        return getter == null ? null : getter.asType(MethodType.methodType(Thread.class, Runnable.class));
    }

    /** The getters of other classes, each in an array, because it may be null. */
    private static final class Others extends ClassValue<MethodHandle[]> {
        Others() {} // a private one would need one more class

        @Override
        protected MethodHandle[] computeValue(Class<?> type) {
            return new MethodHandle[] {getter(type)};
        }
    }

    /** Constants, so that a compiled caller gets the thread by one load. */
    private static final class First {
        static final Class<?> TYPE = first;
        static final MethodHandle GETTER = getter(TYPE);
    }
}
