// SPDX-License-Identifier: Apache-2.0
package io.threadclock;

import java.lang.reflect.InvocationTargetException;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/**
 * Measures virtual threads: adds up the user, system and CPU time that they use on all their carriers. In a measured
 * thread, {@link ThreadClock} and {@link CpuStopwatch} work as in any other thread, and promise the same.
 *
 * <pre>{@code
 * try (ExecutorService executor = VirtualThreads.executor()) {
 *     executor.submit(() -> {
 *         handle(request);
 *         log(ThreadClock.read());
 *     });
 * }
 * }</pre>
 *
 * <p>Each mount of a measured thread costs two readings of its carrier; the clock is collected with the thread. There
 * is no agent, and no JVMTI. How it works, and what is counted: docs/virtual-threads.md. Java 21 and newer; all methods
 * are thread-safe.
 *
 * @since 0.1
 */
public final class VirtualThreads {
    private static final String BUILDER = "java.lang.Thread$Builder$OfVirtual";

    private VirtualThreads() {}

    /**
     * {@return whether virtual threads can be measured in this JVM} The first call starts a virtual thread to try it.
     */
    public static boolean areMeasurable() {
        return Measurability.reason() == null;
    }

    /** {@return in words: that virtual threads can be measured in this JVM, or why they cannot} */
    public static String explanation() {
        String reason = Measurability.reason();
        return reason == null ? "virtual threads can be measured" : "virtual threads cannot be measured: " + reason;
    }

    /**
     * {@return a factory of virtual threads that are measured from their start} If {@link #areMeasurable()} is false,
     * it makes ordinary virtual threads.
     *
     * @throws UnsupportedOperationException on Java 20 and older
     */
    public static ThreadFactory factory() {
        try {
            return factoryOf(builder());
        } catch (ReflectiveOperationException before21) {
            throw refused(before21);
        }
    }

    /**
     * {@return a factory as {@link #factory()}, of threads with names}
     *
     * @param prefix of the names, to which each thread's number is appended, from 0
     * @throws UnsupportedOperationException on Java 20 and older
     */
    public static ThreadFactory factory(String prefix) {
        Objects.requireNonNull(prefix, "prefix");
        try {
            return factoryOf(Class.forName(BUILDER)
                    .getMethod("name", String.class, long.class)
                    .invoke(builder(), prefix, 0L));
        } catch (ReflectiveOperationException before21) {
            throw refused(before21);
        }
    }

    private static ThreadFactory factoryOf(Object builder) throws ReflectiveOperationException {
        return factory(
                (ThreadFactory) Class.forName(BUILDER).getMethod("factory").invoke(builder));
    }

    /**
     * {@return a factory that measures the virtual threads of another factory, and returns its other threads unchanged}
     *
     * @param factory makes threads that have not started
     */
    public static ThreadFactory factory(ThreadFactory factory) {
        Objects.requireNonNull(factory, "factory");
        return task -> {
            Thread thread = factory.newThread(task);
            if (thread != null) {
                measure(thread);
            }
            return thread;
        };
    }

    /**
     * {@return an executor that starts a measured virtual thread for each task} Otherwise as
     * {@code Executors.newVirtualThreadPerTaskExecutor()}.
     *
     * @throws UnsupportedOperationException on Java 20 and older
     */
    public static ExecutorService executor() {
        ThreadFactory factory = factory();
        try {
            return (ExecutorService) Executors.class
                    .getMethod("newThreadPerTaskExecutor", ThreadFactory.class)
                    .invoke(null, factory);
        } catch (ReflectiveOperationException failed) {
            throw refused(failed);
        }
    }

    /**
     * Measures a thread from its start on. It must not be started during this call.
     *
     * @param unstarted a thread that has not started
     * @return whether it is measured; false if it is a platform thread, or {@link #areMeasurable()} is false
     * @throws IllegalStateException if it is virtual, has started, and is not measured
     */
    public static boolean measure(Thread unstarted) {
        if (!Measurability.canBeMeasured(unstarted)) {
            return false;
        }
        if (BootClocks.has(unstarted)) {
            return true;
        }
        if (unstarted.getState() != Thread.State.NEW) {
            throw new IllegalStateException("Measuring virtual thread \"" + unstarted.getName()
                    + "\": it has started. Do it" + " before, or have it call VirtualThreads.measureCurrent() itself.");
        }
        BootClocks.measure(unstarted);
        return true;
    }

