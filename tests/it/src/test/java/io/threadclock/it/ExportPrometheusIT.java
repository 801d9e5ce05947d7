// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.api.Assumptions.assumeThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.threadclock.harness.ChildJvm;
import io.threadclock.it.probe.EchoProbe;
import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A real Prometheus scrapes {@code threadclock export}. */
@Tag("server")
@Timeout(900)
class ExportPrometheusIT {
    private static final int WINDOW_S = 40;
    private static final String MARK = "-Dthreadclock.test=" + System.nanoTime();
    private static final String CONFIGURATION =
            """
            global: {scrape_interval: 1s, scrape_timeout: 1s}
            scrape_configs: [{job_name: hosts, static_configs: [{targets: ['127.0.0.1:%d']}]}]
            """;

    @TempDir
    private Path folder;

    private final HttpClient http = HttpClient.newHttpClient();
    private final List<WaitingJvm> jvms = new ArrayList<>();
    private final List<Socket> places = new ArrayList<>();
    private Process prometheus;
    private int prometheusPort;
    private int exporterPort;
    private ChildJvm exporter;

    /** Works for a part of the time. */
    public static final class Load {
        private Load() {}

        public static void main(String[] arguments) throws InterruptedException {
            System.out.println(EchoProbe.READY);
            long workNs = TimeUnit.MILLISECONDS.toNanos(Integer.getInteger("load"));
            while (true) {
                long untilNs = System.nanoTime() + workNs;
                while (System.nanoTime() < untilNs) {
                    Thread.onSpinWait();
                }
                TimeUnit.MILLISECONDS.sleep(50);
            }
        }
    }

    @BeforeEach
    void start() throws IOException {
        Optional<Path> program = Stream.concat(
                        Stream.ofNullable(System.getenv("THREADCLOCK_PROMETHEUS")),
                        Stream.of(System.getenv("PATH").split(File.pathSeparator)))
                .map(folder -> Path.of(folder, "prometheus"))
                .filter(Files::isExecutable)
                .findFirst();
        assumeThat(program).as("Prometheus; ./threadclock test fetches it").isPresent();
        prometheusPort = place();
        exporterPort = place();
        Path configuration = Files.writeString(folder.resolve("prometheus.yml"), CONFIGURATION.formatted(exporterPort));
        prometheus = new ProcessBuilder(
                        program.orElseThrow().toString(),
                        "--config.file=" + configuration,
                        "--storage.tsdb.path=" + folder.resolve("data"),
                        "--web.listen-address=127.0.0.1:" + prometheusPort)
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("prometheus.log").toFile())
                .start();
    }

    /** A port that is bound, and never listening, so that the kernel gives it to nobody else. */
    private int place() throws IOException {
        Socket place = new Socket();
        places.add(place);
        place.setReuseAddress(true);
        place.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
        return place.getLocalPort();
    }

    @AfterEach
    void end() throws IOException, InterruptedException {
        jvms.forEach(WaitingJvm::close);
        if (exporter != null) {
            exporter.close();
        }
        if (prometheus != null) {
            prometheus.destroy();
            prometheus.waitFor();
        }
        for (Socket place : places) {
            place.close();
        }
    }

    private void startExporter() {
        exporter = CommandLineTool.command(
                        Program.LIBRARY.path(),
                        "export",
                        "--all",
                        "--match=" + MARK,
                        "--interval=1s",
                        "--prometheus=" + exporterPort)
                .start();
    }

    private void restartExporter() {
        exporter.close();
        startExporter();
    }

    private void startJvms() {
        jvms.forEach(WaitingJvm::close);
        jvms.clear();
        for (int load : new int[] {4, 8, 16}) {
            jvms.add(new WaitingJvm(CommandLineTool.RUNTIME, Load.class, MARK, "-Dload=" + load));
        }
    }

    /** CPU time in s by pid, as the kernel has it. */
    private Map<String, Double> truth() {
        Map<String, Double> seconds = new HashMap<>();
        jvms.forEach(jvm -> seconds.put(
                jvm.pid(),
                ProcessHandle.of(Long.parseLong(jvm.pid()))
                                .flatMap(process -> process.info().totalCpuDuration())
                                .orElseThrow()
                                .toNanos()
                        / 1e9));
        return seconds;
    }

    /** The answer's values by pid; empty while Prometheus does not answer. */
    private Map<String, Double> ask(String query) throws InterruptedException {
        Map<String, Double> values = new HashMap<>();
        URI url = URI.create("http://127.0.0.1:" + prometheusPort + "/api/v1/query?query="
                + URLEncoder.encode(query, StandardCharsets.UTF_8));
        try {
            String answer = http.send(HttpRequest.newBuilder(url).build(), BodyHandlers.ofString())
                    .body();
            for (JsonNode row : new ObjectMapper().readTree(answer).at("/data/result")) {
                values.put(row.at("/metric/pid").asText(), row.at("/value/1").asDouble());
            }
        } catch (IOException notYet) {
            return Map.of();
        }
        return values;
    }

    private void awaitAll() throws InterruptedException {
        long endNs = System.nanoTime() + WaitingJvm.WATCHDOG.toNanos();
        while (!ask("threadclock_jvm_read == 1").keySet().containsAll(truth().keySet())) {
            assertThat(System.nanoTime())
                    .as(() -> exporter.stderrLinesSoFar().toString())
                    .isLessThan(endNs);
            TimeUnit.MILLISECONDS.sleep(200); // cannot be waited for
        }
        TimeUnit.SECONDS.sleep(2); // the window has no time before the first figures
    }

    private void judgeAWindowWithARestartOfTheExporter() throws InterruptedException {
        Map<String, Double> before = truth();
        TimeUnit.SECONDS.sleep(WINDOW_S / 2);
        restartExporter();
        TimeUnit.SECONDS.sleep(WINDOW_S - WINDOW_S / 2);
        Map<String, Double> after = truth();
        Map<String, Double> told =
                ask("sum without (mode) (increase(threadclock_process_cpu_time_seconds_total{jvm=~'.*Load'}[" + WINDOW_S
                        + "s]))");
        after.forEach((pid, seconds) -> assertThat(told.get(pid))
                .as("CPU s of process %s of %s", pid, told)
                .isCloseTo(seconds - before.get(pid), withinPercentage(5)));
    }

    @Test
    void eachOfThreeEqualJvmsHasItsOwnTimeWhicheverIsRestarted() throws InterruptedException {
        startJvms();
        startExporter();
        awaitAll();
        judgeAWindowWithARestartOfTheExporter();
        startJvms();
        restartExporter();
        awaitAll();
        judgeAWindowWithARestartOfTheExporter();
        String series = "count by (pid) (last_over_time(threadclock_jvm_read[10m]))";
        assertThat(ask(series))
                .as("series of three JVMs and their successors")
                .hasSize(6)
                .allSatisfy((pid, count) -> assertThat(count).isEqualTo(1));
    }
}
