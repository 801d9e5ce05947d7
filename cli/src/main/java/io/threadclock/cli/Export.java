// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.export.Exporter;
import io.threadclock.cli.export.OtlpSender;
import io.threadclock.cli.export.PrometheusEndpoint;
import io.threadclock.cli.process.JvmFinder;
import io.threadclock.cli.process.Pid;
import io.threadclock.cli.process.Printer;
import io.threadclock.cli.process.Proc;
import io.threadclock.cli.process.Target;
import io.threadclock.cli.threads.ThreadReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Function;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;
import picocli.CommandLine.TypeConversionException;

/** {@code threadclock export}. */
@Command(
        name = "export",
        header = "Serve what JVMs cost as metrics, for Prometheus or OpenTelemetry.",
        description = {
            "Runs until Ctrl-C. One of it is enough for a machine: JVMs may start and end meanwhile, and need no change. The"
                    + " agent is attached as long as this runs; the JVMs' ThreadMXBean stays as it is. Metrics have the names of"
                    + " the library's, and labels that tell the JVM. One that the agent cannot be attached to is read as by"
                    + " --no-attach. What cannot be done is tried again each minute.%n"
        },
        exitCodeList = {
            "0:done, also after Ctrl-C or the end of the JVMs that were named",
            "1:a process that was named is not there, or is no JVM, or the address is taken; one line says why, and what to do",
            "2:wrong usage"
        },
        footer = {
            "  threadclock export 4711                          # http://127.0.0.1:9400/metrics",
            "  sudo threadclock export --all --prometheus=0.0.0.0:9400 --exclude='[Gg]radle'",
            "  threadclock export --all --no-attach --otlp=http://collector:4318"
        })
final class Export implements Callable<Integer> {
    static final int PORT = 9400;

    @Spec
    private CommandSpec spec;

    @Option(names = "--all", description = "All JVMs of this machine that may be read, also those that start later.")
    private boolean all;

    @Option(
            names = "--match",
            paramLabel = "REGEX",
            converter = WordPattern.Converter.class,
            description = "Of all JVMs only those in whose program or command line this is found.")
    private WordPattern match;

    @Option(
            names = "--exclude",
            paramLabel = "REGEX",
            converter = WordPattern.Converter.class,
            description = "Of all JVMs none in whose program or command line this is found.")
    private WordPattern exclude;

    @Option(
            names = "--prometheus",
            paramLabel = "[HOST:]PORT",
            arity = "0..1",
            fallbackValue = "" + PORT,
            converter = Address.class,
            description = "Serve /metrics there, at 127.0.0.1 unless told otherwise. Default: port " + PORT
                    + ", without --otlp.")
    private InetSocketAddress prometheus;

    @Option(
            names = "--otlp",
            paramLabel = "URL",
            converter = Collector.class,
            description =
                    "Send the metrics to a collector by OTLP over HTTP, each minute. Without a path, to /v1/metrics."
                            + " OTEL_EXPORTER_OTLP_HEADERS,"
                            + " OTEL_METRIC_EXPORT_INTERVAL and OTEL_RESOURCE_ATTRIBUTES are obeyed, for instance.")
    private URI otlp;

    @Option(
            names = {"-d", "--interval"},
            paramLabel = "TIME",
            defaultValue = "5s",
            converter = Interval.class,
            description = "Time between two looks at each JVM, 1s to 1m. A thread that lives for less may not be seen."
                    + " Default: ${DEFAULT-VALUE}.")
    private Duration interval;

    @Mixin
    private ReaderOptions options;

    @Parameters(
            paramLabel = "PID",
            arity = "0..*",
            converter = Pid.Converter.class,
            description = "The process ids of JVMs; jps lists them.")
    private List<Pid> pids = List.of();

