// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import io.opentelemetry.context.ContextStorage;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigProperties;
import io.opentelemetry.sdk.metrics.SdkMeterProviderBuilder;
import io.opentelemetry.sdk.trace.SpanProcessor;
import io.threadclock.diagnostics.FailureLog;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.UnaryOperator;
import java.util.logging.Logger;

/**
 * Has OpenTelemetry's spans tell what they cost, and its metrics what thread pools do. OpenTelemetry's agent finds it
 * in the jar that {@code otel.javaagent.extensions} names, and an SDK that configures itself finds it on the class
 * path. Attributes, metrics, properties, and what counts: docs/opentelemetry.md.
 *
 * @since 0.1
 */
public final class ThreadClockCustomizer implements AutoConfigurationCustomizerProvider {
    private static final String SPANS = "threadclock.spans.enabled";
    private static final String ALLOCATED_BYTES = "threadclock.spans.allocated-bytes";
    private static final String POOLS = "threadclock.pools.enabled";

    private static final SpanCosts COSTS = new SpanCosts();
    private static final AtomicBoolean IS_WRAPPED = new AtomicBoolean();

    /** Is called by OpenTelemetry. */
    public ThreadClockCustomizer() {}

    @Override
    public void customize(AutoConfigurationCustomizer customizer) {
        wrapContexts();
        customizer.addTracerProviderCustomizer(
                (builder, properties) -> builder.addSpanProcessor(spanProcessor(properties::getString)));
        customizer.addMeterProviderCustomizer(ThreadClockCustomizer::withPools);
    }

    /**
     * Watches the scopes of contexts that are made from now on, if the program has made no context yet. Programs that
     * make one before they configure OpenTelemetry's SDK call this first.
     */
    public static void wrapContexts() {
        if (IS_WRAPPED.compareAndSet(false, true)) {
            ContextStorage.addWrapper(storage -> new MeasuredContextStorage(storage, COSTS));
        }
    }

    /** Returns one that does nothing if spans are not to be measured, or cannot be. */
    static SpanProcessor spanProcessor(UnaryOperator<String> properties) {
        try {
            if (isOn(properties, SPANS, true)) {
                return new SpanCostProcessor(COSTS, isOn(properties, ALLOCATED_BYTES, false));
            }
        } catch (RuntimeException | LinkageError failed) { // an SDK that has no such processors
            COSTS.report("Adding a span processor to OpenTelemetry's SDK", failed);
        }
        return SpanProcessor.composite();
    }

    private static SdkMeterProviderBuilder withPools(SdkMeterProviderBuilder builder, ConfigProperties properties) {
        addPools(properties::getString, () -> {
            PoolMetrics pools = new PoolMetrics();
            builder.registerMetricProducer(pools);
            if (!"none".equals(properties.getString("otel.metrics.exporter"))) {
                pools.start();
            }
        });
        return builder;
    }

    /** Nothing is thrown into the SDK's start. */
    static void addPools(UnaryOperator<String> properties, Runnable adding) {
        try {
            if (isOn(properties, POOLS, true)) {
                adding.run();
            }
        } catch (RuntimeException | LinkageError failed) { // as above
            new FailureLog(PoolMetrics.CONSEQUENCE_OF_FAILURE)
                    .report("Adding thread pools to OpenTelemetry's metrics", failed);
        }
    }

    /** OpenTelemetry itself would take "yes" for false, and tell nobody. */
    private static boolean isOn(UnaryOperator<String> properties, String name, boolean byDefault) {
        String text = properties.apply(name);
        if ("true".equalsIgnoreCase(text) || "false".equalsIgnoreCase(text)) {
            return Boolean.parseBoolean(text);
        }
        if (text != null && !text.isEmpty()) {
            Logger.getLogger(ThreadClockCustomizer.class.getName())
                    .warning("Reading " + name + ": \"" + text
                            + "\" is neither true nor false. Write true or false; the default is used.");
        }
        return byDefault;
    }
}
