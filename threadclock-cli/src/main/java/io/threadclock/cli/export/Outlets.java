// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.export;

import io.micrometer.core.instrument.composite.CompositeMeterRegistry;
import io.threadclock.cli.process.Target;
import io.threadclock.cli.threads.ThreadReader;
import java.net.InetSocketAddress;
import java.net.URI;
import java.time.Duration;
import java.util.function.Consumer;
import java.util.function.Function;

/** Where metrics go. The other commands load none of Micrometer's classes, because the command names this one alone. */
public final class Outlets implements AutoCloseable {
    private final CompositeMeterRegistry registry = new CompositeMeterRegistry();
    private final Consumer<String> say;

    /** Null: nothing is served. */
    private PrometheusEndpoint endpoint;

    /** @param say is told what a user wants to know, in one line */
    public Outlets(Consumer<String> say) {
        this.say = say;
    }

    /** @throws io.threadclock.cli.process.Refusal if the address is taken, or is none of this machine's */
    public void serve(InetSocketAddress address) {
        endpoint = new PrometheusEndpoint(address);
        registry.add(endpoint.registry());
        say.accept("serving " + endpoint.url());
    }

    public void send(URI collector) {
        registry.add(OtlpSender.registry(collector, say));
        say.accept("sending to " + collector);
    }

    /** @param readers opens the reader of a JVM's threads; throws a {@link io.threadclock.cli.process.Refusal} if it cannot */
    public Exporter exporter(Function<Target, ThreadReader> readers, Duration interval) {
        return new Exporter(readers, interval, registry, say);
    }

    @Override
    public void close() {
        if (endpoint != null) {
            endpoint.close();
        }
    }
}
