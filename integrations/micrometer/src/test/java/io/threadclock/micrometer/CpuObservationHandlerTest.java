// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

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
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class CpuObservationHandlerTest extends MeteredTest {
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final ExecutorService other = Executors.newSingleThreadExecutor();

    CpuObservationHandlerTest() {
        super(new PrometheusMeterRegistry(PrometheusConfig.DEFAULT)); // has histograms
        observations.observationConfig().observationHandler(new CpuObservationHandler(registry));
        observations.observationConfig().observationHandler(new DefaultMeterObservationHandler(registry));
    }

    @AfterEach
    void shutDown() {
        other.shutdown();
    }

    private Observation observation(String name) {
        return Observation.createNotStarted(name, observations).lowCardinalityKeyValue("route", "/orders");
    }

    /** As {@link #observation} of "request", begun. */
    private Observation request() {
        return observation("request").start();
    }

    private static void burn() {
        Burning.cpu(WORK_NS);
    }

    private void observe(String name) {
        observation(name).observe(CpuObservationHandlerTest::burn);
    }

    private void observeElse() {
        observation("request").lowCardinalityKeyValue("route", "/else").observe(CpuObservationHandlerTest::burn);
    }

    private double unmeasured(String name) {
        return sum(name + ".cpu.unmeasured");
    }

    private void assertUnmeasured() {
        assertThat(unmeasured("request")).isEqualTo(1);
        assertThat(meters("request-cpu")).isEmpty();
    }

    @Test
    void timesWhatIsObservedUnderTheTagsOfTheWallTime() {
        observe("request");
        assertThat(timer("request-cpu").getId().getTags())
                .isEqualTo(timer("request").getId().getTags());
        assertThat(sum("request-cpu")).as("count").isEqualTo(sum("request")).isEqualTo(1);
        assertThat(cpuNs("request")).as("CPU ns").isGreaterThanOrEqualTo(WORK_NS);
        assertThat(sum("request.cpu.time")).as("user + system, s").isCloseTo(cpuNs("request") / 1e9, within(1e-9));
        assertThat(unmeasured("request")).as("unmeasured").isZero();
    }

    private void record(AccountUsage usage) {
        Observation.Context context = new Observation.Context();
        context.setName("request");
        new ObservationMeters(registry).record(context, usage);
    }

    @Test
    void dividesTheWallTimeOfScopes() {
        record(Samples.usage(3_000, 2_000, 5_000, 7_000, 0));
        assertThat(sum("request.run.delay")).isEqualTo(5e-6);
        assertThat(sum("request.not.running")).isEqualTo(7e-6);
    }

    private void assertThatWaitsAreNotTold() {
        assertThat(meters("request.run.delay")).isEmpty();
        assertThat(meters("request.not.running")).isEmpty();
    }

    @Test
    void doesNotTellWaitsThatAreUnknown() {
        record(Samples.usage(3_000, 2_000, 0, 0, 1));
        assertThat(cpuNs("request")).isEqualTo(3_000);
        assertThatWaitsAreNotTold();
    }

    @Test
    void tellsWaitsWhereTheClockDoes() throws InterruptedException {
        assumeThat(ThreadClock.waits().runDelayNs()).as("run delay, ns").isNotNegative();
        observation("request").observeChecked(() -> Thread.sleep(1));
        assertThat(cpuNs("request") / 1e9 + sum("request.run.delay") + sum("request.not.running"))
                .as("CPU time + run delay + not running, s")
                .isLessThanOrEqualTo(timer("request").totalTime(TimeUnit.SECONDS));
        assertThat(sum("request.not.running")).isPositive();
    }

    private CountAtBucket[] buckets(String name) {
        return timer(name).takeSnapshot().histogramCounts();
    }

    private void observeWithHistogramOf(String name) {
        configureWhatContinues(
                name,
                DistributionStatisticConfig.builder().percentilesHistogram(true).build());
        observe("request");
    }

    @Test
    void doesNotInheritTheHistogramOfTheWallTime() {
        observeWithHistogramOf("request");
        assertThat(buckets("request")).as("buckets of the wall time").isNotEmpty();
        assertThat(buckets("request-cpu")).as("buckets of the CPU time").isEmpty();
    }

    @Test
    void hasBucketsBelowAMillisecond() {
        observeWithHistogramOf("request-cpu");
        assertThat(buckets("request-cpu")).anyMatch(bucket -> bucket.bucket(TimeUnit.MICROSECONDS) < 20);
    }

    /** A limit on a tag's values, such as Spring Boot's on uri, depends on the beginning of a name. */
    @Test
    void keepsTheLimitsOfTheObservationsTags() {
        registry.config().meterFilter(MeterFilter.maximumAllowableTags("request", "route", 1, MeterFilter.deny()));
        observe("request");
        observeElse();
        assertThat(meters("request-cpu")).hasSize(1);
    }

    @Test
    void namesTheError() {
        assertThatThrownBy(() -> observation("request").observe((Runnable) () -> {
                    throw new IllegalStateException("of the observed");
                }))
                .isInstanceOf(IllegalStateException.class);
        assertThat(sum("request-cpu", "error", "IllegalStateException")).isEqualTo(1);
    }

    @Test
    void closesTheScopeOfTheThreadThatCloses() {
        Observation observation = request();
        CountDownLatch bothOpen = new CountDownLatch(1);
        CountDownLatch oneClosed = new CountDownLatch(1);
        Thread later = new Thread(() -> observation.scoped(() -> {
            bothOpen.countDown();
            burn();
            await(oneClosed);
        }));
        observation.scoped(() -> {
            later.start();
            await(bothOpen);
            burn();
        });
        oneClosed.countDown();
        join(later);
        observation.stop();
        assertThat(cpuNs("request")).as("CPU ns of two threads").isGreaterThanOrEqualTo(2 * WORK_NS);
    }

    @Test
    void countsAScopeInsideAScopeOnce() {
        long beginNs = ThreadClock.cpuTimeNs();
        Observation observation = request();
        observation.scoped(() -> {
            burn();
            observation.scoped(CpuObservationHandlerTest::burn);
            burn();
        });
        observation.stop();
        assertThat(cpuNs("request"))
                .as("CPU ns of the outer scope")
                .isBetween(3.0 * WORK_NS, ThreadClock.cpuTimeNs() - (double) beginNs);
    }

    @Test
    void countsAnInnerObservationForTheOuterToo() {
        observation("outer").observe(() -> observe("inner"));
        assertThat(cpuNs("outer")).as("CPU ns of the outer").isGreaterThanOrEqualTo(cpuNs("inner"));
        assertThat(cpuNs("inner")).as("CPU ns of the inner").isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void tellsObservationsApartByNameTagsAndError() {
        for (int i = 0; i < 2; i++) {
            observe("request");
            observe("other");
            observeElse();
            Observation failed = request();
            failed.scoped(CpuObservationHandlerTest::burn);
            failed.error(new IllegalStateException()).stop();
        }
        assertThat(meters("other-cpu")).hasSize(1);
        assertThat(registry.get("request-cpu").timers()).hasSize(3).allSatisfy(timer -> assertThat(timer.count())
                .as("count of %s", timer.getId())
                .isEqualTo(2));
    }

    @Test
    void recordsIntoANewTimerWhenTheRegistryHasRemovedOne() {
        observe("request");
        registry.remove(timer("request-cpu"));
        observe("request");
        assertThat(cpuNs("request")).as("CPU ns since then").isGreaterThanOrEqualTo(WORK_NS);
    }

    @Test
    void countsAnObservationWithoutAScopeAsUnmeasured() {
        Observation observation = request();
        observation.stop();
        observation.stop();
        assertUnmeasured();
    }

    /** Micrometer's ObservationThreadLocalAccessor opens such scopes. */
    @Test
    void ignoresAnObservationThatIsNeverStarted() {
        observation("request").openScope().close();
        assertThat(registry.getMeters()).isEmpty();
    }

    /** The cost in the virtual thread is not included, so the sum would be too small. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void countsAnObservationAsUnmeasuredThatWasInAVirtualThread(boolean andInThisOne) throws Exception {
        Observation observation = request();
        inVirtualThread(() -> observation.scoped(() -> {}));
        if (andInThisOne) {
            observation.scoped(CpuObservationHandlerTest::burn);
        }
        observation.stop();
        assertUnmeasured();
    }

    @Test
    void measuresAnObservationInAMeasuredVirtualThread() {
        Observation observation = request();
        inMeasuredVirtualThread(() -> observation.scoped(CpuObservationHandlerTest::burn));
        observation.stop();
        assertThat(unmeasured("request")).isZero();
        assertThat(sum("request-cpu")).isEqualTo(1);
    }

    @Test
    void countsAScopeOfAnotherThreadUpToTheStop() {
        long beginNs = ThreadClock.cpuTimeNs();
        AtomicLong otherNs = new AtomicLong();
        Observation observation = request();
        observation.scoped(CpuObservationHandlerTest::burn);
        CountDownLatch burnt = new CountDownLatch(1);
        CountDownLatch stopped = new CountDownLatch(1);
        Thread another = started(new Thread(() -> observation.scoped(() -> {
            burn();
            burnt.countDown();
            await(stopped);
            otherNs.set(ThreadClock.cpuTimeNs());
            burn();
        })));
        await(burnt);
        observation.stop();
        long mostNs = ThreadClock.cpuTimeNs() - beginNs;
        stopped.countDown();
        join(another);
        assertThat(unmeasured("request")).isZero();
        assertThat(cpuNs("request"))
                .as("CPU ns until it was stopped")
                .isBetween(2.0 * WORK_NS, (double) mostNs + otherNs.get());
        assertThatWaitsAreNotTold();
    }

    /** It is a matter of compiling, too: a lambda means the task that it looks like. */
    @Test
    void countsTasksForTheObservationThatHandsThemOverAndForItsParents() throws Exception {
        Executor shared = CpuObservationHandler.wrap(observations, other);
        observation("outer").observeChecked(() -> observation("inner").observeChecked(() -> {
            other.submit(CpuObservationHandler.wrap(observations, () -> observe("begun")))
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
        assertThat(cpuNs("inner")).as("CPU ns of the inner").isGreaterThanOrEqualTo(6 * WORK_NS);
        assertThat(cpuNs("outer")).as("CPU ns of the outer").isGreaterThanOrEqualTo(cpuNs("inner"));
    }

    private Integer burnt() {
        burn();
        return 1;
    }

    /**
     * As a flow of Kotlin's coroutines goes on in another thread. The next request finds the first one as its parent.
     */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void countsAnObservationAsUnmeasuredWhoseScopeIsNotClosedByItsThread(boolean closesElsewhere) throws Exception {
        Observation left = received("left").start();
        Observation.Scope scope = other.submit(left::openScope).get();
        if (closesElsewhere) {
            scope.close();
        } else {
            other.submit(() -> received("next").observe(CpuObservationHandlerTest::burn))
                    .get();
            assertThat(unmeasured("next")).as("unmeasured next ones").isZero();
        }
        left.stop();
        assertThat(unmeasured("left")).isEqualTo(1);
    }

    private Observation received(String name) {
        return Observation.createNotStarted(
                name, () -> new RequestReplyReceiverContext<>((carrier, key) -> null), observations);
    }

    @Test
    void countsAScopeInsideOfAnUnrelatedOneForItselfAlone() {
        Observation inner = observation("inner");
        long beginNs = ThreadClock.cpuTimeNs();
        observation("outer").observe(() -> inner.observe(CpuObservationHandlerTest::burn));
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
        ScopeTimes left = new ScopeTimes(new Observation.Context());
        other.submit(left::open).get();
        left.stop();
        long lateParts = CpuAccount.late().parts();
        other.submit(new ScopeTimes(new Observation.Context())::open).get();
        assertThat(CpuAccount.late().parts())
                .as("late parts after the thread's next scope, which ends this one")
                .isEqualTo(lateParts + 1);
    }

    @Test
    void measuresAScopeThatIsClosedAfterTheObservationIsStopped() {
        Observation observation = request();
        Observation.Scope scope = observation.openScope();
        burn();
        observation.stop();
        scope.close();
        assertThat(cpuNs("request")).as("CPU ns until it was stopped").isGreaterThanOrEqualTo(WORK_NS);
        assertThat(unmeasured("request")).as("unmeasured").isZero();
    }

    @Test
    @SuppressWarnings("deprecation")
    void followsAScopeThatIsTakenAwayAndMadeCurrentAgain() {
        Observation observation = request();
        long beginNs = ThreadClock.cpuTimeNs();
        long awayNs;
        try (Observation.Scope scope = observation.openScope()) {
            burn();
            scope.reset();
            long resetNs = ThreadClock.cpuTimeNs();
            burn();
            awayNs = ThreadClock.cpuTimeNs() - resetNs;
            scope.makeCurrent();
            burn();
        }
        observation.stop();
        assertThat(cpuNs("request"))
                .as("CPU ns while it was current")
                .isBetween(2.0 * WORK_NS, ThreadClock.cpuTimeNs() - beginNs - (double) awayNs);
    }
}
