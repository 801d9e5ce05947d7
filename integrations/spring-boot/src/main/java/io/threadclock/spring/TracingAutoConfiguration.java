// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import io.micrometer.tracing.Tracer;
import io.threadclock.micrometer.CpuSpanHandler;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * What each span of Micrometer Tracing has cost, as its tags, in a program that has a tracer. Spring Boot registers the
 * handler after those of tracing, because it belongs to none of Spring Boot's groups.
 *
 * @since 0.1
 */
@AutoConfiguration(
        afterName = {
            "org.springframework.boot.micrometer.tracing.autoconfigure.MicrometerTracingAutoConfiguration",
            "org.springframework.boot.actuate.autoconfigure.tracing.MicrometerTracingAutoConfiguration"
        })
@ConditionalOnClass(Tracer.class)
@ConditionalOnBean(Tracer.class)
@ConditionalOnProperty(
        name = {"threadclock.enabled", "threadclock.spans.enabled"},
        matchIfMissing = true)
public class TracingAutoConfiguration {
    /** Spring creates it. */
    public TracingAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    CpuSpanHandler threadClockSpanHandler() {
        return new CpuSpanHandler();
    }
}
