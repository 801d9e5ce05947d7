// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.micrometer.core.ipc.http.HttpUrlConnectionSender;
import io.micrometer.registry.otlp.OtlpConfig;
import io.micrometer.registry.otlp.OtlpHttpMetricsSender;
import io.micrometer.registry.otlp.OtlpMeterRegistry;
import io.micrometer.registry.otlp.OtlpMetricsSender;
import java.net.HttpURLConnection;
import java.net.URI;
import java.util.function.Consumer;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Sends the meters of a registry to a collector, by OTLP over HTTP. OpenTelemetry's environment variables set the rest. */
final class OtlpSender {
    /** It would tell each start. Held, because the JDK forgets loggers that nobody has. */
    private static final Logger LIBRARYS = Logger.getLogger("io.micrometer");

    static {
        HttpURLConnection.setFollowRedirects(false); // that would send the request without the metrics
        LIBRARYS.setLevel(Level.WARNING);
    }

    private final URI url;
    private final Consumer<String> say;
    private final OtlpMetricsSender http = new OtlpHttpMetricsSender(new HttpUrlConnectionSender());
    private boolean isFailing;

    private OtlpSender(URI url, Consumer<String> say) {
        this.url = url;
        this.say = say;
    }

    /** @param say is told when sending fails, and when it succeeds again, in one line */
    static OtlpMeterRegistry registry(URI url, Consumer<String> say) {
        return OtlpMeterRegistry.builder(new Config(url))
                .metricsSender(new OtlpSender(url, say)::send)
                .build();
    }

    /** The next one has all that this one has, because counters are cumulative. */
    private void send(OtlpMetricsSender.Request request) {
        try {
            http.send(request);
            if (isFailing) {
                say.accept("sending metrics to " + url + " succeeds again");
            }
            isFailing = false;
        } catch (Exception failed) { // the library's, or the network's
            if (!isFailing) {
                say.accept("sending metrics to " + url + ": " + failed.getMessage() + ". Tries again each time.");
            }
            isFailing = true;
        }
    }

    private record Config(URI address) implements OtlpConfig {
        @Override
        public String get(String key) {
            return null;
        }

        @Override
        public String url() {
            return address.toString();
        }
    }
}