    /**
     * Measures the calling thread from now on, if it is virtual and not yet measured. It calls {@link Thread#yield()}
     * once, because the current mount began without a clock.
     *
     * @return whether it is measured now. False if it is a platform thread, or {@link #areMeasurable()} is false; also
     *     false if it is pinned to its carrier; it is then measured from its next mount on
     */
    public static boolean measureCurrent() {
        Thread current = Thread.currentThread();
        if (!Measurability.canBeMeasured(current)) {
            return false;
        }
        if (!BootClocks.has(current)) {
            BootClocks.measure(current);
            Thread.yield();
        }
        return BootClocks.canRead();
    }

    /**
     * {@return CPU time of a virtual thread, in ns since its clock began, or -1 if it is not measured} The thread may
     * run, be parked, or have ended.
     *
     * @param thread the calling one or another
     * @throws ClockUnavailableException if the kernel refuses to read its carrier's clock
     */
    public static long cpuTimeNs(Thread thread) {
        CpuTimes times = tell(thread);
        return times == null ? -1 : times.cpuTimeNs();
    }

    /**
     * {@return CPU, user and system time of a virtual thread since its clock began, in one consistent reading; empty if
     * it is not measured} The thread may run, be parked, or have ended. The reading forms one sequence with the
     * thread's own readings. Allocates a few objects; while the thread is mounted, as expensive as reading another
     * platform thread.
     *
     * @param thread the calling one or another
     * @throws ClockUnavailableException if the kernel refuses to tell its carrier's
     */
    public static Optional<CpuTimes> read(Thread thread) {
        return Optional.ofNullable(tell(thread));
    }

    /**
     * {@return what the measured virtual threads of each pool have used so far, ended ones included, and what their
     * carriers have used besides} Their sum is the CPU time of the carriers since the first measured mount of each. The
     * order is that in which pools came, after the carriers' rest. Empty before the first measured mount, and where
     * {@link #areMeasurable()} is false. Costs one system call for each carrier that has a thread mounted, and
     * allocates some 10 kB.
     *
     * @param most the greatest number of entries, ≥ 2; pools beyond are joined as {@value VirtualPoolTimes#OTHERS}
     * @throws IllegalArgumentException if {@code most} is less
     */
    public static List<VirtualPoolTimes> pools(int most) {
        if (most < 2) {
            throw new IllegalArgumentException("Limiting the pools of virtual threads to " + most
                    + ": the carriers' rest and the pool of all others need a place. Give 2 or more.");
        }
        return Measurability.hasBegun() ? VirtualPoolTimes.all(most) : Collections.emptyList();
    }

    /** Null if the thread is not measured. */
    static CpuTimes tell(Thread thread) {
        long[] timesNs = new long[2];
        return Measurability.mayHaveClock(thread) && BootClocks.tell(thread, timesNs)
                ? new CpuTimes(timesNs[0], timesNs[1])
                : null;
    }

    /** Uses reflection, because Java 8 to 20 have no virtual threads. The thread inherits nothing from its creator. */
    static Thread unstarted(Runnable task) throws ReflectiveOperationException {
        Class<?> type = Class.forName(BUILDER);
        Object builder =
                type.getMethod("inheritInheritableThreadLocals", boolean.class).invoke(builder(), false);
        return (Thread) type.getMethod("unstarted", Runnable.class).invoke(builder, task);
    }

    private static Object builder() throws ReflectiveOperationException {
        return Thread.class.getMethod("ofVirtual").invoke(null);
    }

    private static UnsupportedOperationException refused(ReflectiveOperationException failed) {
        Throwable cause = failed instanceof InvocationTargetException ? failed.getCause() : failed;
        return new UnsupportedOperationException(
                "Making virtual threads: this is Java " + System.getProperty("java.specification.version")
                        + ", which answered " + cause
                        + ". Virtual threads came with Java 21; use platform threads before.",
                cause);
    }
}
