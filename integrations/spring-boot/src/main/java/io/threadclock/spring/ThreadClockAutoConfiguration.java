// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.threadclock.micrometer.CpuObservationHandler;
import io.threadclock.micrometer.CpuTimedAspect;
import io.threadclock.micrometer.ThreadClockMetrics;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/**
 * The meters of a Spring Boot program that has a registry of Micrometer: its thread pools, the CPU time of each
 * observation, such as {@code http.server.requests}, and of methods with {@code @Timed}. A bean of the program's own
 * replaces each.
 *
 * @since 0.1
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.metrics.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnProperty(name = "threadclock.enabled", matchIfMissing = true)
@ConditionalOnBean(MeterRegistry.class)
public class ThreadClockAutoConfiguration {
    /** Spring creates it. */
    public ThreadClockAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "threadclock.pools.enabled", matchIfMissing = true)
    ThreadClockMetrics threadClockMetrics() {
        return new ThreadClockMetrics();
    }

    @Bean
    @ConditionalOnMissingBean
    @ConditionalOnProperty(name = "threadclock.observations.enabled", matchIfMissing = true)
    CpuObservationHandler threadClockObservationHandler(MeterRegistry registry) {
        return new CpuObservationHandler(registry);
    }

    /** Under the property by which Spring Boot itself measures such methods. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(name = "org.aspectj.weaver.Advice")
    @ConditionalOnProperty("management.observations.annotations.enabled")
    static class Methods {
        @Bean
        @ConditionalOnMissingBean
        CpuTimedAspect threadClockTimedAspect(MeterRegistry registry) {
            return new CpuTimedAspect(registry);
        }
    }
}
