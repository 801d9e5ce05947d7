// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;
import static org.junit.jupiter.api.Assumptions.assumeFalse;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.CpuStopwatch;
import io.threadclock.CpuTimes;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.FutureTask;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Virtual threads whose CPU time the library measures, or the agent in a program that does nothing for it. */
@InChild(
        jdks = InChild.JdkChoice.WITH_VIRTUAL_THREADS,
        options = InChild.ONE_CARRIER,
        modes = {"", InChild.AGENT + "virtual"})
public class MeasuredThreadsIT {
    private static final boolean BY_AGENT = System.getProperty("threadclock.it.agent") != null;
    private static final int READINGS = Amount.orLittle(200_000, 10_000);
    private static final long UNIT_MS = 5;
    private static final long UNIT_NS = MILLISECONDS.toNanos(UNIT_MS);
    private static final Map<String, Worked> WORKED = new LinkedHashMap<>();
    private static Boolean answerToCurrent;

    /** By each way to measure them. */
    @BeforeAll
    static void work() throws Exception {
        run("factory", VirtualThreads.factory().newThread(task("factory")));
        Thread named = VirtualThreads.factory("orders-").newThread(task("named"));
        assertThat(named.getName()).isEqualTo("orders-0");
        run("named", named);
        ExecutorService executor = VirtualThreads.executor();
        executor.submit(task("executor")).get();
        executor.shutdown();
        Thread unstarted = ReflectedVirtualThreads.unstarted(task("measure"));
        assertThat(VirtualThreads.measure(unstarted)).as("measure()").isTrue();
        assertThat(VirtualThreads.measure(unstarted)).as("measure() again").isTrue();
        run("measure", unstarted);
        run("current", ReflectedVirtualThreads.unstarted(() -> {
            answerToCurrent = VirtualThreads.measureCurrent();
            task("current").run();
        }));
    }

    private static Runnable task(String way) {
        return () -> WORKED.put(way, new Worked());
    }

    private static void run(String way, Thread thread) throws InterruptedException {
        thread.start();
        thread.join();
        assertThat(WORKED).as("ways that have worked").containsKey(way);
    }

    @Test
    void areReadByThemselvesHoweverTheyWereMeasured() {
        assertThat(VirtualThreads.explanation()).isEqualTo("virtual threads can be measured");
        assertThat(answerToCurrent).as("measureCurrent()").isTrue();
        WORKED.forEach((way, worked) -> worked.assertThatItCounted(way));
    }

    @Test
    @Tag("timing")
    void haveTheTimeOfTheirWork() {
        WORKED.forEach((way, worked) -> assertThat(worked.watchNs)
                .as("ns by a stopwatch around three times 5 ms of CPU time, by %s", way)
                .isGreaterThan(3 * UNIT_NS - UNIT_NS / 5));
    }

    @Test
    void areMeasuredFromTheirNextMountOnIfTheyArePinned() throws Exception {
        assertThat(inVirtualThread(() -> {
                    boolean answer = Pinned.ANSWER;
                    boolean canRead = ThreadClock.canRead();
                    Thread.yield();
                    return Arrays.asList(answer, canRead, ThreadClock.canRead());
                }))
                .as("measureCurrent() in a class initializer, canRead() in the same mount, and in the next one")
                .containsExactly(BY_AGENT, BY_AGENT, true);
    }

    /** A thread that initializes a class is pinned to its carrier. */
    private static final class Pinned {
        static final boolean ANSWER = VirtualThreads.measureCurrent();
    }

    @Test
    void mayBePlatformThreadsOfAnotherFactory() throws Exception {
        assertThat(VirtualThreads.measureCurrent())
                .as("measureCurrent() of a platform thread")
                .isFalse();
        assertThat(VirtualThreads.measure(new Thread(() -> {}))).as("measure()").isFalse();
        FutureTask<Worked> work = new FutureTask<>(Worked::new);
        VirtualThreads.factory(Thread::new).newThread(work).start();
        assertThat(work.get().canRead).as("ThreadClock.canRead()").isTrue();
    }

