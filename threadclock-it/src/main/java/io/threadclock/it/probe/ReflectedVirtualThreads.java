// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;

/** Virtual threads by reflection, for Java 8 to 20 have none. */
final class ReflectedVirtualThreads {
    private static final Optional<Method> START = Arrays.stream(Thread.class.getMethods())
            .filter(method -> method.getName().equals("startVirtualThread"))
            .findFirst();

    private ReflectedVirtualThreads() {}

    static boolean areAvailable() {
        return START.isPresent();
    }

    /** Returns a virtual thread that has not been started. */
    static Thread unstarted(Runnable work) {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            return (Thread) Class.forName("java.lang.Thread$Builder")
                    .getMethod("unstarted", Runnable.class)
                    .invoke(builder, work);
        } catch (ReflectiveOperationException refused) {
            throw new IllegalStateException("making a virtual thread by reflection failed: " + refused, refused);
        }
    }

    static Thread start(Runnable work) {
        try {
            return (Thread) START.get().invoke(null, work);
        } catch (ReflectiveOperationException refused) {
            throw new IllegalStateException("starting a virtual thread by reflection failed: " + refused, refused);
        }
    }
}
