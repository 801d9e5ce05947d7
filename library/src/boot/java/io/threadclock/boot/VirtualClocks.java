// SPDX-License-Identifier: Apache-2.0
package io.threadclock.boot;

import java.lang.invoke.MethodHandle;

/**
 * The clocks of virtual threads, for those who call them: copies of the Java library, in any class loader, by the names
 * of the public methods; {@code jvm/virtual_clocks.c}; and the changed constructor of java.lang.VirtualThread
 * ({@code jvm/virtual_threads.h}). The copy of the native library that came first has defined these classes, and is the
 * one that reads the carriers.
 */
public final class VirtualClocks {
    /** Raised with each change of what others call here. */
    static final int PROTOCOL = 5;

    /** Critical calls, which a library has brought with the classes; null if there are none. */
    private static MethodHandle[] critical;

    private static volatile boolean isOn;

    /** Whether a thread with a clock has run since constructors were switched on. */
    private static boolean isProven;

    private VirtualClocks() {}

    /* ---- called by virtual_clocks.c, while it holds the monitor of all copies ---- */

    /**
     * Called once, before anything else.
     *
     * @param ofLibrary the library's critical calls, or null
     * @return whether threads can be given clocks
     */
    static boolean prepare(MethodHandle[] ofLibrary) {
        critical = ofLibrary;
        return JdkUnsafe.canSetRunnable();
    }

    static MethodHandle critical(int index) {
        return critical == null ? null : critical[index];
    }

    static void switchOn(boolean on) {
        isProven = false;
        isOn = on;
    }

    /**
     * Tries a clock of the calling platform thread, so that all classes of it are initialized before a constructor or a
     * carrier needs one. Returns whether it has told its time.
     */
    static boolean tryInPlatformThread() {
        Trial trial = new Trial();
        trial.clock = new VirtualClock(trial);
        trial.clock.run();
        trial.clock.run();
        Total total = trial.clock.tell(true);
        NativeCarrierClock.NATIVE.forgetCarrier();
        return !total.isLost() && trial.hasRead;
    }

    /* ---- called by the constructor ---- */

    /**
     * Sets the field of a virtual thread that is being constructed, by which the JDK runs it; of others it does
     * nothing. If no clock can be made, the thread runs without. Nothing in here is initialized for the first time: see
     * {@link #tryInPlatformThread()}.
     */
    public static void set(Thread thread, Runnable original) {
        if (thread.getClass() == JdkUnsafe.THREAD && JdkUnsafe.runnableOf(thread) == null) {
            JdkUnsafe.setRunnable(thread, of(original));
        }
    }

    /** A clock that runs this one, if constructors are to make clocks; else this one. */
    public static Runnable of(Runnable original) {
        try {
            return isOn ? new VirtualClock(original) : original;
        } catch (Throwable failed) { // no memory, no stack
            return original;
        }
    }

    /** A mount has been run. */
    static void prove() {
        if (!isProven) {
            isProven = true;
        }
    }

    /** If the JDK cannot run the first thread, because its changed class is linked wrongly, none follows. */
    static void refuseUnlessProven() {
        if (!isProven && isOn) {
            isOn = false;
            giveUp();
        }
    }

    private static native void giveUp();

    /* ---- called by libraries ---- */

    /** Gives a clock to a virtual thread that has none, and has not started or is the calling one. */
    public static void measure(Thread thread) {
        if (thread.getClass() == JdkUnsafe.THREAD && clockOf(thread) == null) {
            JdkUnsafe.setRunnable(thread, new VirtualClock(JdkUnsafe.runnableOf(thread)));
        }
    }

    public static boolean has(Thread thread) {
        return clockOf(thread) != null;
    }

    /** Whether the calling thread has a clock that can be read. */
    public static boolean canRead() {
        VirtualClock clock = clockOf(Thread.currentThread());
        return clock != null && clock.isMounted();
    }

    /**
     * The CPU time of the calling thread.
     *
     * @throws UnsupportedOperationException if it has no clock that can be read
     * @throws IllegalStateException if its carrier's clock cannot be read
     */
    public static long cpuTimeNs() {
        return mounted().cpuTimeNs();
    }

    /** As {@link #cpuTimeNs}. */
    public static long userTimeNs() {
        return mounted().userTimeNs();
    }

    /** As {@link #cpuTimeNs}. */
    public static long systemTimeNs() {
        return mounted().systemTimeNs();
    }

    /**
     * Writes CPU, user and system time to an array of three; otherwise as {@link #cpuTimeNs}. Returns 0, or a negative
     * errno.
     */
    public static int read(long[] timesNs) {
        return mounted().read(timesNs);
    }

    /**
     * Writes CPU and user time of a thread that may be mounted or not to an array of two. Returns false, and writes
     * nothing, if it has no clock, or its total is lost.
     *
     * @throws IllegalStateException if its carrier's clock cannot be read
     */
    public static boolean tell(Thread thread, boolean hasEnded, long[] timesNs) {
        VirtualClock clock = clockOf(thread);
        Total total = clock == null ? Total.LOST : clock.tell(hasEnded);
        if (total.isLost()) {
            return false;
        }
        timesNs[CarrierClock.CPU] = total.cpuNs;
        timesNs[CarrierClock.USER] = total.userNs;
        return true;
    }

    /** In a measured thread: why the JDK does not mount it through its clock; null if it does. */
    public static String tryInVirtualThread() {
        VirtualClock clock = clockOf(Thread.currentThread());
        if (clock == null || !clock.isMounted()) {
            return "this JDK does not run virtual threads by way of the field runContinuation";
        }
        Segment first = clock.current();
        int version = first.version();
        Thread.yield();
        if (clock.isStill(first, version) || !clock.isMounted()) {
            return "this JDK does not mount virtual threads by way of the field runContinuation";
        }
        clock.tell(false);
        return null;
    }

    /**
     * Writes what each pool has used: the library's VirtualPoolTimes has the layout. False: no carrier has had a clock.
     */
    public static synchronized native boolean pools(long[] totals);

    /** The name of a pool; "" if it has none, and null if there is no such pool yet. */
    public static native String poolName(int pool);

    private static VirtualClock clockOf(Thread thread) {
        Runnable mounts = thread.getClass() == JdkUnsafe.THREAD ? JdkUnsafe.runnableOf(thread) : null;
        return mounts instanceof VirtualClock ? (VirtualClock) mounts : null;
    }

    private static VirtualClock mounted() {
        VirtualClock clock = clockOf(Thread.currentThread());
        if (clock == null || !clock.isMounted()) {
            throw new UnsupportedOperationException("this virtual thread has no clock that can be read");
        }
        return clock;
    }

    /** Reads its clock in each way. */
    private static final class Trial implements Runnable {
        VirtualClock clock;
        boolean hasRead;

        Trial() {} // a private one would need one more class

        @Override
        public void run() {
            long[] timesNs = new long[3];
            long beforeNs = clock.cpuTimeNs();
            int error = clock.read(timesNs);
            clock.tell(false);
            hasRead = error == 0 && beforeNs <= timesNs[0] && timesNs[0] <= clock.cpuTimeNs();
        }
    }
}
