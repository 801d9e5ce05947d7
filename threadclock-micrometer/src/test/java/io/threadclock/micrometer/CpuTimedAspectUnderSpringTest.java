// SPDX-License-Identifier: Apache-2.0
package io.threadclock.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.micrometer.core.annotation.Timed;
import io.micrometer.core.instrument.MeterRegistry;
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

    private double tasks(String name) {
        return registry.get(name + ".cpu.tasks").functionCounter().count();
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
        assertThat(tasks("shop.sell")).isEqualTo(1);
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
        assertThat(tasks("shop.sell")).isEqualTo(1_000);
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
        assertThat(tasks("shop.sell")).isEqualTo(2);
        assertThat(tasks("kiosk.sell")).isEqualTo(1);
    }

    /** Spring makes proxies of interfaces. */
    public interface Shop {
        void sell(Object good);
    }

    /** The interface does not have the annotation. */
    public static final class Supermarket implements Shop {
        @Override
        @Timed("shop.sell")
        public void sell(Object good) {}
    }

    /** This one does not have it, either. */
    public static final class Kiosk implements Shop {
        @Override
        @Timed("kiosk.sell")
        public void sell(Object good) {}
    }
}
