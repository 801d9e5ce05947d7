// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.threadclock.ThreadClock;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class CpuObservationHandlerTest {
    private static final long WORK_NS = 10_000_000;

    private final MeterRegistry meters = new SimpleMeterRegistry();
    private final ObservationRegistry observations = ObservationRegistry.create();

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.isSupported()).as(ThreadClock.explanation()).isTrue();
        observations.observationConfig().observationHandler(new CpuObservationHandler(meters));
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
    }

    private Observation observation(String name) {
        return Observation.createNotStarted(name, observations).lowCardinalityKeyValue("route", "/orders");
    }

    private double cpuNs(String name) {
        return meters.get(name + ".cpu.time").timers().stream()
                .mapToDouble(timer -> timer.totalTime(TimeUnit.NANOSECONDS))
                .sum();
    }

    @Test
    void timesWhatIsObservedUnderTheTagsOfTheWallTime() {
        observation("request").observe(() -> Burning.cpu(WORK_NS));
        Timer user = meters.get("request.cpu.time")
                .tags("mode", "user", "route", "/orders", "error", "none")
                .timer();
        Timer wall = meters.get("request").tags("route", "/orders", "error", "none").timer();
        assertThat(user.count()).as("count").isEqualTo(wall.count()).isEqualTo(1);
        assertThat(cpuNs("request")).as("CPU ns").isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void namesTheError() {
        assertThatThrownBy(() -> observation("request").observe((Runnable) () -> {
                    throw new IllegalStateException("of the observed");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(meters.get("request.cpu.time").tag("error", "IllegalStateException").timers())
                .hasSize(2);
    }

    @Test
    void addsUpTheScopesOfAllThreads() throws InterruptedException {
        Observation observation = observation("request").start();
        Runnable work = () -> observation.scoped(() -> Burning.cpu(WORK_NS));
        Thread other = new Thread(work);
        other.start();
        work.run();
        other.join();
        observation.stop();
        assertThat(cpuNs("request")).as("CPU ns of two threads").isGreaterThanOrEqualTo(2 * WORK_NS);
    }

    @Test
    void closesTheScopeOfTheThreadThatCloses() throws InterruptedException {
        Observation observation = observation("request").start();
        CountDownLatch bothOpen = new CountDownLatch(1);
        CountDownLatch oneClosed = new CountDownLatch(1);
        Thread later = new Thread(() -> observation.scoped(() -> {
            bothOpen.countDown();
            Burning.cpu(WORK_NS);
            awaitQuietly(oneClosed);
        }));
        observation.scoped(() -> {
            later.start();
            awaitQuietly(bothOpen);
            Burning.cpu(WORK_NS);
        });
        oneClosed.countDown();
        later.join();
        observation.stop();
        assertThat(cpuNs("request")).as("CPU ns of two threads").isGreaterThanOrEqualTo(2 * WORK_NS);
    }

    private static void awaitQuietly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    @Test
    void countsAScopeInsideAScopeOnce() {
        long beginNs = ThreadClock.cpuTimeNs();
        Observation observation = observation("request").start();
        observation.scoped(() -> {
            Burning.cpu(WORK_NS);
            observation.scoped(() -> Burning.cpu(WORK_NS));
            Burning.cpu(WORK_NS);
        });
        observation.stop();
        assertThat(cpuNs("request"))
                .as("CPU ns of the outer scope")
                .isBetween(3.0 * WORK_NS, ThreadClock.cpuTimeNs() - (double) beginNs);
    }

    @Test
    void countsAnInnerObservationForTheOuterToo() {
        observation("outer").observe(() -> observation("inner").observe(() -> Burning.cpu(WORK_NS)));
        assertThat(cpuNs("outer")).as("CPU ns of the outer").isGreaterThanOrEqualTo(cpuNs("inner"));
        assertThat(cpuNs("inner")).as("CPU ns of the inner").isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void tellsObservationsApartByNameTagsAndError() {
        for (int i = 0; i < 2; i++) {
            observation("request").observe(() -> Burning.cpu(1_000));
            observation("other").observe(() -> Burning.cpu(1_000));
            observation("request").lowCardinalityKeyValue("route", "/else").observe(() -> Burning.cpu(1_000));
            Observation failed = observation("request").start();
            failed.scoped(() -> Burning.cpu(1_000));
            failed.error(new IllegalStateException()).stop();
        }
        assertThat(meters.get("other.cpu.time").timers()).hasSize(2);
        assertThat(meters.get("request.cpu.time").timers())
                .hasSize(6)
                .allSatisfy(timer -> assertThat(timer.count()).as("count of %s", timer.getId()).isEqualTo(2));
    }

    @Test
    void recordsIntoANewTimerWhenTheRegistryHasRemovedOne() {
        observation("request").observe(() -> Burning.cpu(WORK_NS));
        meters.get("request.cpu.time").timers().forEach(meters::remove);
        observation("request").observe(() -> Burning.cpu(WORK_NS));
        assertThat(cpuNs("request")).as("CPU ns since then").isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void recordsNothingWithoutAScope() {
        observation("request").start().stop();
        assertThat(meters.find("request").timer()).isNotNull();
        assertThat(meters.find("request.cpu.time").timers()).isEmpty();
    }

    @Test
    @SuppressWarnings("deprecation")
    void followsAScopeThatIsTakenAwayAndMadeCurrentAgain() {
        Observation observation = observation("request").start();
        try (Observation.Scope scope = observation.openScope()) {
            Burning.cpu(WORK_NS);
            scope.reset();
            Burning.cpu(20 * WORK_NS);
            scope.makeCurrent();
            Burning.cpu(WORK_NS);
        }
        observation.stop();
        assertThat(cpuNs("request")).as("CPU ns while it was current").isBetween(2.0 * WORK_NS, 20.0 * WORK_NS);
    }
}
