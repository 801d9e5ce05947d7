// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.program;

import io.threadclock.VirtualThreads;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The truth about the segments of one accounted virtual thread: the carrier's CPU clock, read from the kernel on both sides of each end
 * of a segment.
 *
 * <pre>
 *   the scheduler's task:  kernel's clock { account: start { kernel's clock { the JDK's own mount } kernel's clock } end } kernel's clock
 * </pre>
 *
 * The segment is within the outer two readings, and contains the inner two. The outer ones are taken by a scheduler of our own. Its
 * carriers are not the JDK's, which submit a thread that has yielded without asking the scheduler. A segment is compared when the next one is about to begin, and the last
 * one when the thread has ended. If the carrier of the last segment has not returned by then, the two are compared together.
 */
final class SegmentReference {
    private final SegmentTruth truth;
    private final Thread thread;

    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicLong insideNs = new AtomicLong();
    private final AtomicLong outsideNs = new AtomicLong();
    private final AtomicLong stolenNs = new AtomicLong();
    private volatile int begun;

    /** The last mount that was compared; mounts of one thread follow one another. */
    private int settled;

    private long settledInsideNs;
    private long settledOutsideNs;
    private long settledStolenNs;
    private long settledAccountNs;

    private SegmentReference(SegmentTruth truth, Executor carriers, Runnable task) throws ReflectiveOperationException {
        this.truth = truth;
        this.thread = unstarted(mount -> carriers.execute(() -> outside(mount)), task);
        Runnable mount = (Runnable) field("runContinuation").get(thread);
        setRunnable(thread, () -> inside(mount));
        VirtualThreads.account(thread);
    }

    /** Makes a thread that is accounted and compared, and has not started. */
    static SegmentReference of(SegmentTruth truth, Executor carriers, Runnable task) {
        try {
            return new SegmentReference(truth, carriers, task);
        } catch (ReflectiveOperationException refused) {
            throw new IllegalStateException(
                    "virtual threads of JDK 21 or newer, with --add-opens=java.base/java.lang=ALL-UNNAMED", refused);
        }
    }

    Thread thread() {
        return thread;
    }

    /** Compares the last segment. */
    void end() throws InterruptedException {
        thread.join();
        while (ended.get() != begun) {
            Thread.onSpinWait();
        }
        settle();
    }

    private void outside(Runnable mount) {
        if (ended.get() == begun) {
            settle();
        }
        begun++;
        SegmentTruth.Carrier carrier = truth.carrier();
        carrier.stolen.begin(KernelClock.look());
        long beginNs = KernelClock.cpuNs();
        mount.run();
        long endNs = KernelClock.cpuNs();
        stolenNs.addAndGet(carrier.stolen.upTo(KernelClock.look()));
        carrier.mounted(beginNs, endNs);
        outsideNs.addAndGet(endNs - beginNs);
        ended.incrementAndGet();
    }

    private void inside(Runnable mount) {
        long beginNs = KernelClock.cpuNs();
        mount.run();
        insideNs.addAndGet(KernelClock.cpuNs() - beginNs);
    }

    private void settle() {
        int segments = begun - settled;
        long inside = insideNs.get();
        long outside = outsideNs.get();
        long stolen = stolenNs.get();
        long account = VirtualThreads.cpuTimeNs(thread);
        if (segments > 0) {
            truth.compare(new SegmentTruth.Segment(
                    segments,
                    account - settledAccountNs,
                    inside - settledInsideNs,
                    outside - settledOutsideNs,
                    stolen - settledStolenNs));
        }
        settled = begun;
        settledInsideNs = inside;
        settledOutsideNs = outside;
        settledStolenNs = stolen;
        settledAccountNs = account;
    }

    private static Field field(String name) throws ReflectiveOperationException {
        Field field = Class.forName("java.lang.VirtualThread").getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static Thread unstarted(Executor scheduler, Runnable task) throws ReflectiveOperationException {
        Constructor<?> builder =
                Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder").getDeclaredConstructor(Executor.class);
        builder.setAccessible(true);
        return (Thread) Class.forName("java.lang.Thread$Builder")
                .getMethod("unstarted", Runnable.class)
                .invoke(builder.newInstance(scheduler), task);
    }

    private static native void setRunnable(Thread thread, Runnable runnable);
}
