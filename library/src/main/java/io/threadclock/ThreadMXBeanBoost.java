// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

/**
 * Makes the JDK's own {@code ThreadMXBean} answer from threadclock, in this JVM, for all callers. It does what the
 * agent does, from inside the program, without flags and without JVMTI, so virtual threads keep their speed.
 *
 * <p>It is for code that you cannot change. It applies to the whole process, whichever class loader calls it.
 * Thread-safe. It needs HotSpot, Java 8 or newer, and the module {@code java.management}, and prints nothing.
 *
 * @since 0.1
 */
public final class ThreadMXBeanBoost {
    private ThreadMXBeanBoost() {}

    /**
     * From now on, the CPU and user times of {@code ThreadMXBean} come from threadclock: for the calling thread, by id
     * and by array. Takes some milliseconds, more with thousands of threads.
     *
     * @return true if this call did it; false if an earlier call or an agent had done it already, or
     *     {@link ThreadClock#isSupported()} is false; nothing is changed then
     * @throws ClockUnavailableException if {@link ThreadClock#isSupported()} is false and {@code threadclock.strict} is
     *     set
     * @throws IllegalStateException if this JVM does not allow it; nothing is changed then
     */
    public static boolean install() {
        if (ThreadClock.STRICT && !ThreadClock.isSupported()) {
            throw ThreadClock.unavailable();
        }
        return ThreadClock.isSupported() && attach();
    }

    /**
     * Puts the JDK's own methods of {@code ThreadMXBean} back. Calls that are in progress end normally.
     *
     * @return true if this call did it; false if nothing is installed, or if an operator has attached the agent
     *     meanwhile, which stays
     * @throws IllegalStateException if the JVM refuses; {@code ThreadMXBean} then answers as the JDK does even so
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
