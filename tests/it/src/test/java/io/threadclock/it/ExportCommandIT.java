// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.ChildJvm;
import io.threadclock.it.probe.EchoProbe;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Tests {@code threadclock export} on JVMs that come and go. */
@Timeout(600)
class ExportCommandIT {
    private static final String SERVING = "serving ";
    private static final long LOOK_MS = 100;

    private final HttpClient client = HttpClient.newHttpClient();
    private final CompletableFuture<String> url = new CompletableFuture<>();

    private ChildJvm export(String... arguments) {
        return CommandLineTool.command(Program.LIBRARY.path(), arguments)
                .onStdout(line -> {
                    if (line.startsWith(SERVING)) {
                        url.complete(line.substring(SERVING.length()));
                    }
                })
                .start();
    }

    private String scrape() throws Exception {
        return client.send(
                        HttpRequest.newBuilder(URI.create(url.get(5, TimeUnit.MINUTES)))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    private String awaitPage(ChildJvm exporter, Predicate<String> isThere) throws Exception {
        long beginNs = System.nanoTime();
        for (String page = scrape(); ; page = scrape()) {
            if (isThere.test(page)) {
                return page;
            }
            assertThat(exporter.isAlive())
                    .as(() -> exporter.stderrLinesSoFar().toString())
                    .isTrue();
            assertThat(System.nanoTime() - beginNs)
                    .as("ns, and then%n%s", page)
                    .isLessThan(WaitingJvm.WATCHDOG.toNanos());
            TimeUnit.MILLISECONDS.sleep(LOOK_MS); // the JVMs need the CPU that asking takes
        }
    }

    private static boolean has(String page, String series) {
        return Pattern.compile("(?m)^" + series).matcher(page).find();
    }

    @Test
    void jvmsHaveMetricsUntilTheyEndAndNothingIsLeftInOthers() throws Exception {
        try (WaitingJvm one = new WaitingJvm(CommandLineTool.RUNTIME);
                WaitingJvm other = new WaitingJvm(CommandLineTool.RUNTIME);
                ChildJvm exporter = export("export", "--prometheus=0", "--interval=1s", one.pid(), other.pid())) {
            String main =
                    "threadclock_pool_cpu_time_seconds_total\\{jvm=\"[\\w.]*EchoProbe\",mode=\"user\",pid=\"%s\",pool=\"main\"";
            String ofOne = main.formatted(one.pid());
            String ofOther = main.formatted(other.pid());
            String page = awaitPage(exporter, now -> has(now, ofOne) && has(now, ofOther));
            assertThat(page)
                    .containsPattern(
                            "(?m)^threadclock_process_cpu_time_seconds_total\\{jvm=\"[\\w.]*EchoProbe\",mode=\"user\",pid")
                    .containsPattern(
                            "(?m)^threadclock_jvm_cpu_time_seconds_total\\{jvm=\"[\\w.]*EchoProbe\",kind=\"vm\",pid");
            one.signal("KILL");
            awaitPage(exporter, now -> !has(now, ofOne) && has(now, ofOther));
            ProcessHandle.of(exporter.pid()).orElseThrow().destroy();
            assertThat(exporter.await().exitStatus()).isZero();
            assertThat(Path.of("/tmp/.threadclock_" + one.pid())).doesNotExist();
            assertThat(Path.of("/tmp/.threadclock_" + other.pid())).doesNotExist();
            assertThat(other.end().exitStatus()).isEqualTo(EchoProbe.STATUS);
        }
    }
}
