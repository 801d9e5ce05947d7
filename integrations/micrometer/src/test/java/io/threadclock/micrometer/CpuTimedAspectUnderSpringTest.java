// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.annotation.Timed;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.threadclock.ThreadClock;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.springframework.aop.aspectj.annotation.AspectJProxyFactory;

/** Tests the aspect as Spring's proxies call it: each call is a join point with a static part of its own. */
class CpuTimedAspectUnderSpringTest {
    private final MeterRegistry registry = new SimpleMeterRegistry();

    @BeforeEach
    void assumeTheClockIsHere() {
        assumeThat(ThreadClock.canRead()).as(ThreadClock.explanation()).isTrue();
    }

    private <T> T proxied(T target) {
        AspectJProxyFactory factory = new AspectJProxyFactory(target);
        factory.addAspect(new CpuTimedAspect(registry));
        return factory.getProxy();
    }

    private long calls(String name) {
        return cpu(name).count();
    }

    private Timer cpu(String name) {
        return registry.get(name + "-cpu").timer();
    }

    @Test
    void keepsNoArgumentOfACallThatHasReturned() {
        Shop shop = proxied(new Supermarket());
        WeakReference<Object> argument = sell(shop);
        long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (argument.get() != null && System.nanoTime() < endNs) {
            System.gc();
        }
        assertThat(argument.get())
                .as("what a call was given, a minute of collections later")
                .isNull();
        assertThat(calls("shop.sell")).isEqualTo(1);
    }

    private static WeakReference<Object> sell(Shop shop) {
        Object good = new Object();
        shop.sell(good);
        return new WeakReference<>(good);
    }

    @Test
    void addsUpTheCallsOfAMethod() {
        Shop shop = proxied(new Supermarket());
        for (int i = 0; i < 1_000; i++) {
            shop.sell(i);
        }
        assertThat(calls("shop.sell")).isEqualTo(1_000);
    }

    @Test
    void dividesTheCpuTimeOfTheCalls() {
        this.<Shop>proxied(new Supermarket()).sell("anything");
        double seconds = registry.get("shop.sell.cpu.time").counters().stream()
                .mapToDouble(Counter::count)
                .sum();
        assertThat(seconds)
                .as("user + system, s")
                .isPositive()
                .isCloseTo(cpu("shop.sell").totalTime(TimeUnit.SECONDS), within(1e-9));
    }

    /** Spring Boot configures each timer whose name continues the wall time's after a dot. */
    @Test
    void hasPercentilesThatAreConfiguredUnderItsOwnNameAndNoOthers() {
        registry.config().meterFilter(percentileOfWhatContinues("shop.sell", 0.5));
        registry.config().meterFilter(percentileOfWhatContinues("kiosk.sell-cpu", 0.99));
        this.<Shop>proxied(new Supermarket()).sell("anything");
        this.<Shop>proxied(new Kiosk()).sell("anything");
        assertThat(cpu("shop.sell").takeSnapshot().percentileValues()).isEmpty();
        assertThat(cpu("kiosk.sell").takeSnapshot().percentileValues())
                .extracting(ValueAtPercentile::percentile)
                .containsExactly(0.99);
    }

    private static MeterFilter percentileOfWhatContinues(String name, double percentile) {
        return new MeterFilter() {
            @Override
            public DistributionStatisticConfig configure(Meter.Id id, DistributionStatisticConfig config) {
                return (id.getName() + ".").startsWith(name + ".")
                        ? DistributionStatisticConfig.builder()
                                .percentiles(percentile)
                                .build()
                                .merge(config)
                        : config;
            }
        };
    }

    /** One aspect, which has seen the interface's method before. */
    @Test
    void takesTheAnnotationOfTheClassThatIsCalled() {
        CpuTimedAspect aspect = new CpuTimedAspect(registry);
        for (Shop target : new Shop[] {new Supermarket(), new Kiosk(), new Supermarket()}) {
            AspectJProxyFactory factory = new AspectJProxyFactory(target);
            factory.addAspect(aspect);
            factory.<Shop>getProxy().sell("anything");
        }
        assertThat(calls("shop.sell")).isEqualTo(2);
        assertThat(calls("kiosk.sell")).isEqualTo(1);
    }

    /** Spring makes proxies of interfaces. */
    public interface Shop {
        void sell(Object good);
    }

    /** The interface does not have the annotation. */
    public static final class Supermarket implements Shop {
        @Override
        @Timed(value = "shop.sell", percentiles = 0.9, histogram = true)
        public void sell(Object good) {}
    }

    /** This one does not have it, either. */
    public static final class Kiosk implements Shop {
        @Override
        @Timed("kiosk.sell")
        public void sell(Object good) {}
    }
}
