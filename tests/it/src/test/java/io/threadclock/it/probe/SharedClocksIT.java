// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.ThreadClock;
import io.threadclock.VirtualPoolTimes;
import io.threadclock.VirtualThreads;
import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Two copies of the library, in two class loaders: each measures virtual threads, which both read. The one of the
 * program, the isolated one, a third one, whose class loader goes then, or the agent has brought the clocks.
 */
@InChild(
        jdks = InChild.JdkChoice.WITH_VIRTUAL_THREADS,
        modes = {"", "-Dfirst=other", "-Dfirst=gone", InChild.AGENT + "virtual"})
class SharedClocksIT {
    private static final long WORK_MS = 5;
    private static final int POOLS = 10;
    private static final int MOST_COLLECTIONS = 500;

    private static final IsolatedLibrary OTHER = new IsolatedLibrary();

    @BeforeAll
    static void bringTheClocks() throws InterruptedException {
        String first = System.getProperty("first", "");
        if (first.equals("gone")) {
            assertThat(goes(new WeakReference<>(useAnother())))
                    .as("the class loader of the copy that came first goes")
                    .isTrue();
        } else if (first.equals("other")) {
            assertOtherCanMeasure();
        }
        assertThat(VirtualThreads.areMeasurable()).as("areMeasurable()").isTrue();
        assertOtherCanMeasure();
    }

    private static void assertOtherCanMeasure() {
        assertThat(OTHER.call(VirtualThreads.class, "areMeasurable"))
                .as("areMeasurable() of the other copy")
                .isEqualTo(true);
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

    /** Whichever class loader's copy, or the agent, has brought the clocks. */
    @Test
    void areReadByEachCopyOfTheLibrary() throws Exception {
        assertBothRead("own", VirtualThreads.factory("own-"));
        assertBothRead("other", (ThreadFactory)
                OTHER.call(VirtualThreads.class, "factory", new Class<?>[] {String.class}, "other-"));
        assertThat(VirtualThreads.pools(POOLS))
                .extracting(VirtualPoolTimes::name)
                .contains("own-*", "other-*");
    }

    private static void assertBothRead(String name, ThreadFactory factory) throws Exception {
        FutureTask<Long> own = new FutureTask<>(() -> {
            Work.spin(WORK_MS);
            assertThat(ThreadClock.canRead())
                    .as("canRead() in a thread that %s has measured", name)
                    .isTrue();
            long before = ThreadClock.cpuTimeNs();
            assertThat((Long) OTHER.call(ThreadClock.class, "cpuTimeNs"))
                    .as("a reading by the other copy between two, in ns")
                    .isBetween(Math.max(1, before), ThreadClock.cpuTimeNs());
            return before;
        });
        Thread thread = factory.newThread(own);
        callAsAnyCodeMay(thread);
        thread.start();
        own.get();
        thread.join();
        Object others = OTHER.call(VirtualThreads.class, "read", new Class<?>[] {Thread.class}, thread);
        assertThat(others)
                .as("of a thread that %s has measured, when it has ended, by the other copy", name)
                .hasToString(VirtualThreads.read(thread).toString())
                .asString()
                .startsWith("Optional[");
    }

    /**
     * The class is everyone's: it changes nothing in threads that are made already, and nothing in platform threads.
     */
    private static void callAsAnyCodeMay(Thread thread) throws ReflectiveOperationException {
        Class<?> clocks = Class.forName("io.threadclock.boot.VirtualClocks", false, null);
        Runnable another = () -> System.out.println("replaced");
        for (Thread changed : new Thread[] {thread, Thread.currentThread()}) {
            clocks.getMethod("set", Thread.class, Runnable.class).invoke(null, changed, another);
            clocks.getMethod("measure", Thread.class).invoke(null, changed);
        }
    }
}
