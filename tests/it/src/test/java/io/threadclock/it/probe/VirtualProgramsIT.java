// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import io.threadclock.CpuTimes;
import io.threadclock.IntervalUsage;
import io.threadclock.ThreadClock;
import io.threadclock.ThreadSample;
import io.threadclock.ThreadUsage;
import io.threadclock.ThreadsSnapshot;
import io.threadclock.VirtualThreads;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/**
 * Measured virtual threads on schedulers of our own, as tasks of a scope, and in snapshots. Uses reflection, because
 * what is asked for came as a preview, is hidden, and differs between JDKs.
 */
@InChild(
        jdks = InChild.JdkChoice.WITH_VIRTUAL_THREADS,
        options = InChild.ONE_CARRIER + " --enable-preview --add-opens=java.base/java.lang=ALL-UNNAMED")
class VirtualProgramsIT {
    private static final long UNIT_MS = 5;
    private static final long UNIT_NS = TimeUnit.MILLISECONDS.toNanos(UNIT_MS);
    private static final long SLACK_NS = UNIT_NS / 5;

    @Test
    void areOneSequenceWhereACarrierIsStoppedBeforeTheEndOfItsMount() throws Exception {
        Stopped stopped = new Stopped();
        assertThat(stopped.isStopped).as("the first carrier is still in run()").isTrue();
        assertFollows(stopped.onFirst, stopped.onSecond);
        assertThat(stopped.workNs()).as("ns on the second one, of all").isBetween(1L, stopped.allNs - 1);
        assertFollows(stopped.later, stopped.last);
    }

    private static void assertFollows(CpuTimes before, CpuTimes now) {
        assertThat(now.userTimeNs() - before.userTimeNs())
                .as("user time from %s to %s", before, now)
                .isBetween(0L, now.cpuTimeNs() - before.cpuTimeNs());
    }

    @Test
    @Tag("timing")
    void haveTheTimeOfTheirWorkOnTwoCarriers() throws Exception {
        Stopped stopped = new Stopped();
        assertThat(stopped.workNs()).as("ns of 10 ms on the second one").isGreaterThan(2 * UNIT_NS - SLACK_NS);
        assertThat(stopped.allNs).as("ns of 10 ms on each").isGreaterThan(4 * UNIT_NS - 2 * SLACK_NS);
    }

    /**
     * A thread that yields goes on inside of the mount that it has left. The JDK refuses a thread that another thread
     * submits.
     */
    @Test
    void areRightOnASchedulerThatRunsThemWhereTheyAreSubmitted() throws Exception {
        Inline yielding = new Inline();
        assertThat(yielding.yieldNs).as("ns of a yield after some work, of all").isBetween(0L, yielding.allNs - 1);
        Thread inner = measuredOn(Runnable::run, () -> Work.spin(2 * UNIT_MS));
        List<Throwable> refused = new ArrayList<>();
        List<Long> outerNs = new ArrayList<>();
        measuredOn(Runnable::run, () -> {
                    try {
                        inner.start();
                    } catch (RuntimeException thrown) {
                        refused.add(thrown);
                    }
                    outerNs.add(ThreadClock.cpuTimeNs());
                })
                .start();
        assertThat(refused)
                .as("a thread that another one submits")
                .extracting(thrown -> thrown.getClass().getName())
                .containsExactly("java.lang.WrongThreadException");
        assertThat(outerNs).as("to the other one").allMatch(ns -> ns >= 0).hasSize(1);
        assertThat(VirtualThreads.cpuTimeNs(inner))
                .as("ns of the one that was not run")
                .isLessThanOrEqualTo(0);
    }

    @Test
    @Tag("timing")
    void haveTheTimeOfTheirWorkWhereTheyAreSubmitted() throws Exception {
        Inline yielding = new Inline();
        assertThat(yielding.yieldNs).as("ns of a yield, after 10 ms of work").isLessThanOrEqualTo(2 * UNIT_NS);
        assertThat(yielding.allNs).as("ns of the work").isGreaterThan(2 * UNIT_NS - SLACK_NS);
    }

    private static Thread measuredOn(Executor scheduler, Runnable task) throws ReflectiveOperationException {
        Thread thread = ReflectedVirtualThreads.unstarted(scheduler, task);
        VirtualThreads.measure(thread);
        return thread;
    }

    private static final class Inline {
        private final long allNs;
        private volatile long yieldNs;

        Inline() throws ReflectiveOperationException {
            Thread thread = measuredOn(Runnable::run, () -> {
                Work.spin(2 * UNIT_MS);
                long beforeNs = ThreadClock.cpuTimeNs();
                Thread.yield();
                yieldNs = ThreadClock.cpuTimeNs() - beforeNs;
            });
            thread.start();
            allNs = VirtualThreads.cpuTimeNs(thread);
        }
    }

