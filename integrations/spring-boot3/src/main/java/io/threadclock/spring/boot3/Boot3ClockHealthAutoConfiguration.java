// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring.boot3;

import io.threadclock.ClockUnavailableException;
import io.threadclock.ThreadClock;
import org.springframework.boot.actuate.autoconfigure.health.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.actuate.health.Health;
import org.springframework.boot.actuate.health.HealthIndicator;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * The component {@code threadClock} of {@code /actuator/health} in Spring Boot 3: up, or unknown where the JDK's own
 * figures stand in. Unknown does not change the health of the program.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("thread-clock")
@ConditionalOnProperty(name = "threadclock.enabled", matchIfMissing = true)
public class Boot3ClockHealthAutoConfiguration {
    /** Spring creates it. */
    public Boot3ClockHealthAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean(name = "threadClockHealthIndicator")
    HealthIndicator threadClockHealthIndicator() {
        return () -> (ThreadClock.isSupported() ? Health.up() : Health.unknown())
                .withDetail("source", source())
                .withDetail(
                        "explanation",
                        ThreadClock.explanation()
                                .lines()
                                .filter(line -> !line.isEmpty())
                                .toList())
                .build();
    }

    /** As the endpoint tells it. */
    private static String source() {
        try {
            return ThreadClock.source().toString();
        } catch (ClockUnavailableException refused) {
            return "none";
        }
    }
}
