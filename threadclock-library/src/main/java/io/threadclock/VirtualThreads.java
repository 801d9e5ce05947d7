// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;

/** Asks for virtual threads, which Java 8 to 20 do not have. */
final class VirtualThreads {
    /** Null on these. A constant, so that a compiled caller has the check inlined. */
    private static final MethodHandle IS_VIRTUAL = findIsVirtual();

    private VirtualThreads() {}

    /** Whether the calling thread is one. Allocates nothing. */
    static boolean isCurrent() {
        return IS_VIRTUAL != null && isVirtual(Thread.currentThread());
    }

    private static boolean isVirtual(Thread thread) {
        try {
            return (boolean) IS_VIRTUAL.invokeExact(thread);
        } catch (RuntimeException | Error thrown) {
            throw thrown;
        } catch (Throwable undeclared) {
            throw new AssertionError("Thread.isVirtual() declares no exception", undeclared);
        }
    }

    /** Java 19 and 20 have the method as a preview, which by reflection is refused or false unless switched on. */
    private static MethodHandle findIsVirtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (NoSuchMethodException | IllegalAccessException before21) {
            return null;
        }
    }
}
