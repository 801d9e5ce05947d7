// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * Makes the JDK's own {@code ThreadMXBean} answer from threadclock's clock, in this JVM, for all who call it: the same
 * as the agent does, from inside the program, without flags and without JVMTI (so virtual threads keep their speed).
 *
 * <p>For code that one does not own. It is one change for the whole process, whichever class loader asks. Thread-safe.
 * HotSpot, Java 8 and newer, with the module {@code java.management}. Nothing is printed.
 */
public final class ThreadMXBeanBoost {
    private ThreadMXBeanBoost() {}

    /**
     * From now on CPU and user times that {@code ThreadMXBean} tells, of the calling thread, by id and by array, come from
     * threadclock. Takes some milliseconds, more with thousands of threads.
     *
     * @return true if this call has done it; false if it was so already, by an earlier call or by an agent
     * @throws ClockUnavailableException if {@link ThreadClock#isSupported()} is false
     * @throws IllegalStateException if this JVM does not allow it; everything is as it was then
     */
    public static boolean install() {
        ThreadClock.refuseUnlessSupported();
        return attach();
    }

    /**
     * Gives {@code ThreadMXBean} back what the JDK has. Calls that are inside go on and end well.
     *
     * @return true if this call has done it; false if nothing is installed, or an agent's attaching has taken it over:
     *     what an operator has asked for stays
     * @throws IllegalStateException if the JVM refuses; {@code ThreadMXBean} then answers as the JDK does all the same
     */
    public static boolean uninstall() {
        return ThreadClock.isSupported() && detach();
    }

    /** {@return whether {@code ThreadMXBean} is fast now because of {@link #install()}} */
    public static boolean isInstalled() {
        return ThreadClock.isSupported() && isAttached();
    }

    private static native boolean attach();

    private static native boolean detach();

    private static native boolean isAttached();
}
