// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.lang.management.BufferPoolMXBean;
import java.lang.management.ManagementFactory;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuTimedExecutorTest {
    private static final long TASK_NS = 20_000_000;

    private final MeterRegistry registry = new SimpleMeterRegistry();
    private final Executor direct = new CpuTimedExecutor(registry, Runnable::run, "direct", Tags.empty());
    private final ExecutorService threads = Executors.newFixedThreadPool(2);

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.canRead()).as(ThreadClock.explanation()).isTrue();
    }

    @AfterEach
    void shutDown() {
        threads.shutdownNow();
    }

    private double cpuSeconds(String name) {
        return registry.get("executor.cpu.time").tag("name", name).functionCounters().stream()
                .mapToDouble(FunctionCounter::count)
                .sum();
    }

    private double count(String meter, String name) {
        return registry.get(meter).tag("name", name).functionCounter().count();
    }

    /** A holder is outside the heap, and a program may have very many measured methods. */
    @Test
    void sharesOneBufferOfAThreadWithAllOthers() throws InterruptedException {
        BufferPoolMXBean buffers = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
        long before = buffers.getCount();
        AtomicLong after = new AtomicLong();
        Thread thread = new Thread(() -> {
            for (int i = 0; i < 1_000; i++) {
                new CpuTimedExecutor(registry, Runnable::run, "of many " + i, Tags.empty()).execute(() -> {});
            }
            after.set(buffers.getCount());
        });
        thread.start();
        thread.join();
        assertThat(after.get() - before)
                .as("buffers of 1,000 executors' tasks in one thread")
                .isLessThan(100);
    }

    @Test
    void tellsWhatTasksHaveCost() {
        long beginNs = ThreadClock.cpuTimeNs();
        direct.execute(() -> Burning.cpu(TASK_NS));
        direct.execute(() -> Burning.cpu(TASK_NS));
        double wholeSeconds = (ThreadClock.cpuTimeNs() - beginNs) / 1e9;
        assertThat(cpuSeconds("direct")).as("CPU s of two tasks").isBetween(2 * TASK_NS / 1e9, wholeSeconds);
        assertThat(count("executor.cpu.tasks", "direct")).isEqualTo(2);
        assertThat(count("executor.cpu.unmeasured", "direct")).isZero();
    }

    @Test
    void measuresATaskThatFailsAndLetsItsExceptionThrough() {
        IllegalStateException failure = new IllegalStateException("the task's own");
        assertThatThrownBy(() -> direct.execute(() -> {
                    Burning.cpu(TASK_NS);
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(cpuSeconds("direct")).as("CPU s").isGreaterThanOrEqualTo(TASK_NS / 1e9);
    }

    @Test
    void countsATaskInsideATaskForBoth() {
        Executor outer = new CpuTimedExecutor(registry, Runnable::run, "outer", Tags.empty());
        outer.execute(() -> {
            Burning.cpu(TASK_NS);
            direct.execute(() -> Burning.cpu(TASK_NS));
        });
        assertThat(cpuSeconds("direct")).as("CPU s of the inner").isGreaterThanOrEqualTo(TASK_NS / 1e9);
        assertThat(cpuSeconds("outer"))
                .as("CPU s of the outer")
                .isGreaterThanOrEqualTo(cpuSeconds("direct") + TASK_NS / 1e9);
    }

    @Test
    void measuresEachWayToGiveATask() throws Exception {
        ExecutorService executor = new CpuTimedExecutorService(registry, threads, "service", Tags.empty());
        Callable<String> task = () -> {
            Burning.cpu(TASK_NS / 20);
            return "done";
        };
        executor.execute(() -> Burning.cpu(TASK_NS / 20));
        assertThat(executor.submit(task).get()).isEqualTo("done");
        assertThat(executor.submit(() -> Burning.cpu(TASK_NS / 20), "given").get())
                .isEqualTo("given");
        executor.submit(() -> Burning.cpu(TASK_NS / 20)).get();
        for (Future<String> future : executor.invokeAll(List.of(task, task))) {
            assertThat(future.get()).isEqualTo("done");
        }
        assertThat(executor.invokeAny(List.of(task))).isEqualTo("done");
        executor.shutdown();
        assertThat(executor.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
        assertThat(count("executor.cpu.tasks", "service")).as("tasks measured").isEqualTo(7);
        assertThat(cpuSeconds("service")).as("CPU s").isGreaterThanOrEqualTo(7 * TASK_NS / 20 / 1e9);
    }

    /** Nobody would see the exception in a thread of the pool, which would end. */
    @Test
    void whatIsNoTaskIsRefusedWhereItIsGiven() {
        Executor executor = new CpuTimedExecutor(registry, threads, "executor of none", Tags.empty());
        ExecutorService service = new CpuTimedExecutorService(registry, threads, "service of none", Tags.empty());
        assertThatNullPointerException().isThrownBy(() -> executor.execute(null));
        assertThatNullPointerException().isThrownBy(() -> service.execute(null));
        assertThatNullPointerException().isThrownBy(() -> service.submit((Runnable) null));
        assertThatNullPointerException().isThrownBy(() -> service.submit((Callable<?>) null));
        assertThatNullPointerException().isThrownBy(() -> service.invokeAny(Collections.singletonList(null)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void standsBesideMicrometersTimer(boolean inMeasuredVirtualThreads) throws Exception {
        assumeThat(!inMeasuredVirtualThreads || VirtualThreads.areMeasurable())
                .as(VirtualThreads.explanation())
                .isTrue();
        ExecutorService given = inMeasuredVirtualThreads ? VirtualThreads.executor() : threads;
        ExecutorService executor = CpuTimedExecutorService.monitor(registry, given, "both");
        executor.submit(() -> {
                    Burning.cpu(TASK_NS);
                    Thread.yield();
                    Burning.cpu(TASK_NS);
                })
                .get();
        executor.shutdown();
        assertThat(executor.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
        Timer wall = registry.get("executor").tag("name", "both").timer();
        assertThat(cpuSeconds("both")).as("CPU s").isGreaterThanOrEqualTo(2 * TASK_NS / 1e9);
        assertThat(count("executor.cpu.tasks", "both")).isEqualTo(1);
        assertThat(count("executor.cpu.unmeasured", "both")).isZero();
        assertThat(wall.count()).as("tasks by wall time").isEqualTo(1);
        assertThat(wall.totalTime(TimeUnit.SECONDS)).as("wall s").isPositive();
    }

    @Test
    void runsTasksUnmeasuredInVirtualThreads() throws Exception {
        assumeThat(Runtime.version().feature()).as("Java with virtual threads").isGreaterThanOrEqualTo(21);
        ExecutorService virtual = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        ExecutorService executor = new CpuTimedExecutorService(registry, virtual, "virtual", Tags.empty());
        assertThat(executor.submit(() -> "done").get()).isEqualTo("done");
        executor.shutdown();
        assertThat(count("executor.cpu.unmeasured", "virtual")).isEqualTo(1);
        assertThat(count("executor.cpu.tasks", "virtual")).isZero();
    }
}
