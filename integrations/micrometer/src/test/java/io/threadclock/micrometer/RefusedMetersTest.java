// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.annotation.Timed;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.threadclock.diagnostics.FailureLog;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.aspectj.annotation.AspectJProxyFactory;

/** Meters that cannot be registered, or read, fail neither what they measure nor the program that binds them. */
class RefusedMetersTest extends MeteredTest {
    private final ObservationRegistry observations = ObservationRegistry.create();
    private final Logged logged = new Logged(FailureLog.class);

    @AfterEach
    void close() {
        logged.close();
    }

    private void assertWarnedOnceOf(String what) {
        assertThat(logged.lines("")).singleElement().asString().contains(what);
    }

    private void refuse(String namesBegin) {
        registry.config().onMeterAdded(meter -> {
            if (meter.getId().getName().startsWith(namesBegin)) {
                throw new IllegalStateException("a listener that refuses " + meter.getId());
            }
        });
    }

    private Shop proxiedShop() {
        AspectJProxyFactory factory = new AspectJProxyFactory(new Shop());
        factory.setProxyTargetClass(true);
        factory.addAspect(new CpuTimedAspect(registry));
        return factory.getProxy();
    }

    @Test
    void runsMethodsWhoseTagsAreNoPairsAndSaysSoOnce() {
        Shop shop = proxiedShop();
        assertThat(List.of(shop.odd(), shop.odd())).containsOnly("sold");
        assertWarnedOnceOf("Shop.odd()");
    }

    @Test
    void runsMethodsThatAListenerRefuses() {
        refuse("sell");
        assertThat(proxiedShop().sell()).isEqualTo("sold");
        assertWarnedOnceOf("");
    }

    @Test
    void countsCallsAsUnmeasuredWhoseTimerHasTheNameOfAGauge() {
        Gauge.builder("sell-cpu", () -> 1)
                .tags("class", Shop.class.getName(), "method", "sell")
                .register(registry);
        Shop shop = proxiedShop();
        assertThat(List.of(shop.sell(), shop.sell())).containsOnly("sold");
        assertThat(sum("sell.cpu.unmeasured")).isEqualTo(2);
        assertWarnedOnceOf("");
    }

    private void assertObservedTwiceWithAWarning() {
        observations.observationConfig().observationHandler(new CpuObservationHandler(registry));
        for (int i = 0; i < 2; i++) {
            assertThat(Observation.createNotStarted("request", observations).<String>observe(() -> "answer"))
                    .isEqualTo("answer");
        }
        assertWarnedOnceOf("");
    }

    @Test
    void endsObservationsThatAListenerRefuses() {
        refuse("request");
        assertObservedTwiceWithAWarning();
    }

    @Test
    void countsObservationsAsUnmeasuredWhoseTimerIsRefused() {
        refuse("request-cpu");
        assertObservedTwiceWithAWarning();
        assertThat(sum("request.cpu.unmeasured")).isEqualTo(2);
    }

    @Test
    void countsAnObservationAsUnmeasuredWhoseStartItHasNotSeen() {
        CpuObservationHandler handler = new CpuObservationHandler(registry);
        Observation.Context context = new Observation.Context();
        context.setName("request");
        handler.onScopeOpened(context);
        handler.onScopeClosed(context);
        handler.onStop(context);
        assertThat(sum("request.cpu.unmeasured")).isEqualTo(1);
    }

    @Test
    void runsTasksOfExecutorsAndCountsThemAsUnmeasured() throws Exception {
        refuse("executor.cpu.time");
        ExecutorService threads = Executors.newSingleThreadExecutor();
        ExecutorService timed = new CpuTimedExecutorService(registry, threads, "refused", Tags.empty());
        assertThat(timed.submit(() -> "done").get()).isEqualTo("done");
        timed.shutdown();
        timed.awaitTermination(1, TimeUnit.MINUTES);
        assertThat(sum("executor.cpu.unmeasured")).isEqualTo(1);
        assertWarnedOnceOf("");
    }

    @Test
    void bindsWhatIsNotRefused() {
        refuse("threadclock.pool");
        MeterRegistry other = new SimpleMeterRegistry();
        try (ThreadClockMetrics all = new ThreadClockMetrics()) {
            all.bindTo(registry);
            all.bindTo(other);
        }
        assertThat(meters("threadclock.supported")).isNotEmpty();
        assertThat(other.find("threadclock.pool.threads").meters()).isNotEmpty();
        assertWarnedOnceOf("");
    }

    @Test
    void answersARegistryWithTheLastCountWhereItCannotBeRead() {
        AtomicLong count = new AtomicLong(3);
        ThreadClockMeter.DEMOTIONS.count(registry, Tags.empty(), () -> {
            if (count.get() == 0) {
                throw new IllegalStateException("a count that cannot be read");
            }
            return count.get();
        });
        assertThat(sum("threadclock.demotions")).isEqualTo(3);
        count.set(0);
        assertThat(sum("threadclock.demotions")).isEqualTo(3);
    }

    /** Spring makes a proxy of it. */
    public static class Shop {
        @Timed(value = "odd", extraTags = "a")
        public String odd() {
            return "sold";
        }

        @Timed("sell")
        public String sell() {
            return "sold";
        }
    }
}