    /**
     * On two carriers by turns; one is stopped between handing the thread to the next, and the end of its own mount.
     */
    private static final class Stopped implements Executor {
        private final ExecutorService[] carriers = {
            Executors.newSingleThreadExecutor(), Executors.newSingleThreadExecutor()
        };
        private final CountDownLatch mayGoOn = new CountDownLatch(1);
        private final long allNs;
        private volatile boolean stopsNext;
        private volatile boolean stops;
        private volatile boolean isStopped;
        private CpuTimes onFirst;
        private CpuTimes onSecond;
        private CpuTimes later;
        private CpuTimes last;
        private int turn;

        Stopped() throws Exception {
            Thread thread = measuredOn(this, this::work);
            thread.start();
            thread.join();
            allNs = VirtualThreads.cpuTimeNs(thread);
            for (ExecutorService carrier : carriers) {
                carrier.shutdown();
            }
        }

        private void work() {
            Work.spin(2 * UNIT_MS);
            onFirst = ThreadClock.read();
            stopsNext = true;
            Thread.yield();
            onSecond = ThreadClock.read();
            isStopped = stops;
            Work.spin(2 * UNIT_MS);
            later = ThreadClock.read();
            mayGoOn.countDown();
            Thread.yield();
            last = ThreadClock.read();
        }

        long workNs() {
            return later.cpuTimeNs() - onSecond.cpuTimeNs();
        }

        @Override
        public void execute(Runnable mount) {
            boolean stopsNow = stopsNext;
            stopsNext = false;
            stops = stopsNow;
            carriers[turn++ % carriers.length].execute(mount);
            if (stopsNow) {
                Parked.awaitUninterrupted(mayGoOn);
            }
        }
    }

    /** In a StructuredTaskScope whose factory is threadclock's. */
    @Test
    void inheritScopedValuesReadThemselvesAndHaveAnAccountAsTasksOfAScope() throws Exception {
        CpuAccount account = new CpuAccount();
        ThreadFactory factory = account.wrapThreadFactory(VirtualThreads.factory());
        Class<?> type = Class.forName("java.lang.ScopedValue");
        Object user = type.getMethod("newInstance").invoke(null);
        Object carrier = type.getMethod("where", type, Object.class).invoke(null, user, "alice");
        List<Object> results = new ArrayList<>();
        Runnable fork = () -> results.addAll(unchecked(() -> resultsOfTwo(factory, () -> workAs(user))));
        Class.forName("java.lang.ScopedValue$Carrier")
                .getMethod("run", Runnable.class)
                .invoke(carrier, fork);
        AccountUsage usage = account.read();
        assertThat(results).containsExactly("alice has worked", "alice has worked");
        assertThat(usage.parts()).as("parts of the account").isEqualTo(2);
        assertThat(usage.unmeasuredParts()).as("parts that are not known").isZero();
        assertThat(usage.cpuTimeNs()).as("ns of two tasks of 5 ms each").isGreaterThanOrEqualTo(2 * UNIT_NS);
    }

    private static List<Object> resultsOfTwo(ThreadFactory factory, Callable<String> task) throws Exception {
        Class<?> type = Class.forName("java.util.concurrent.StructuredTaskScope");
        try (AutoCloseable scope = scope(type, factory)) {
            Method fork = type.getMethod("fork", Callable.class);
            Object[] tasks = {fork.invoke(scope, task), fork.invoke(scope, task)};
            type.getMethod("join").invoke(scope);
            Method get = Class.forName(type.getName() + "$Subtask").getMethod("get");
            return Stream.of(tasks)
                    .map(each -> unchecked(() -> get.invoke(each)))
                    .collect(Collectors.toList());
        }
    }

    /** Up to JDK 24 by a constructor. */
    private static AutoCloseable scope(Class<?> type, ThreadFactory factory) throws ReflectiveOperationException {
        if (!type.isInterface()) {
            return (AutoCloseable)
                    type.getConstructor(String.class, ThreadFactory.class).newInstance("scope", factory);
        }
        Object joiner = Class.forName(type.getName() + "$Joiner")
                .getMethod("awaitAllSuccessfulOrThrow")
                .invoke(null);
        Method withFactory =
                Class.forName(type.getName() + "$Configuration").getMethod("withThreadFactory", ThreadFactory.class);
        UnaryOperator<Object> configure = defaults -> unchecked(() -> withFactory.invoke(defaults, factory));
        Method open = Stream.of(type.getMethods())
                .filter(method -> method.getName().equals("open") && method.getParameterCount() == 2)
                .findFirst()
                .get();
        return (AutoCloseable) open.invoke(null, joiner, configure);
    }