    @Test
    void areRefusedWithTheWaysInUnlessTheyAreMeasured() throws Exception {
        assumeFalse(BY_AGENT, "the agent measures all");
        Thread thread = ReflectedVirtualThreads.unstarted(() -> {});
        inVirtualThread(() -> {
            assertThat(ThreadClock.canRead()).as("ThreadClock.canRead()").isFalse();
            assertThatExceptionOfType(UnsupportedOperationException.class).isThrownBy(ThreadClock::cpuTimeNs);
            assertThatExceptionOfType(UnsupportedOperationException.class)
                    .isThrownBy(ThreadClock::read)
                    .withMessageStartingWith("Reading the CPU time of a virtual thread")
                    .withMessageContainingAll(
                            "VirtualThreads.factory()", "executor()", "measure()", "measureCurrent()", "canRead()");
            CpuStopwatch watch = new CpuStopwatch();
            assertThat(watch.start().lap()).as("lap of a stopwatch").isEqualTo(-1);
            assertThat(watch.stop()).as("its time").isEqualTo(-1);
            assertThat(watch.isMeasured()).as("isMeasured()").isFalse();
            return null;
        });
        thread.start();
        thread.join();
        assertThat(VirtualThreads.cpuTimeNs(thread)).as("ns to others").isEqualTo(-1);
        assertThatIllegalStateException()
                .as("measure() of one that has started")
                .isThrownBy(() -> VirtualThreads.measure(thread));
    }

    @Test
    void readThemselvesByTheLibraryThoughNobodyHasMeasuredThem() throws Exception {
        assumeTrue(BY_AGENT, "nobody measures them");
        Thread thread = ReflectedVirtualThreads.unstarted(() -> {});
        assertThat(inVirtualThread(() -> ThreadClock.canRead() && ThreadClock.cpuTimeNs() >= 0))
                .as("it reads itself")
                .isTrue();
        thread.start();
        thread.join();
        assertThat(VirtualThreads.cpuTimeNs(thread))
                .as("ns of one that has ended")
                .isPositive();
    }

    /** Another thread reads: before the start, while it runs, while it is parked, and when it has ended. */
    @Test
    void areReadByOthersBeforeTheyRunAndWhenTheyHaveEnded() throws Exception {
        Dumped dumped = new Dumped();
        long parkedNs = VirtualThreads.cpuTimeNs(dumped.thread);
        dumped.end();
        CpuTimes ended = VirtualThreads.read(dumped.thread).get();
        assertThat(dumped.newNs).as("ns of one that has not started").isZero();
        assertThat(dumped.runningNs).as("ns of one that runs").isPositive().isLessThanOrEqualTo(parkedNs);
        assertThat(parkedNs).as("ns of one that is parked").isLessThanOrEqualTo(ended.cpuTimeNs());
        assertThat(VirtualThreads.read(dumped.thread))
                .as("of one that has ended")
                .contains(ended);
    }

    @Test
    @Tag("timing")
    void areReadByOthersWhileTheyRun() throws Exception {
        Dumped dumped = new Dumped();
        dumped.end();
        assertThat(dumped.runningNs).as("ns of one that runs").isGreaterThan(UNIT_NS - UNIT_NS / 5);
    }

    @Test
    void areInDumpsAndShowNoFrameOfTheirClock() throws Exception {
        Dumped dumped = new Dumped();
        String stack = Arrays.toString(dumped.thread.getStackTrace());
        String json = threadDump("JSON");
        String text = threadDump("TEXT_PLAIN");
        dumped.end();
        assertThat(stack).as("stack of one that is parked").doesNotContain("VirtualClock.");
        assertThat(json).as("a dump of all threads").contains("\"dumped\"").doesNotContain("VirtualClock");
        assertThat(text).as("the same as text").contains("\"dumped\"").doesNotContain("VirtualClock");
    }

