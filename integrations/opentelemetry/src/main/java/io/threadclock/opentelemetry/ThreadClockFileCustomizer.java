// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfiguration;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizer;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizerProvider;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.model.OpenTelemetryConfigurationModel;
import io.opentelemetry.sdk.autoconfigure.declarativeconfig.model.TracerProviderModel;
import io.threadclock.diagnostics.FailureLog;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;

/**
 * Adds {@code threadclock} to the span processors of OpenTelemetry's configuration file, if it has some.
 *
 * @since 0.1
 */
public final class ThreadClockFileCustomizer implements DeclarativeConfigurationCustomizerProvider {
    /** The methods that change a model have another name in each version of OpenTelemetry. */
    private static final String FILE = "tracer_provider: {processors: [{threadclock: }]}";

    /** Is called by OpenTelemetry. */
    public ThreadClockFileCustomizer() {}

    @Override
    public void customize(DeclarativeConfigurationCustomizer customizer) {
        try {
            customizer.addModelCustomizer(ThreadClockFileCustomizer::withSpans);
        } catch (RuntimeException | LinkageError failed) { // another version
            report(failed);
        }
    }

    private static OpenTelemetryConfigurationModel withSpans(OpenTelemetryConfigurationModel model) {
        try {
            TracerProviderModel tracing = model.getTracerProvider();
            if (tracing != null && tracing.getProcessors() != null) {
                byte[] file = FILE.getBytes(StandardCharsets.UTF_8);
                tracing.getProcessors()
                        .addAll(DeclarativeConfiguration.parse(new ByteArrayInputStream(file))
                                .getTracerProvider()
                                .getProcessors());
            }
        } catch (RuntimeException | LinkageError failed) { // as above
            report(failed);
        }
        return model;
    }

    private static void report(Throwable failed) {
        new FailureLog("Write \"- threadclock:\" below tracer_provider: processors: to have spans measured.")
                .report("Adding a span processor to OpenTelemetry's configuration", failed);
    }
}
