// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import io.micrometer.core.annotation.Timed;
import io.micrometer.core.instrument.distribution.DistributionStatisticConfig;
import io.micrometer.core.instrument.distribution.ValueAtPercentile;
import java.lang.ref.WeakReference;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.springframework.aop.aspectj.annotation.AspectJProxyFactory;

/** Tests the aspect as Spring's proxies call it: each call is a join point with a static part of its own. */
class CpuTimedAspectUnderSpringTest extends MeteredTest {
    private final CpuTimedAspect aspect = new CpuTimedAspect(registry);
    private final Shop supermarket = proxied(new Supermarket());
    private final Shop kiosk = proxied(new Kiosk());

    private <T> T proxied(T target) {
        AspectJProxyFactory factory = new AspectJProxyFactory(target);
        factory.addAspect(aspect);
        return factory.getProxy();
    }

    @Test
    void keepsNoArgumentOfACallThatHasReturned() {
        WeakReference<Object> argument = sell(supermarket);
        long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (argument.get() != null && System.nanoTime() < endNs) {
            System.gc();
        }
        assertThat(argument.get())
                .as("what a call was given, a minute of collections later")
                .isNull();
        assertThat(sum("shop.sell-cpu")).isEqualTo(1);
    }

    private static WeakReference<Object> sell(Shop shop) {
        Object good = new Object();
        shop.sell(good);
        return new WeakReference<>(good);
    }

    @Test
    void addsUpTheCallsOfAMethod() {
        for (int i = 0; i < 1_000; i++) {
            supermarket.sell(i);
        }
        assertThat(sum("shop.sell-cpu")).isEqualTo(1_000);
    }

    @Test
    void dividesTheCpuTimeOfTheCalls() {
        supermarket.sell("anything");
        assertThat(sum("shop.sell.cpu.time"))
                .as("user + system, s")
                .isPositive()
                .isCloseTo(cpuNs("shop.sell") / 1e9, within(1e-9));
    }

    /** Spring Boot configures each timer whose name continues the wall time's after a dot. */
    @Test
    void hasPercentilesThatAreConfiguredUnderItsOwnNameAndNoOthers() {
        configureWhatContinues("shop.sell", percentile(0.5));
        configureWhatContinues("kiosk.sell-cpu", percentile(0.99));
        supermarket.sell("anything");
        kiosk.sell("anything");
        assertThat(timer("shop.sell-cpu").takeSnapshot().percentileValues()).isEmpty();
        assertThat(timer("kiosk.sell-cpu").takeSnapshot().percentileValues())
                .extracting(ValueAtPercentile::percentile)
                .containsExactly(0.99);
    }

    private static DistributionStatisticConfig percentile(double percentile) {
        return DistributionStatisticConfig.builder().percentiles(percentile).build();
    }

    /** One aspect, which has seen the interface's method before. */
    @Test
    void takesTheAnnotationOfTheClassThatIsCalled() {
        for (Shop each : new Shop[] {supermarket, kiosk, supermarket}) {
            each.sell("anything");
        }
        assertThat(sum("shop.sell-cpu")).isEqualTo(2);
        assertThat(sum("kiosk.sell-cpu")).isEqualTo(1);
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