    @Override
    public Integer call() throws InterruptedException {
        if (all == !pids.isEmpty()) {
            throw new ParameterException(spec.commandLine(), "give process ids, or --all");
        }
        if (!all && (match != null || exclude != null)) {
            throw new ParameterException(spec.commandLine(), "--match and --exclude choose among --all");
        }
        List<Target> named =
                pids.stream().map(pid -> options.target(Proc.SYSTEM, pid)).toList();
        Function<Target, ThreadReader> outside = options::outside;
        Exporter.Readers readers = new Exporter.Readers(options.isFromOutside() ? outside : options::attached, outside);
        Printer out = Printer.out(spec);
        try (Exporter exporter = new Exporter(readers, interval, new Exporter.Log(out::println, this::say));
                PrometheusEndpoint endpoint = endpoint(exporter);
                OtlpSender sender = otlp == null ? null : new OtlpSender(otlp, exporter, this::say)) {
            if (endpoint != null) {
                out.println("serving " + endpoint.url());
            }
            if (sender != null) {
                out.println("sending to " + otlp);
            }
            ThreadClockCommand.onSignal(exporter::stop);
            run(exporter, named);
        }
        return ExitCode.OK;
    }

    private PrometheusEndpoint endpoint(Exporter exporter) {
        if (prometheus == null && otlp != null) {
            return null;
        }
        return new PrometheusEndpoint(
                prometheus != null ? prometheus : new Address().convert(Integer.toString(PORT)), exporter);
    }

    private void run(Exporter exporter, List<Target> named) throws InterruptedException {
        if (all) {
            JvmFinder finder = new JvmFinder(Proc.SYSTEM, options.isFromOutside(), System.nanoTime(), this::say);
            exporter.runAll(
                    () -> finder.find(System.nanoTime()), pid -> Target.outside(Proc.SYSTEM, pid), this::isWanted);
        } else {
            exporter.run(named);
        }
    }

    private boolean isWanted(Target target) {
        List<String> words = new ArrayList<>(target.files().words("cmdline"));
        words.add(target.program());
        return (match == null || match.isIn(words)) && (exclude == null || !exclude.isIn(words));
    }

    private void say(String line) {
        Printer.err(spec).println("threadclock: " + line);
    }

    private static final class Interval extends TimeSpan {
        Interval() {
            super(Duration.ofSeconds(1), Duration.ofMinutes(1));
        }
    }

    /** An address to listen at. */
    static final class Address implements ITypeConverter<InetSocketAddress> {
        @Override
        public InetSocketAddress convert(String text) {
            int colon = text.lastIndexOf(':');
            String host = colon < 0 ? "127.0.0.1" : text.substring(0, colon);
            try {
                return new InetSocketAddress(InetAddress.getByName(host), Integer.parseInt(text.substring(colon + 1)));
            } catch (IllegalArgumentException noPort) {
                throw new TypeConversionException("'" + text + "' is not [HOST:]PORT, with a port from 0 to 65535");
            } catch (UnknownHostException unknown) {
                throw new TypeConversionException("'" + host + "' is no address of this machine");
            }
        }
    }

    /** The address of a collector. */
    static final class Collector implements ITypeConverter<URI> {
        @Override
        public URI convert(String text) {
            URI url = parse(text);
            if (url.getUserInfo() != null || url.getQuery() != null) {
                throw new TypeConversionException(
                        "every user of this machine can see a password or key in it; change that one, and"
                                + " give the new one in OTEL_EXPORTER_OTLP_HEADERS");
            }
            if (url.getHost() == null || !String.valueOf(url.getScheme()).matches("https?")) {
                throw noAddress(text);
            }
            return url.getPath().isEmpty() ? url.resolve("/v1/metrics") : url;
        }

        private static URI parse(String text) {
            try {
                return new URI(text);
            } catch (URISyntaxException wrong) {
                throw noAddress(text);
            }
        }

        private static TypeConversionException noAddress(String text) {
            return new TypeConversionException("'" + text + "' is not http://HOST:PORT");
        }
    }
}
