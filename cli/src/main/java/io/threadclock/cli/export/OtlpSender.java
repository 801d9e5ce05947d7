// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import static io.opentelemetry.sdk.metrics.data.AggregationTemporality.CUMULATIVE;
import static java.util.stream.Collectors.groupingBy;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.exporter.internal.FailedExportException.HttpExportException;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.AutoConfiguredOpenTelemetrySdk;
import io.opentelemetry.sdk.autoconfigure.spi.ConfigurationException;
import io.opentelemetry.sdk.common.CompletableResultCode;
import io.opentelemetry.sdk.common.InstrumentationScopeInfo;
import io.opentelemetry.sdk.metrics.InstrumentType;
import io.opentelemetry.sdk.metrics.data.AggregationTemporality;
import io.opentelemetry.sdk.metrics.data.DoublePointData;
import io.opentelemetry.sdk.metrics.data.LongPointData;
import io.opentelemetry.sdk.metrics.data.MetricData;
import io.opentelemetry.sdk.metrics.data.SumData;
import io.opentelemetry.sdk.metrics.export.MetricExporter;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableDoublePointData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableGaugeData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableLongPointData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableMetricData;
import io.opentelemetry.sdk.metrics.internal.data.ImmutableSumData;
import io.opentelemetry.sdk.resources.Resource;
import io.threadclock.cli.export.ExportedMetric.Figure;
import io.threadclock.cli.process.Refusal;
import java.net.URI;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Sends all figures to a collector, by OTLP over HTTP, with a resource for each JVM. OpenTelemetry's SDK does it, and
 * obeys its environment variables, except that each JVM has a service's name of its own.
 */
public final class OtlpSender implements AutoCloseable {
    private static final long LONGEST_END_S = 5;

    /** Each JVM has some 15; a collector refuses a request that is too large. */
    private static final int METRICS_OF_A_REQUEST = 1000;

    /** It would tell each failure. Held, because the JDK forgets loggers that nobody has. */
    private static final Logger LIBRARYS = Logger.getLogger("io.opentelemetry");

    private final URI url;
    private final Exporter exporter;
    private final Consumer<String> say;
    private final InstrumentationScopeInfo scope = InstrumentationScopeInfo.builder("io.threadclock")
            .setVersion(String.valueOf(OtlpSender.class.getPackage().getImplementationVersion()))
            .build();
    private final OpenTelemetrySdk sdk;
    private boolean isFailing;

    /** What all metrics of a JVM have. */
    private record Source(Resource resource, long startNs, long nowNs) {}

    /**
     * Sends from now on.
     *
     * @param say is told when sending fails, and when it succeeds again, in one line
     * @throws Refusal if one of OpenTelemetry's variables is wrong
     */
    public OtlpSender(URI url, Exporter exporter, Consumer<String> say) {
        this.url = url;
        this.exporter = exporter;
        this.say = say;
        LIBRARYS.setLevel(Level.OFF);
        try {
            sdk = sdk();
        } catch (ConfigurationException wrong) {
            throw new Refusal(
                    "sending metrics to " + url,
                    "OpenTelemetry does not take a setting: " + wrong.getMessage(),
                    "Correct that variable of the environment.");
        }
    }

    private OpenTelemetrySdk sdk() {
        return AutoConfiguredOpenTelemetrySdk.builder()
                .addPropertiesCustomizer(properties -> Map.of(
                        "otel.sdk.disabled", "false",
                        "otel.traces.exporter", "none",
                        "otel.logs.exporter", "none",
                        "otel.metrics.exporter", "otlp",
                        "otel.exporter.otlp.metrics.protocol", "http/protobuf",
                        "otel.exporter.otlp.metrics.endpoint", url.toString()))
                .addMetricExporterCustomizer((http, properties) -> new InParts(http))
                .addMeterProviderCustomizer((builder, properties) -> builder.registerMetricProducer(this::metrics))
                .disableShutdownHook()
                .build()
                .getOpenTelemetrySdk();
    }

    /** Sends what is not sent yet. */
    @Override
    public void close() {
        sdk.shutdown().join(LONGEST_END_S, TimeUnit.SECONDS);
    }

