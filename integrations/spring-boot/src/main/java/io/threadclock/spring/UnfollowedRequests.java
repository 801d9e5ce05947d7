// SPDX-License-Identifier: Apache-2.0
package io.threadclock.spring;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationFilter;
import io.threadclock.diagnostics.FailureLog;
import io.threadclock.micrometer.CpuObservationHandler;
import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.springframework.core.KotlinDetector;
import org.springframework.core.ReactiveAdapter;
import org.springframework.core.ReactiveAdapterRegistry;
import org.springframework.core.ResolvableType;
import org.springframework.core.io.ClassPathResource;
import org.springframework.http.HttpEntity;
import org.springframework.http.server.reactive.observation.ServerRequestObservationContext;
import org.springframework.util.ClassUtils;
import org.springframework.web.method.HandlerMethod;
import reactor.core.publisher.Hooks;

/**
 * Finds requests whose scopes have only a part of their work. Micrometer asks it when an observation stops, before the
 * handlers.
 */
final class UnfollowedRequests implements ObservationFilter {
    private static final String REACTIVE_HANDLER =
            "org.springframework.web.reactive.HandlerMapping.bestMatchingHandler";
    private static final String SERVLET_HANDLER = "org.springframework.web.servlet.HandlerMapping.bestMatchingHandler";

    /** Coroutines get this context of a filter in place of Spring's. */
    private static final String FILTERS_CONTEXT = "org.springframework.web.server.CoWebFilter.context";

    private static final String COROUTINE_ROUTES =
            "org.springframework.web.reactive.function.server.CoRouterFunctionDsl";
    private static final String KOTLINX = "kotlinx.coroutines.";

    /** Spring 7 has it for suspending functions and flows. */
    private static final boolean GIVES_CONTEXT = ClassUtils.isPresent(
            "org.springframework.core.PropagationContextElement", UnfollowedRequests.class.getClassLoader());

    /**
     * A flow of kotlinx.coroutines 1.11.0 leaves scopes open in the threads that it leaves, and closes others' in those
     * it enters.
     */
    private static final boolean FLOWS_MIX_SCOPES = "1.11.0".equals(versionOfCoroutines());

    private final FailureLog failures = new FailureLog("Requests may lack their cost.");

    @Override
    public Observation.Context map(Observation.Context context) {
        try {
            if (isUnfollowed(context)) {
                CpuObservationHandler.lose(context);
            }
        } catch (Throwable failed) { // another version of Spring, no memory
            CpuObservationHandler.lose(context);
            failures.report("Finding out what handles a request", failed);
        }
        return context;
    }

    private static boolean isUnfollowed(Observation.Context context) {
        if (context instanceof ServerRequestObservationContext reactive) {
            Map<String, Object> attributes = reactive.getAttributes();
            return !Hooks.isAutomaticContextPropagationEnabled()
                    || attributes.containsKey(FILTERS_CONTEXT)
                    || isUnfollowedBy(attributes.get(REACTIVE_HANDLER));
        }
        return ServletRequests.have(context) && isUnfollowedBy(ServletRequests.handler(context));
    }

    private static boolean isUnfollowedBy(@Nullable Object handler) {
        return handler instanceof HandlerMethod method
                ? !isFollowed(method.getMethod())
                : handler != null && handler.getClass().getName().startsWith(COROUTINE_ROUTES);
    }

    /** Whatever a method that is neither reactive nor a coroutine hands to other threads is another question. */
    private static boolean isFollowed(Method method) {
        boolean isSuspending = KotlinDetector.isSuspendingFunction(method);
        Class<?> result = resultOf(method, isSuspending);
        ReactiveAdapter adapter = ReactiveAdapterRegistry.getSharedInstance().getAdapter(result);
        if (!isSuspending && (adapter == null || CompletionStage.class.isAssignableFrom(adapter.getReactiveType()))) {
            return true;
        }
        boolean isKotlins = result.getName().startsWith(KOTLINX);
        boolean isFollowed = isSuspending
                ? GIVES_CONTEXT && !isKotlins
                : !isKotlins || GIVES_CONTEXT && result.getName().startsWith(KOTLINX + "flow.") && !FLOWS_MIX_SCOPES;
        return isFollowed && Hooks.isAutomaticContextPropagationEnabled();
    }

    /** A suspending function returns it to its last parameter. */
    private static Class<?> resultOf(Method method, boolean isSuspending) {
        ResolvableType result = isSuspending
                ? ResolvableType.forMethodParameter(method, method.getParameterCount() - 1)
                        .getGeneric()
                : ResolvableType.forMethodReturnType(method);
        return (HttpEntity.class.isAssignableFrom(result.toClass()) ? result.getGeneric() : result).toClass();
    }

    private static @Nullable String versionOfCoroutines() {
        try {
            return new ClassPathResource(
                            "META-INF/kotlinx_coroutines_core.version", UnfollowedRequests.class.getClassLoader())
                    .getContentAsString(StandardCharsets.UTF_8)
                    .trim();
        } catch (IOException absent) {
            return null;
        }
    }

    /** Its types need those of servlets. */
    private static final class ServletRequests {
        static boolean have(Observation.Context context) {
            return context instanceof org.springframework.http.server.observation.ServerRequestObservationContext;
        }

        static @Nullable Object handler(Observation.Context context) {
            return ((org.springframework.http.server.observation.ServerRequestObservationContext) context)
                    .getCarrier()
                    .getAttribute(SERVLET_HANDLER);
        }
    }
}
