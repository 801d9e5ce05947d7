// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatNullPointerException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.instrument.Tags;
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
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuTimedExecutorTest extends MeteredTest {
    private final Executor direct = direct("direct");
    private final ExecutorService threads = Executors.newFixedThreadPool(2);

    @AfterEach
    void shutDown() {
        threads.shutdownNow();
    }

    private Executor direct(String name) {
        return new CpuTimedExecutor(registry, Runnable::run, name, Tags.empty());
    }

    private double cpuNsOf(String name) {
        return 1e9 * sum("executor.cpu.time", "name", name);
    }

    private void assertCounted(String name, int tasks, int unmeasured) {
        assertThat(sum("executor.cpu.tasks", "name", name)).as("tasks measured").isEqualTo(tasks);
        assertThat(sum("executor.cpu.unmeasured", "name", name)).isEqualTo(unmeasured);
    }

    private static void end(ExecutorService executor) throws InterruptedException {
        executor.shutdown();
        assertThat(executor.awaitTermination(2, TimeUnit.MINUTES)).isTrue();
    }

    private static void burn() {
        Burning.cpu(WORK_NS);
    }

    /** A holder is outside the heap, and a program may have very many measured methods. */
    @Test
    void sharesOneBufferOfAThreadWithAllOthers() {
        BufferPoolMXBean buffers = ManagementFactory.getPlatformMXBeans(BufferPoolMXBean.class).stream()
                .filter(pool -> pool.getName().equals("direct"))
                .findFirst()
                .orElseThrow();
        long before = buffers.getCount();
        AtomicLong after = new AtomicLong();
        inThread(() -> {
            for (int i = 0; i < 1_000; i++) {
                direct("of many " + i).execute(() -> {});
            }
            after.set(buffers.getCount());
        });
        assertThat(after.get() - before)
                .as("buffers of 1,000 executors' tasks in one thread")
                .isLessThan(100);
    }

    @Test
    void tellsWhatTasksHaveCost() {
        long beginNs = ThreadClock.cpuTimeNs();
        direct.execute(CpuTimedExecutorTest::burn);
        direct.execute(CpuTimedExecutorTest::burn);
        double wholeNs = ThreadClock.cpuTimeNs() - beginNs;
        assertThat(cpuNsOf("direct")).as("CPU ns of two tasks").isBetween(2.0 * WORK_NS, wholeNs);
        assertCounted("direct", 2, 0);
    }

    @Test
    void measuresATaskThatFailsAndLetsItsExceptionThrough() {
        IllegalStateException failure = new IllegalStateException("the task's own");
        assertThatThrownBy(() -> direct.execute(() -> {
                    burn();
                    throw failure;
                }))
                .isSameAs(failure);
        assertThat(cpuNsOf("direct")).as("CPU ns").isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void countsATaskInsideATaskForBoth() {
        direct("outer").execute(() -> {
            burn();
            direct.execute(CpuTimedExecutorTest::burn);
        });
        assertThat(cpuNsOf("direct")).as("CPU ns of the inner").isGreaterThanOrEqualTo(WORK_NS);
        assertThat(cpuNsOf("outer")).as("CPU ns of the outer").isGreaterThanOrEqualTo(cpuNsOf("direct") + WORK_NS);
    }

    @Test
    void measuresEachWayToGiveATask() throws Exception {
        ExecutorService executor = new CpuTimedExecutorService(registry, threads, "service", Tags.empty());
        Callable<String> task = () -> {
            burn();
            return "done";
        };
        executor.execute(CpuTimedExecutorTest::burn);
        assertThat(executor.submit(task).get()).isEqualTo("done");
        assertThat(executor.submit(CpuTimedExecutorTest::burn, "given").get()).isEqualTo("given");
        executor.submit(CpuTimedExecutorTest::burn).get();
        for (Future<String> future : executor.invokeAll(List.of(task, task))) {
            assertThat(future.get()).isEqualTo("done");
        }
        assertThat(executor.invokeAny(List.of(task))).isEqualTo("done");
        end(executor);
        assertCounted("service", 7, 0);
        assertThat(cpuNsOf("service")).as("CPU ns").isGreaterThanOrEqualTo(7 * WORK_NS);
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
                    burn();
                    Thread.yield();
                    burn();
                })
                .get();
        end(executor);
        assertThat(cpuNsOf("both")).as("CPU ns").isGreaterThanOrEqualTo(2 * WORK_NS);
        assertCounted("both", 1, 0);
        assertThat(timer("executor").count()).as("tasks by wall time").isEqualTo(1);
        assertThat(timer("executor").totalTime(TimeUnit.SECONDS)).as("wall s").isPositive();
    }

    @Test
    void runsTasksUnmeasuredInVirtualThreads() throws Exception {
        assumeVirtualThreads();
        ExecutorService virtual = (ExecutorService)
                Executors.class.getMethod("newVirtualThreadPerTaskExecutor").invoke(null);
        ExecutorService executor = new CpuTimedExecutorService(registry, virtual, "virtual", Tags.empty());
        assertThat(executor.submit(() -> "done").get()).isEqualTo("done");
        executor.shutdown();
        assertCounted("virtual", 0, 1);
    }
}
