// SPDX-License-Identifier: Apache-2.0
package io.threadclock.bench;

import io.threadclock.VirtualThreads;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The truth about the segments of one measured virtual thread, by the kernel's CPU clock of its carrier:
 *
 * <pre>  clock { ours: start { clock { the JDK's own mount } clock } end } clock</pre>
 *
 * The segment is within the outer readings, and contains the inner ones. The outer ones are taken by a scheduler of our
 * own, whose carriers are not the JDK's: those submit a thread that has yielded without asking the scheduler. A segment
 * is compared when the next one is about to begin or the thread has ended; two are compared together if the carrier of
 * the first has not returned by then.
 */
final class SegmentReference {
    final Thread thread;
    private final SegmentTruth truth;
    private final AtomicInteger ended = new AtomicInteger();
    private final AtomicLong insideNs = new AtomicLong();
    private final AtomicLong outsideNs = new AtomicLong();
    private final AtomicLong stolenNs = new AtomicLong();
    private volatile int begun;
    /** Mounts, and the sums of their times, that were compared; mounts of one thread follow one another. */
    private long[] settled = new long[5];

    /** Its thread is measured and compared, and has not started. Needs --add-opens=java.base/java.lang=ALL-UNNAMED. */
    SegmentReference(SegmentTruth truth, Executor carriers, Runnable task) throws ReflectiveOperationException {
        this.truth = truth;
        this.thread = unstarted(mount -> carriers.execute(() -> outside(mount)), task);
        Field runnable = Class.forName("java.lang.VirtualThread").getDeclaredField("runContinuation");
        runnable.setAccessible(true);
        Runnable mount = (Runnable) runnable.get(thread);
        BareClocks.setRunnable(thread, () -> inside(mount));
        if (!VirtualThreads.measure(thread)) {
            throw new IllegalStateException(VirtualThreads.explanation());
        }
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
        SegmentTruth.Carrier carrier =
                truth.carriers.computeIfAbsent(Thread.currentThread(), first -> new SegmentTruth.Carrier());
        carrier.begin(BareClocks.look());
        long beginNs = BareClocks.cpuNs();
        mount.run();
        long endNs = BareClocks.cpuNs();
        stolenNs.addAndGet(carrier.stolenNs(BareClocks.look()));
        carrier.mounted(beginNs, endNs);
        outsideNs.addAndGet(endNs - beginNs);
        ended.incrementAndGet();
    }

    private void inside(Runnable mount) {
        long beginNs = BareClocks.cpuNs();
        mount.run();
        insideNs.addAndGet(BareClocks.cpuNs() - beginNs);
    }

    private void settle() {
        long[] sums = {begun, VirtualThreads.cpuTimeNs(thread), insideNs.get(), outsideNs.get(), stolenNs.get()};
        long[] news = new long[sums.length];
        Arrays.setAll(news, i -> sums[i] - settled[i]);
        if (news[0] > 0) {
            truth.segments.add(new SegmentTruth.Segment(news[0], news[1], news[2], news[3], news[4]));
        }
        settled = sums;
    }

    private static Thread unstarted(Executor scheduler, Runnable task) throws ReflectiveOperationException {
        Constructor<?> builder =
                Class.forName("java.lang.ThreadBuilders$VirtualThreadBuilder").getDeclaredConstructor(Executor.class);
        builder.setAccessible(true);
        return (Thread) Class.forName("java.lang.Thread$Builder")
                .getMethod("unstarted", Runnable.class)
                .invoke(builder.newInstance(scheduler), task);
    }
}
