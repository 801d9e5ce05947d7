// SPDX-License-Identifier: Apache-2.0
/** The cost of OpenTelemetry's spans. */
module io.threadclock.opentelemetry {
    requires io.threadclock;
    requires java.logging;
    requires transitive io.opentelemetry.sdk.autoconfigure.spi;

    exports io.threadclock.opentelemetry;

    provides io.opentelemetry.sdk.autoconfigure.spi.AutoConfigurationCustomizerProvider with
            io.threadclock.opentelemetry.ThreadClockCustomizer;
}
