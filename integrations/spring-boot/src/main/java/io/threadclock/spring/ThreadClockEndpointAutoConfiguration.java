// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;

/**
 * The actuator's endpoint {@code threadclock}, if the program has the actuator and exposes it.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnProperty(name = "threadclock.enabled", matchIfMissing = true)
@ConditionalOnAvailableEndpoint(ThreadClockEndpoint.class)
public class ThreadClockEndpointAutoConfiguration {
    /** Spring creates it. */
    public ThreadClockEndpointAutoConfiguration() {}

    @Bean
    @ConditionalOnMissingBean
    ThreadClockEndpoint threadClockEndpoint() {
        return new ThreadClockEndpoint();
    }
}