    @Test
    void allocateNothingWhenTheyReadThemselvesOrAreMounted() throws InterruptedException {
        assertThat(MeasuredAllocation.ofReadings(READINGS))
                .as("bytes allocated by %s readings of each kind", READINGS)
                .isZero();
        assertThat(MeasuredAllocation.ofAMount())
                .as("bytes more by a mount than without the library's clock")
                .isLessThan(1);
    }

    private static <T> T inVirtualThread(Callable<T> call) throws Exception {
        FutureTask<T> task = new FutureTask<>(call);
        ReflectedVirtualThreads.start(task);
        return task.get();
    }

    /** The dump that jcmd's Thread.dump_to_file writes. */
    private static String threadDump(String format) throws Exception {
        Path folder = Files.createTempDirectory("dump");
        Path file = folder.resolve("threads");
        Class<?> diagnostics = Class.forName("com.sun.management.HotSpotDiagnosticMXBean");
        Class<?> formats = Class.forName("com.sun.management.HotSpotDiagnosticMXBean$ThreadDumpFormat");
        Object bean = ManagementFactory.class
                .getMethod("getPlatformMXBean", Class.class)
                .invoke(null, diagnostics);
        diagnostics
                .getMethod("dumpThreads", String.class, formats)
                .invoke(bean, file.toString(), formats.getField(format).get(null));
        String text = new String(Files.readAllBytes(file), StandardCharsets.UTF_8);
        Files.delete(file);
        Files.delete(folder);
        return text;
    }

    /** A thread that has run, and is parked until it is let go. */
    private static final class Dumped {
        private final CountDownLatch runs = new CountDownLatch(1);
        private final CountDownLatch mayPark = new CountDownLatch(1);
        private final Thread thread = VirtualThreads.factory().newThread(this::work);
        private final long newNs = VirtualThreads.cpuTimeNs(thread);
        private final long runningNs;

        Dumped() throws InterruptedException {
            thread.setName("dumped");
            thread.start();
            runs.await();
            runningNs = VirtualThreads.cpuTimeNs(thread);
            mayPark.countDown();
            while (thread.getState() != Thread.State.WAITING) {
                Thread.yield();
            }
        }

        private void work() {
            Work.spin(UNIT_MS);
            runs.countDown();
            while (mayPark.getCount() > 0) {
                Work.spin(1);
            }
            LockSupport.park();
        }

        void end() throws InterruptedException {
            LockSupport.unpark(thread);
            thread.join();
        }
    }

    /** What the calling thread has read of itself around work over mounts of each kind. */
    static final class Worked {
        private final boolean canRead = ThreadClock.canRead();
        private final CpuTimes before = ThreadClock.read();
        private final CpuStopwatch watch = new CpuStopwatch().start();
        private final long watchNs = work();
        private final CpuTimes after = ThreadClock.read();
        private final long userNs = ThreadClock.userTimeNs();
        private final long systemNs = ThreadClock.systemTimeNs();
        private final long cpuNs = ThreadClock.cpuTimeNs();

        private long work() {
            Work.spin(UNIT_MS);
            Thread.yield();
            Work.spin(UNIT_MS);
            LockSupport.parkNanos(MILLISECONDS.toNanos(1));
            Work.spin(UNIT_MS);
            return watch.stop();
        }

        long watchNs() {
            return watchNs;
        }

        void assertThatItCounted(String way) {
            assertThat(canRead).as("ThreadClock.canRead() by %s", way).isTrue();
            assertThat(watchNs)
                    .as("ns by a stopwatch, within the clock's, by %s", way)
                    .isBetween(1L, after.cpuTimeNs() - before.cpuTimeNs())
                    .isEqualTo(watch.userTimeNs() + watch.systemTimeNs());
            assertThat(userNs).as("user time after another, by %s", way).isGreaterThanOrEqualTo(after.userTimeNs());
            assertThat(systemNs).as("system time, by %s", way).isGreaterThanOrEqualTo(after.systemTimeNs());
            assertThat(cpuNs).as("CPU time, by %s", way).isGreaterThanOrEqualTo(userNs + systemNs);
        }
    }
}