    /** @param common what OTEL_RESOURCE_ATTRIBUTES tells, and the SDK of itself */
    Collection<MetricData> metrics(Resource common) {
        List<MetricData> all = new ArrayList<>();
        long nowNs = epochNs(Instant.now());
        for (ExportedJvm jvm : exporter.look()) {
            long startNs = Math.min(epochNs(jvm.identity().start()), nowNs); // the clock may have been set
            Source source = new Source(common.merge(resource(jvm)), startNs, nowNs);
            jvm.figures().stream()
                    .collect(groupingBy(Figure::metric))
                    .forEach((metric, its) -> all.add(data(metric, its, source)));
        }
        return all;
    }

    private static long epochNs(Instant time) {
        return TimeUnit.MILLISECONDS.toNanos(time.toEpochMilli());
    }

    private static Resource resource(ExportedJvm jvm) {
        AttributesBuilder attributes =
                Attributes.builder().put("process.pid", jvm.target().pid());
        jvm.identity().resource().forEach(attributes::put);
        return Resource.create(attributes.build());
    }

    private MetricData data(ExportedMetric metric, List<Figure> figures, Source source) {
        String name = metric.openTelemetrys;
        String description = metric.description;
        List<DoublePointData> doubles = figures.stream()
                .map(figure -> ImmutableDoublePointData.create(
                        source.startNs, source.nowNs, attributes(figure), figure.value()))
                .toList();
        if (!metric.isNumber()) {
            return ImmutableMetricData.createDoubleGauge(
                    source.resource, scope, name, description, metric.unit, ImmutableGaugeData.create(doubles));
        } else if (metric.isTime()) {
            SumData<DoublePointData> sum = ImmutableSumData.create(true, CUMULATIVE, doubles);
            return ImmutableMetricData.createDoubleSum(source.resource, scope, name, description, metric.unit, sum);
        }
        List<LongPointData> longs = doubles.stream()
                .map(point -> ImmutableLongPointData.create(
                        source.startNs, source.nowNs, point.getAttributes(), (long) point.getValue()))
                .toList();
        SumData<LongPointData> sum = ImmutableSumData.create(metric.isCounter(), CUMULATIVE, longs);
        return ImmutableMetricData.createLongSum(source.resource, scope, name, description, metric.unit, sum);
    }

    private static Attributes attributes(Figure figure) {
        AttributesBuilder attributes = Attributes.builder();
        for (int i = 0; i < figure.of().size(); i++) {
            attributes.put(
                    figure.metric().attributes.get(i).openTelemetrys,
                    figure.of().get(i));
        }
        return attributes.build();
    }

    /** The next time has all that this one has, because counters are cumulative. */
    private synchronized void tell(CompletableResultCode result) {
        if (result.isSuccess() == isFailing) {
            isFailing = !isFailing;
            say.accept("sending metrics to " + url
                    + (isFailing
                            ? ": " + why(result.getFailureThrowable()) + ". Tries again each time."
                            : " succeeds again"));
        }
    }

    private static String why(Throwable failure) {
        if (failure instanceof HttpExportException http && http.getResponse() != null) {
            return "HTTP " + http.getResponse().getStatusCode();
        }
        return failure == null || failure.getCause() == null ? String.valueOf(failure) : why(failure.getCause());
    }

    /** Sends in requests of some size, and tells how that goes. */
    private final class InParts implements MetricExporter {
        private final MetricExporter http;

        InParts(MetricExporter http) {
            this.http = http;
        }

        @Override
        public CompletableResultCode export(Collection<MetricData> metrics) {
            List<MetricData> all = List.copyOf(metrics);
            List<CompletableResultCode> results = new ArrayList<>();
            for (int begin = 0; begin < all.size(); begin += METRICS_OF_A_REQUEST) {
                results.add(http.export(all.subList(begin, Math.min(all.size(), begin + METRICS_OF_A_REQUEST))));
            }
            CompletableResultCode result = CompletableResultCode.ofAll(results);
            return result.whenComplete(() -> tell(result));
        }

        @Override
        public CompletableResultCode flush() {
            return http.flush();
        }

        @Override
        public CompletableResultCode shutdown() {
            return http.shutdown();
        }

        @Override
        public AggregationTemporality getAggregationTemporality(InstrumentType type) {
            return CUMULATIVE;
        }
    }
}
