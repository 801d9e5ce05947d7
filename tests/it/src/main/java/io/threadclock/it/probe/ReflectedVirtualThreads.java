// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.Executor;

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
            return unstarted(Thread.class.getMethod("ofVirtual").invoke(null), work);
        } catch (ReflectiveOperationException refused) {
            throw new IllegalStateException("making a virtual thread by reflection failed: " + refused, refused);
        }
    }

    /** The same on this scheduler; needs java.lang to be opened. */
    static Thread unstarted(Executor scheduler, Runnable work) throws ReflectiveOperationException {
        Constructor<?> constructor =
                Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder").getDeclaredConstructor(Executor.class);
        constructor.setAccessible(true);
        return unstarted(constructor.newInstance(scheduler), work);
    }

    private static Thread unstarted(Object builder, Runnable work) throws ReflectiveOperationException {
        return (Thread) Class.forName("java.lang.Thread$Builder")
                .getMethod("unstarted", Runnable.class)
                .invoke(builder, work);
    }

    /** The name is given after the thread has been made. */
    static void start(String name, Runnable work) {
        Thread thread = unstarted(work);
        thread.setName(name);
        thread.start();
    }

    static Thread start(Runnable work) {
        try {
            return (Thread) START.get().invoke(null, work);
        } catch (ReflectiveOperationException refused) {
            throw new IllegalStateException("starting a virtual thread by reflection failed: " + refused, refused);
        }
    }
}
