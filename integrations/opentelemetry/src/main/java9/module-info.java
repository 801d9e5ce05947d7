// SPDX-License-Identifier: Apache-2.0
/** The cost of OpenTelemetry's spans. */
module io.threadclock.opentelemetry {
    requires io.threadclock;
    requires java.logging;
    requires transitive io.opentelemetry.sdk.autoconfigure.spi;
    requires static io.opentelemetry.api.incubator;
    requires static io.opentelemetry.sdk.autoconfigure.declarativeconfig;

    exports io.threadclock.opentelemetry;

    provides io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider with
            io.threadclock.opentelemetry.ThreadClockCustomizer;
    provides io.opentelemetry.sdk.autoconfigure.spi.internal.ComponentProvider with
            io.threadclock.opentelemetry.SpanCostComponent;
    provides io.opentelemetry.sdk.autoconfigure.declarativeconfig.DeclarativeConfigurationCustomizerProvider with
            io.threadclock.opentelemetry.ThreadClockFileCustomizer;
}
