// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import io.threadclock.ThreadClock;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;

/**
 * The component {@code threadClock} of {@code /actuator/health}: up, or unknown where the JDK's own figures stand in.
 * Unknown does not change the health of the program.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("thread-clock")
@ConditionalOnProperty(name = "threadclock.enabled", matchIfMissing = true)
public class ClockHealthAutoConfiguration {
    /** Spring creates it. */
    public ClockHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "threadClockHealthIndicator")
    HealthIndicator threadClockHealthIndicator() {
        return () -> (ThreadClock.isSupported() ? Health.up() : Health.unknown())
                .withDetail("source", ThreadClockEndpoint.source())
                .withDetail(
                        "explanation",
                        ThreadClock.explanation()
                                .lines()
                                .filter(line -> !line.isEmpty())
                                .toList())
                .build();
    }
}
