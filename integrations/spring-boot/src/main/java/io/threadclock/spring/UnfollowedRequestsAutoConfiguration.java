// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import io.micrometer.observation.ObservationFilter;
import io.threadclock.micrometer.CpuObservationHandler;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.web.method.HandlerMethod;
import reactor.core.publisher.Hooks;

/**
 * Marks requests as unmeasured whose work leaves their scopes, in a program that has Reactor: without
 * {@code spring.reactor.context-propagation=auto}, and in coroutines of Kotlin that Spring does not give the context.
 *
 * @since 0.1
 */
@AutoConfiguration
@ConditionalOnClass({ObservationFilter.class, CpuObservationHandler.class, HandlerMethod.class, Hooks.class})
@ConditionalOnProperty(name = "threadclock.enabled", matchIfMissing = true)
public class UnfollowedRequestsAutoConfiguration {
    /** Spring creates it. */
    public UnfollowedRequestsAutoConfiguration() {}

    @Bean
    ObservationFilter threadClockUnfollowedRequests() {
        return new UnfollowedRequests();
    }
}
