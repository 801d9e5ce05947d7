// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import io.threadclock.micrometer.CpuObservationHandler;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import kotlin.Metadata;
import kotlin.coroutines.Continuation;
import kotlinx.coroutines.flow.Flow;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.springframework.core.SpringVersion;
import org.springframework.http.HttpMethod;
import org.springframework.http.ResponseEntity;
import org.springframework.http.server.observation.ServerRequestObservationContext;
import org.springframework.mock.web.MockHttpServletRequest;
import org.springframework.mock.web.MockHttpServletResponse;
import org.springframework.web.method.HandlerMethod;
import org.springframework.web.reactive.HandlerMapping;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;

/** Asks what is told of requests that were handled by methods of these kinds. */
class UnfollowedRequestsIT {
    private final MeterRegistry meters = new SimpleMeterRegistry();

    /** Spring 7 gives suspending functions the context; flows of kotlinx.coroutines 1.11.0 get it, and mix it up. */
    @ParameterizedTest
    @CsvSource({
        "plain, false, measured", "future, false, measured",
        "mono, false, unmeasured", "mono, true, measured",
        "entity, false, unmeasured", "entity, true, measured",
        "suspending, false, unmeasured", "suspending, true, measured in Spring 7",
        "suspendingFlow, true, unmeasured", "flow, true, unmeasured"
    })
    void tellsOfARequestWhatItKnowsAsAWhole(String name, boolean isAuto, String told) {
        MockHttpServletRequest servlet = new MockHttpServletRequest();
        servlet.setAttribute("org.springframework.web.servlet.HandlerMapping.bestMatchingHandler", handler(name));
        boolean isMeasured = told.equals("measured")
                || told.endsWith("7") && SpringVersion.getVersion().startsWith("7");
        observe(isAuto, new ServerRequestObservationContext(servlet, new MockHttpServletResponse()));
        assertThat(unmeasured()).as("unmeasured").isEqualTo(isMeasured ? 0 : 1);
    }

    @ParameterizedTest
    @CsvSource({"plain, false, 1", "plain, true, 0", "flow, true, 1"})
    void tellsOfARequestOfWebFluxWhatItKnowsAsAWhole(String name, boolean isAuto, int unmeasured) {
        observe(isAuto, new Reactive(Map.of(HandlerMapping.BEST_MATCHING_HANDLER_ATTRIBUTE, handler(name))));
        assertThat(unmeasured()).as("unmeasured").isEqualTo(unmeasured);
    }

    private static final class Reactive
            extends org.springframework.http.server.reactive.observation.ServerRequestObservationContext {
        Reactive(Map<String, Object> attributes) {
            super(
                    org.springframework.mock.http.server.reactive.MockServerHttpRequest.method(HttpMethod.GET, "/")
                            .build(),
                    new org.springframework.mock.http.server.reactive.MockServerHttpResponse(),
                    attributes);
        }
    }

    private void observe(boolean isAuto, Observation.Context context) {
        if (isAuto) {
            Hooks.enableAutomaticContextPropagation();
        } else {
            Hooks.disableAutomaticContextPropagation();
        }
        ObservationRegistry observations = ObservationRegistry.create();
        observations.observationConfig().observationHandler(new CpuObservationHandler(meters));
        observations.observationConfig().observationFilter(new UnfollowedRequests());
        Observation.createNotStarted("request", () -> context, observations).observe(() -> {});
    }

    private double unmeasured() {
        return meters.get("request.cpu.unmeasured").counter().count();
    }

    private static HandlerMethod handler(String name) {
        return Stream.of(Handlers.class.getDeclaredMethods())
                .filter(method -> method.getName().equals(name))
                .map(method -> new HandlerMethod(new Handlers(), method))
                .findFirst()
                .orElseThrow();
    }

    /** Kotlin compiles its suspending functions to such methods. */
    @Metadata
    static final class Handlers {
        String plain() {
            return null;
        }

        CompletableFuture<String> future() {
            return null;
        }

        Mono<String> mono() {
            return null;
        }

        ResponseEntity<Mono<String>> entity() {
            return null;
        }

        Object suspending(Continuation<? super String> done) {
            return null;
        }

        Object suspendingFlow(Continuation<? super Flow<String>> done) {
            return null;
        }

        Flow<String> flow() {
            return null;
        }
    }
}
