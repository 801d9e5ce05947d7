// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import io.opentelemetry.api.incubator.config.DeclarativeConfigProperties;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.internal.AutoConfigureListener;
import io.opentelemetry.sdk.autoconfigure.spi.internal.ComponentProvider;
import io.opentelemetry.sdk.trace.SpanProcessor;
import java.util.Locale;

/**
 * The span processor that OpenTelemetry's configuration files call {@code threadclock}, which brings the metrics of
 * thread pools along. The same properties count as without a file, from system properties and variables.
 *
 * @since 0.1
 */
public final class SpanCostComponent implements ComponentProvider, AutoConfigureListener {
    private boolean isInFile;

    /** Is called by OpenTelemetry. */
    public SpanCostComponent() {}

    @Override
    public Class<SpanProcessor> getType() {
        return SpanProcessor.class;
    }

    @Override
    public String getName() {
        return "threadclock";
    }

    @Override
    public SpanProcessor create(DeclarativeConfigProperties ignored) {
        isInFile = true;
        ThreadClockCustomizer.wrapContexts();
        return ThreadClockCustomizer.spanProcessor(SpanCostComponent::property);
    }

    @Override
    public void afterAutoConfigure(OpenTelemetrySdk sdk) {
        if (isInFile) {
            ThreadClockCustomizer.addPools(
                    SpanCostComponent::property, () -> PoolMetrics.addTo(sdk.getMeterProvider()));
        }
    }

    /** Null if nobody has set it. */
    private static String property(String name) {
        String variable = name.toUpperCase(Locale.ROOT).replace('.', '_').replace('-', '_');
        return System.getProperty(name, System.getenv(variable));
    }
}
