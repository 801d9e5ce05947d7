// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import io.threadclock.diagnostics.ClockBinding;
import java.lang.invoke.MethodHandle;

/**
 * The native readings of the calling thread, by JNI. The jar has another version of this class for Java 22 and newer.
 * Times are ns, or a negative errno.
 */
final class CallingThread {
    private CallingThread() {}

    static ClockBinding binding() {
        return ClockBinding.JNI;
    }

    /** Why this binding is used, in a few words. */
    static String reason() {
        return "this is Java 21 or older, or the jar was built by a JDK older than 22";
    }

    static long cpuTimeNs() {
        return NativeClock.cpuTimeNs();
    }

    static long userTimeNs() {
        return NativeClock.userTimeNs();
    }

    static long systemTimeNs() {
        return NativeClock.systemTimeNs();
    }

    /**
     * Writes CPU, user and system time to three longs outside the heap. Returns 0, or a negative errno.
     *
     * @param owner the object whose memory that is
     */
    static int read(long address, Object owner) {
        return NativeClock.read(address, owner);
    }

    /** As {@link NativeClock#readWithWaits}. */
    static int readWithWaits(long address, Object owner) {
        return NativeClock.readWithWaits(address, owner);
    }

    /** The handles by which clocks of virtual threads read; null: by JNI alone. */
    static MethodHandle[] criticalHandles() {
        return null;
    }

    /** Writes CPU, user and system time to an array of three. Returns 0, or a negative errno. */
    static int copy(long[] timesNs) {
        return NativeClock.copy(timesNs);
    }
}
