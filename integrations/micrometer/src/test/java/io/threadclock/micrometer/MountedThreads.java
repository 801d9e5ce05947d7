// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import io.threadclock.VirtualThreads;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Field;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * Makes virtual threads whose mounts are measured by the kernel's clock of the carrier, which the stock JDK reads by a
 * system call before and after each. Needs {@code --add-opens=java.base/java.lang=ALL-UNNAMED}, and
 * {@code --enable-final-field-mutation=ALL-UNNAMED} from JDK 26 on.
 */
final class MountedThreads implements ThreadFactory {
    private static final ThreadMXBean KERNEL = ManagementFactory.getThreadMXBean();

    private final ThreadFactory factory;
    private final Field runnable;
    private final Map<Thread, String> tidsOfCarriers = new ConcurrentHashMap<>();
    private final Queue<Thread> threads = new ConcurrentLinkedQueue<>();
    private final LongAdder mountsNs = new LongAdder();
    private final AtomicInteger mounted = new AtomicInteger();

    MountedThreads() {
        try {
            Object builder = Thread.class.getMethod("ofVirtual").invoke(null);
            factory = (ThreadFactory) Class.forName("java.lang.Thread$Builder")
                    .getMethod("factory")
                    .invoke(builder);
            runnable = Class.forName("java.lang.VirtualThread").getDeclaredField("runContinuation");
            runnable.setAccessible(true);
        } catch (ReflectiveOperationException refused) {
            throw new IllegalStateException("reaching into virtual threads failed: " + refused, refused);
        }
    }

    @Override
    public Thread newThread(Runnable task) {
        Thread thread = factory.newThread(task);
        try {
            Runnable original = (Runnable) runnable.get(thread);
            runnable.set(thread, (Runnable) () -> mount(original));
        } catch (IllegalAccessException refused) {
            throw new IllegalStateException("measuring the mounts of a virtual thread failed: " + refused, refused);
        }
        threads.add(thread);
        return thread;
    }

    /** Runs on the carrier. */
    private void mount(Runnable original) {
        mounted.incrementAndGet();
        tidsOfCarriers.computeIfAbsent(Thread.currentThread(), carrier -> ownTid());
        long beforeNs = KERNEL.getCurrentThreadCpuTime();
        try {
            original.run();
        } finally {
            mountsNs.add(KERNEL.getCurrentThreadCpuTime() - beforeNs);
            mounted.decrementAndGet();
        }
    }

    private static String ownTid() {
        try {
            return Files.readSymbolicLink(Path.of("/proc/thread-self"))
                    .getFileName()
                    .toString();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(unreadable);
        }
    }

    /** Waits until all have ended, and left their carriers. */
    void awaitEnd() {
        try {
            for (Thread thread : threads) {
                thread.join();
            }
            while (mounted.get() > 0) {
                Thread.sleep(1);
            }
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
    }

    long mountsNs() {
        return mountsNs.sum();
    }

    boolean areCarriedBy(String tid) {
        return tidsOfCarriers.containsValue(tid);
    }

    /** The CPU time of all threads, as threadclock measures it. */
    long clocksNs() {
        return threads.stream().mapToLong(VirtualThreads::cpuTimeNs).sum();
    }
}
