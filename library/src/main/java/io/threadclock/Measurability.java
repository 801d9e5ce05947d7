// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.TimeUnit;

/**
 * Whether virtual threads can be measured in this JVM. Java 8 to 20 have none, so on them this class looks for nothing.
 */
final class Measurability {
    private static final int FIRST_JAVA = 21;

    /** Both are null on Java 8 to 20. They are constants, so that a compiled caller has the check inlined. */
    private static final MethodHandle IS_VIRTUAL = findIsVirtual();

    /** The class of virtual threads that have a kernel thread each (-XX:-VMContinuations); null if there is none. */
    private static final Class<?> BOUND = classNamed("java.lang.ThreadBuilders$BoundVirtualThread");

    /** The class of all other virtual threads. */
    private static final Class<?> MOUNTED = classNamed("java.lang.VirtualThread");

    private Measurability() {}

    /**
     * Whether the calling thread runs on a carrier, so that the kernel's times are the carrier's. Allocates nothing.
     */
    static boolean hasCarrier() {
        return hasCarrier(Thread.currentThread());
    }

    /** Whether this thread mounts on carriers. */
    static boolean hasCarrier(Thread thread) {
        return IS_VIRTUAL != null && isVirtual(thread) && thread.getClass() != BOUND;
    }

    /** Whether virtual threads may have been measured: this JVM has them, and the clock can be read. */
    static boolean hasBegun() {
        return MOUNTED != null && ThreadClock.isSupported();
    }

    /** Whether this thread can be given a clock. */
    static boolean canBeMeasured(Thread thread) {
        return mayHaveClock(thread) && reason() == null;
    }

    /** Whether this thread is of the class that has clocks. */
    static boolean mayHaveClock(Thread thread) {
        return thread.getClass() == MOUNTED;
    }

    /** Why virtual threads cannot be measured in this JVM; null if they can. The first call waits a moment. */
    static String reason() {
        if (IS_VIRTUAL == null) {
            return "this is Java " + System.getProperty("java.specification.version")
                    + ", and virtual threads came with Java " + FIRST_JAVA;
        }
        if (MOUNTED == null) {
            return "this JVM has no class java.lang.VirtualThread";
        }
        return BootClocks.REASON != null ? BootClocks.REASON : Proof.refusal();
    }

    /** The exception for a virtual thread that reads itself and is not measured. Starts no trial of its own. */
    static UnsupportedOperationException refusal() {
        String reason = BootClocks.REASON;
        return new UnsupportedOperationException(
                "Reading the CPU time of a virtual thread that is not measured: the kernel"
                        + " knows only that of its carrier, which other virtual threads use too. "
                        + (reason == null
                                ? "Make it by VirtualThreads.factory() or executor(), pass it to VirtualThreads.measure() before it"
                                        + " starts, have it call VirtualThreads.measureCurrent(), or give the agent the option virtual; where it may be none of these,"
                                : "It cannot be measured here: " + reason
                                        + ". Read it in a platform thread; where either may be,")
                        + " ask ThreadClock.canRead() first.");
    }

    /** The exception for a virtual thread whose carrier's clock other threads cannot read. */
    static ClockUnavailableException unreadable() {
        return new ClockUnavailableException(
                "Reading the CPU time of a virtual thread by its carrier's clock failed: the kernel"
                        + " or a sandbox refuses it. Allow clock_gettime on the CPU clocks of other threads.");
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

    /**
     * Java 19 and 20 have the method as a preview. Reflection refuses it, or it returns false, unless previews are
     * enabled.
     */
    private static MethodHandle findIsVirtual() {
        try {
            return MethodHandles.publicLookup()
                    .findVirtual(Thread.class, "isVirtual", MethodType.methodType(boolean.class));
        } catch (NoSuchMethodException | IllegalAccessException before21) {
            return null;
        }
    }

    private static Class<?> classNamed(String name) {
        try {
            return IS_VIRTUAL == null ? null : Class.forName(name, false, null);
        } catch (ClassNotFoundException another) {
            return null;
        }
    }

    /**
     * Starts a virtual thread of our own, to try whether the JDK mounts it through its clock. Nobody waits long for the
     * result: if all carriers are busy it comes later, and until then each thread that reads itself finds out by
     * itself.
     */
    private static final class Proof implements Runnable {
        private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(1);

        private static final Proof PROOF = new Proof();
        private static final long STARTED_NS = System.nanoTime();
        private static final Thread THREAD = PROOF.start();

        private volatile boolean isOver;

        /** Null while nothing is known to fail. */
        private volatile String refusal;

        static String refusal() {
            if (!PROOF.isOver && THREAD != null) {
                await();
            }
            return PROOF.refusal;
        }

        private Thread start() {
            try {
                Thread thread = VirtualThreads.unstarted(this);
                if (thread.getClass() == MOUNTED) {
                    BootClocks.measure(thread);
                    thread.start();
                    return thread;
                }
                refusal = "virtual threads of this JVM have no carriers";
            } catch (RuntimeException | ReflectiveOperationException | LinkageError failed) {
                refusal = "starting a virtual thread of our own failed: " + failed;
            }
            return null;
        }

        private static void await() {
            long leftNs = STARTED_NS + PATIENCE_NS - System.nanoTime();
            if (leftNs > 0) {
                try {
                    THREAD.join(1 + TimeUnit.NANOSECONDS.toMillis(leftNs));
                } catch (InterruptedException interrupted) {
                    Thread.currentThread().interrupt();
                }
            }
        }

        @Override
        public void run() {
            try {
                refusal = BootClocks.tryInVirtualThread();
            } catch (RuntimeException | Error failed) {
                refusal = "reading a virtual thread of our own failed: " + failed;
            } finally {
                isOver = true;
            }
        }
    }
}
