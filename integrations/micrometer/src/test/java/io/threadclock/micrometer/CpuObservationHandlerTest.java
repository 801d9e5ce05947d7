// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.CountAtBucket;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.observation.DefaultMeterObservationHandler;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.micrometer.observation.transport.RequestReplyReceiverContext;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.threadclock.AccountUsage;
import io.threadclock.CpuAccount;
import io.threadclock.Samples;
import io.threadclock.ThreadClock;
import io.threadclock.VirtualThreads;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuObservationHandlerTest {
    private static final long WORK_NS = 10_000_000;

    /** A registry with histograms. */
    private final MeterRegistry meters = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);

    private final ObservationRegistry observations = ObservationRegistry.create();

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.canRead()).as(ThreadClock.explanation()).isTrue();
        observations.observationConfig().observationHandler(new CpuObservationHandler(meters));
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(meters));
    }

    private Observation observation(String name) {
        return Observation.createNotStarted(name, observations).lowCardinalityKeyValue("route", "/orders");
    }

    private double cpuNs(String name) {
        return meters.get(name + "-cpu").timers().stream()
                .mapToDouble(timer -> timer.totalTime(TimeUnit.NANOSECONDS))
                .sum();
    }

    private double unmeasured(String name) {
        return meters.get(name + ".cpu.unmeasured").counter().count();
    }

    @Test
    void timesWhatIsObservedUnderTheTagsOfTheWallTime() {
        observation("request").observe(() -> Burning.cpu(WORK_NS));
        Timer cpu = meters.get("request-cpu").timer();
        Timer wall = meters.get("request").timer();
        assertThat(cpu.getId().getTags()).isEqualTo(wall.getId().getTags());
        assertThat(cpu.count()).as("count").isEqualTo(wall.count()).isEqualTo(1);
        assertThat(cpuNs("request")).as("CPU ns").isGreaterThanOrEqualTo(WORK_NS);
        double seconds = meters.get("request.cpu.time").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
        assertThat(seconds).as("user + system, s").isCloseTo(cpuNs("request") / 1e9, within(1e-9));
        assertThat(unmeasured("request")).as("unmeasured").isZero();
    }

    @Test
    void dividesTheWallTimeOfScopes() {
        recorded(Samples.usage(3_000, 2_000, 5_000, 7_000, 0));
        assertThat(seconds("request.run.delay")).isEqualTo(5e-6);
        assertThat(seconds("request.not.running")).isEqualTo(7e-6);
    }

    @Test
    void doesNotTellWaitsThatAreUnknown() {
        recorded(Samples.usage(3_000, 2_000, 0, 0, 1));
        assertThat(cpuNs("request")).isEqualTo(3_000);
        assertThat(meters.find("request.run.delay").counters()).isEmpty();
        assertThat(meters.find("request.not.running").counters()).isEmpty();
    }

    @Test
    void tellsWaitsWhereTheClockDoes() throws InterruptedException {
        assumeThat(ThreadClock.waits().runDelayNs()).as("run delay, ns").isNotNegative();
        observation("request").observeChecked(() -> Thread.sleep(1));
        double wallSeconds = meters.get("request").timer().totalTime(TimeUnit.SECONDS);
        assertThat(cpuNs("request") / 1e9 + seconds("request.run.delay") + seconds("request.not.running"))
                .as("CPU time + run delay + not running, s")
                .isLessThanOrEqualTo(wallSeconds);
        assertThat(seconds("request.not.running")).isPositive();
    }

    private void recorded(AccountUsage usage) {
        Observation.Context context = new Observation.Context();
        context.setName("request");
        new ObservationMeters(meters).record(context, usage);
    }

    private double seconds(String name) {
        return meters.get(name).counter().count();
    }

    /** Configures histograms as Spring Boot does for requests. */
    @Test
    void doesNotInheritTheHistogramOfTheWallTime() {
        meters.config().meterFilter(histogramOfWhatContinues("request"));
        observation("request").observe(() -> Burning.cpu(1_000));
        assertThat(buckets("request")).as("buckets of the wall time").isNotEmpty();
        assertThat(buckets("request-cpu")).as("buckets of the CPU time").isEmpty();
    }

    @Test
    void hasBucketsBelowAMillisecond() {
        meters.config().meterFilter(histogramOfWhatContinues("request-cpu"));
        observation("request").observe(() -> Burning.cpu(1_000));
        assertThat(buckets("request-cpu")).anyMatch(bucket -> bucket.bucket(TimeUnit.MICROSECONDS) < 20);
    }

    private CountAtBucket[] buckets(String name) {
        return meters.get(name).timer().takeSnapshot().histogramCounts();
    }

    private static MeterFilter histogramOfWhatContinues(String name) {
        return new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return (id.getName() + ".").startsWith(name + ".")
                        ? DistributionStatisticConfig.builder()
                                .percentilesHistogram(true)
                                .build()
                                .merge(config)
                        : config;
            }
        };
    }

    /** A limit on a tag's values, such as Spring Boot's on uri, depends on the beginning of a name. */
    @Test
    void keepsTheLimitsOfTheObservationsTags() {
        meters.config().meterFilter(MeterFilter.maximumAllowableTags("request", "route", 1, MeterFilter.deny()));
        observation("request").observe(() -> Burning.cpu(1_000));
        observation("request").lowCardinalityKeyValue("route", "/else").observe(() -> Burning.cpu(1_000));
        assertThat(meters.get("request-cpu").timers()).hasSize(1);
    }

    @Test
    void namesTheError() {
        assertThatThrownBy(() -> observation("request").observe((Runnable) () -> {
                    throw new IllegalStateException("of the observed");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(meters.get("request-cpu")
                        .tag("error", "IllegalStateException")
                        .timer()
                        .count())
                .isEqualTo(1);
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
        assertThat(meters.get("other-cpu").timers()).hasSize(1);
        assertThat(meters.get("request-cpu").timers()).hasSize(3).allSatisfy(timer -> assertThat(timer.count())
                .as("count of %s", timer.getId())
                .isEqualTo(2));
    }

    @Test
    void recordsIntoANewTimerWhenTheRegistryHasRemovedOne() {
        observation("request").observe(() -> Burning.cpu(WORK_NS));
        meters.remove(meters.get("request-cpu").timer());
        observation("request").observe(() -> Burning.cpu(WORK_NS));
        assertThat(cpuNs("request")).as("CPU ns since then").isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void countsAnObservationWithoutAScopeAsUnmeasured() {
        Observation observation = observation("request").start();
        observation.stop();
        observation.stop();
        assertThat(unmeasured("request")).isEqualTo(1);
        assertThat(meters.find("request-cpu").timers()).isEmpty();
    }

    /** Micrometer's ObservationThreadLocalAccessor opens such scopes. */
    @Test
    void ignoresAnObservationThatIsNeverStarted() {
        Observation observation = observation("request");
        observation.openScope().close();
        assertThat(meters.getMeters()).isEmpty();
    }

    /** The cost in the virtual thread is not included, so the sum would be too small. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void countsAnObservationAsUnmeasuredThatWasInAVirtualThread(boolean andInThisOne) throws Exception {
        Observation observation = observeInVirtualThread(observation("request").start());
        if (andInThisOne) {
            observation.scoped(() -> Burning.cpu(1_000));
        }
        observation.stop();
        assertThat(unmeasured("request")).isEqualTo(1);
        assertThat(meters.find("request-cpu").timers()).isEmpty();
    }

    @Test
    void measuresAnObservationInAMeasuredVirtualThread() throws Exception {
        assumeThat(VirtualThreads.areMeasurable())
                .as(VirtualThreads.explanation())
                .isTrue();
        Observation observation = observation("request").start();
        Thread thread = VirtualThreads.factory().newThread(() -> observation.scoped(() -> Burning.cpu(1_000)));
        thread.start();
        thread.join();
        observation.stop();
        assertThat(unmeasured("request")).isZero();
        assertThat(meters.get("request-cpu").timer().count()).isEqualTo(1);
    }

    private static Observation observeInVirtualThread(Observation observation) throws Exception {
        assumeThat(Runtime.version().feature()).as("Java with virtual threads").isGreaterThanOrEqualTo(21);
        Runnable scope = () -> observation.scoped(() -> {});
        ((Thread) Thread.class.getMethod("startVirtualThread", Runnable.class).invoke(null, scope)).join();
        return observation;
    }

    @Test
    void countsAScopeOfAnotherThreadUpToTheStop() throws InterruptedException {
        long beginNs = ThreadClock.cpuTimeNs();
        AtomicLong otherNs = new AtomicLong();
        Observation observation = observation("request").start();
        observation.scoped(() -> Burning.cpu(WORK_NS));
        CountDownLatch burnt = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Thread other = new Thread(() -> observation.scoped(() -> {
            Burning.cpu(WORK_NS);
            burnt.countDown();
            awaitQuietly(stopped);
            otherNs.set(ThreadClock.cpuTimeNs());
            Burning.cpu(WORK_NS);
        }));
        other.start();
        burnt.await();
        observation.stop();
        long mostNs = ThreadClock.cpuTimeNs() - beginNs;
        stopped.countDown();
        other.join();
        assertThat(unmeasured("request")).isZero();
        assertThat(cpuNs("request"))
                .as("CPU ns until it was stopped")
                .isBetween(2.0 * WORK_NS, (double) mostNs + otherNs.get());
        assertThat(meters.find("request.run.delay").counters())
                .as("waits of a thread that still runs")
                .isEmpty();
    }

    /** It is a matter of compiling, too: a lambda means the task that it looks like. */
    @Test
    void countsTasksForTheObservationThatHandsThemOverAndForItsParents() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        Executor shared = CpuObservationHandler.wrap(observations, other);
        try {
            observation("outer").observeChecked(() -> observation("inner").observeChecked(() -> {
                other.submit(CpuObservationHandler.wrap(
                                observations, () -> observation("begun").observe(() -> Burning.cpu(WORK_NS))))
                        .get();
                int one = other.submit(CpuObservationHandler.wrap(observations, this::burnt))
                        .get();
                Executor ours = CpuObservationHandler.wrap(observations, other);
                CompletableFuture.supplyAsync(CpuObservationHandler.wrapSupplier(observations, this::burnt))
                        .thenApplyAsync(two -> burnt() + one + two, ours)
                        .get();
                CompletableFuture.supplyAsync(this::burnt, shared)
                        .thenRunAsync(this::burnt, shared)
                        .get();
                other.submit(() -> {}).get(); // the stages before have ended
            }));
        } finally {
            other.shutdown();
        }
        assertThat(cpuNs("inner")).as("CPU ns of the inner").isGreaterThanOrEqualTo(6 * WORK_NS);
        assertThat(cpuNs("outer")).as("CPU ns of the outer").isGreaterThanOrEqualTo(cpuNs("inner"));
    }

    private Integer burnt() {
        Burning.cpu(WORK_NS);
        return 1;
    }

    /** As a flow of Kotlin's coroutines goes on in another thread. The next request finds the first one as its parent. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void countsAnObservationAsUnmeasuredWhoseScopeIsNotClosedByItsThread(boolean closesElsewhere) throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            Observation left = request("left").start();
            Observation.Scope scope = other.submit(left::openScope).get();
            if (closesElsewhere) {
                scope.close();
            } else {
                other.submit(() -> request("next").observe(() -> Burning.cpu(WORK_NS)))
                        .get();
                assertThat(unmeasured("next")).as("unmeasured next ones").isZero();
            }
            left.stop();
        } finally {
            other.shutdown();
        }
        assertThat(unmeasured("left")).isEqualTo(1);
    }

    private Observation request(String name) {
        return Observation.createNotStarted(
                name, () -> new RequestReplyReceiverContext<>((carrier, key) -> null), observations);
    }

    @Test
    void countsAScopeInsideOfAnUnrelatedOneForItselfAlone() {
        Observation inner = observation("inner");
        long beginNs = ThreadClock.cpuTimeNs();
        observation("outer").observe(() -> inner.observe(() -> Burning.cpu(WORK_NS)));
        assertThat(cpuNs("inner") + cpuNs("outer"))
                .as("CPU ns of both")
                .isBetween((double) WORK_NS, (double) ThreadClock.cpuTimeNs() - beginNs);
        assertThat(unmeasured("outer")).as("unmeasured").isZero();
    }

    @Test
    void leavesATaskAsItIsIfNothingIsObserved() {
        Runnable task = () -> {};
        assertThat(CpuObservationHandler.wrap(observations, task)).isSameAs(task);
    }

    @Test
    void leavesNoPartOpenInAThreadThatDoesNotCloseItsScopes() throws Exception {
        ExecutorService other = Executors.newSingleThreadExecutor();
        try {
            ScopeTimes left = new ScopeTimes(new Observation.Context());
            other.submit(left::open).get();
            left.stop();
            long lateParts = CpuAccount.late().parts();
            other.submit(new ScopeTimes(new Observation.Context())::open).get();
            assertThat(CpuAccount.late().parts())
                    .as("late parts after the thread's next scope, which ends this one")
                    .isEqualTo(lateParts + 1);
        } finally {
            other.shutdown();
        }
    }

    @Test
    void measuresAScopeThatIsClosedAfterTheObservationIsStopped() {
        Observation observation = observation("request").start();
        Observation.Scope scope = observation.openScope();
        Burning.cpu(WORK_NS);
        observation.stop();
        scope.close();
        assertThat(cpuNs("request")).as("CPU ns until it was stopped").isGreaterThanOrEqualTo(WORK_NS);
        assertThat(unmeasured("request")).as("unmeasured").isZero();
    }

    @Test
    @SuppressWarnings("deprecation")
    void followsAScopeThatIsTakenAwayAndMadeCurrentAgain() {
        Observation observation = observation("request").start();
        long beginNs = ThreadClock.cpuTimeNs();
        long awayNs;
        try (Observation.Scope scope = observation.openScope()) {
            Burning.cpu(WORK_NS);
            scope.reset();
            long resetNs = ThreadClock.cpuTimeNs();
            Burning.cpu(WORK_NS);
            awayNs = ThreadClock.cpuTimeNs() - resetNs;
            scope.makeCurrent();
            Burning.cpu(WORK_NS);
        }
        observation.stop();
        assertThat(cpuNs("request"))
                .as("CPU ns while it was current")
                .isBetween(2.0 * WORK_NS, ThreadClock.cpuTimeNs() - beginNs - (double) awayNs);
    }
}
