// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.Optional;
import java.util.concurrent.ThreadFactory;
import java.util.stream.Collectors;

/**
 * Two copies of the library, in two class loaders: each measures virtual threads, which both read. Argument: with {@code
 * first} the isolated one comes first; with {@code gone} a third one, whose class loader goes then.
 */
public final class SharedClocksProbe {
    private static final long WORK_MS = 5;
    private static final int POOLS = 10;
    private static final int MOST_COLLECTIONS = 500;

    private static final IsolatedLibrary OTHER = new IsolatedLibrary();

    private SharedClocksProbe() {}

    public static void main(String[] arguments) throws ReflectiveOperationException, InterruptedException {
        String order = arguments[0];
        if (order.equals("gone")) {
            Fact.print("gone", goes(new WeakReference<>(useAnother())));
        }
        boolean isFirst = order.equals("first") && (Boolean) OTHER.call(VirtualThreads.class, "areMeasurable");
        Fact.print("measurable", VirtualThreads.areMeasurable());
        Fact.print("measurableToOther", OTHER.call(VirtualThreads.class, "areMeasurable"));
        Fact.print("otherFirst", isFirst);
        run("own", VirtualThreads.factory("own-"));
        run("other", (ThreadFactory)
                OTHER.call(VirtualThreads.class, "factory", new Class<?>[] {String.class}, "other-"));
        Fact.print(
                "pools",
                VirtualThreads.pools(POOLS).stream()
                        .skip(1)
                        .map(pool -> pool.name() + " " + pool.mounts())
                        .collect(Collectors.joining(", ")));
    }

    private static IsolatedLibrary useAnother() throws InterruptedException {
        IsolatedLibrary another = new IsolatedLibrary();
        Thread thread = ((ThreadFactory) another.call(VirtualThreads.class, "factory")).newThread(() -> Work.spin(1));
        thread.start();
        thread.join();
        return another;
    }

    private static boolean goes(Reference<?> loader) throws InterruptedException {
        for (int i = 0; i < MOST_COLLECTIONS && loader.get() != null; i++) {
            System.gc();
            Thread.sleep(10);
        }
        return loader.get() == null;
    }

    /** The class is everyone's: it changes nothing in threads that are made already, and nothing in platform threads. */
    private static void callAsAnyCodeMay(Thread thread) throws ReflectiveOperationException {
        Class<?> clocks = Class.forName("io.threadclock.boot.VirtualClocks", false, null);
        Runnable another = () -> Fact.print("replaced", true);
        for (Thread changed : new Thread[] {thread, Thread.currentThread()}) {
            clocks.getMethod("set", Thread.class, Runnable.class).invoke(null, changed, another);
            clocks.getMethod("measure", Thread.class).invoke(null, changed);
        }
    }

    private static void run(String name, ThreadFactory factory)
            throws ReflectiveOperationException, InterruptedException {
        Thread thread = factory.newThread(() -> {
            Work.spin(WORK_MS);
            Fact.print(name + ".canRead", ThreadClock.canRead());
            long before = ThreadClock.cpuTimeNs();
            long between = (Long) OTHER.call(ThreadClock.class, "cpuTimeNs");
            Fact.print(name + ".isOneSequence", 0 < before && before <= between && between <= ThreadClock.cpuTimeNs());
        });
        callAsAnyCodeMay(thread);
        thread.start();
        thread.join();
        String own = VirtualThreads.read(thread).toString();
        Optional<?> others =
                (Optional<?>) OTHER.call(VirtualThreads.class, "read", new Class<?>[] {Thread.class}, thread);
        Fact.print(name + ".isRead", others.isPresent());
        Fact.print(name + ".isSame", own.equals(others.toString()));
    }
}
