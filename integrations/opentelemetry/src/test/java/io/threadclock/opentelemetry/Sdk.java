// SPDX-License-Identifier: Apache-2.0
package io.threadclock.opentelemetry;

import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdkBuilder;
import java.util.HashMap;
import java.util.Map;

/** SDKs that configure themselves, and export nothing. */
final class Sdk {
    private Sdk() {}

    static AutoConfiguredOpenTelemetrySdkBuilder with(String property, Object value) {
        Map<String, String> properties = new HashMap<>();
        properties.put("otel.traces.exporter", "none");
        properties.put("otel.metrics.exporter", "none");
        properties.put("otel.logs.exporter", "none");
        properties.put(property, value.toString());
        return AutoConfiguredOpenTelemetrySdk.builder().addPropertiesSupplier(() -> properties);
    }
}