    private static String workAs(Object user) throws Exception {
        long beginNs = ThreadClock.cpuTimeNs();
        while (ThreadClock.cpuTimeNs() - beginNs < UNIT_NS) {
            Thread.sleep(0, 1);
        }
        return Class.forName("java.lang.ScopedValue").getMethod("get").invoke(user) + " has worked";
    }

    private static <T> T unchecked(Callable<T> call) {
        try {
            return call.call();
        } catch (Exception failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Test
    void areInASnapshotThatAsksForThem() throws Exception {
        InSnapshots threads = new InSnapshots();
        IntervalUsage usage = threads.after.diff(threads.before);
        List<ThreadSample> all = threads.after.virtualThreads();
        assertThat(names(threads.after))
                .as("measured threads, parked, by factory and by executor")
                .isEqualTo("made-0 made-1 made-2 made-3 submitted-0 submitted-1 submitted-2 submitted-3");
        assertThat(all).as("their tids").allMatch(sample -> sample.tid() == 0);
        assertThat(all)
                .as("most CPU time first")
                .isSortedAccordingTo(
                        Comparator.comparingLong(ThreadSample::cpuTimeNs).reversed());
        assertThat(all)
                .as("each by its id")
                .allMatch(sample -> threads.after.thread(sample.threadId()).isPresent());
        assertThat(usage.virtualThreads()).as("work between two snapshots").allMatch(each -> each.cpuTimeNs() > 0);
        assertThat(usage.virtualThreads().stream()
                        .mapToLong(ThreadUsage::cpuTimeNs)
                        .sum())
                .as("sum of the virtual threads, within that of the platform threads")
                .isLessThanOrEqualTo(usage.cpuTimeNs());
        assertThat(names(threads.some))
                .as("the four that have used the most CPU time")
                .isEqualTo("submitted-0 submitted-1 submitted-2 submitted-3");
        assertThat(names(threads.last)).as("ended ones are gone").doesNotContain("made-");
    }

    @Test
    @Tag("timing")
    void haveInADifferenceTheTimeOfTheirWork() throws Exception {
        InSnapshots threads = new InSnapshots();
        assertThat(threads.after.diff(threads.before).virtualThreads())
                .as("5 ms of work between two snapshots")
                .allMatch(each -> each.cpuTimeNs() > UNIT_NS - SLACK_NS);
    }

    private static String names(ThreadsSnapshot times) {
        return times.virtualThreads().stream().map(ThreadSample::name).sorted().collect(Collectors.joining(" "));
    }

    /** Measured virtual threads that work in two rounds, and others. */
    private static final class InSnapshots {
        private static final int OF_EACH_WAY = 4;
        private static final int MORE_THAN_ALL = 100;
        /** Work so much longer than the others' that what else the first of those does cannot make up for it. */
        private static final long LONG_MS = 100;

        private final CountDownLatch first = new CountDownLatch(2 * OF_EACH_WAY);
        private final CountDownLatch mayGoOn = new CountDownLatch(1);
        private final CountDownLatch second = new CountDownLatch(2 * OF_EACH_WAY);
        private final CountDownLatch mayEnd = new CountDownLatch(1);
        private final ThreadsSnapshot before;
        private final ThreadsSnapshot after;
        private final ThreadsSnapshot some;
        private final ThreadsSnapshot last;

        InSnapshots() throws InterruptedException {
            Work.spin(UNIT_MS); // loads its classes here, and not in the first virtual thread
            List<Thread> started = new ArrayList<>();
            ExecutorService executor = VirtualThreads.executor();
            for (int i = 0; i < OF_EACH_WAY; i++) {
                started.add(VirtualThreads.factory().newThread(work("made-" + i, UNIT_MS)));
                started.get(i).start();
                executor.execute(work("submitted-" + i, LONG_MS));
                ReflectedVirtualThreads.start(() -> Parked.awaitUninterrupted(mayEnd));
            }
            first.await();
            before = ThreadsSnapshot.take(MORE_THAN_ALL);
            mayGoOn.countDown();
            second.await();
            after = ThreadsSnapshot.take(MORE_THAN_ALL);
            some = ThreadsSnapshot.take(OF_EACH_WAY);
            mayEnd.countDown();
            executor.shutdown();
            for (Thread thread : started) {
                thread.join();
            }
            assertThat(executor.awaitTermination(1, TimeUnit.HOURS)).isTrue();
            last = ThreadsSnapshot.take(MORE_THAN_ALL);
        }

        private Runnable work(String name, long cpuMs) {
            return () -> {
                Thread.currentThread().setName(name);
                Work.spin(cpuMs);
                first.countDown();
                Parked.awaitUninterrupted(mayGoOn);
                Work.spin(UNIT_MS);
                second.countDown();
                Parked.awaitUninterrupted(mayEnd);
            };
        }
    }
}
