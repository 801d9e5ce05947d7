// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.EchoProbe;
import io.threadclock.it.probe.VirtualLoadProbe;
import io.threadclock.recorder.QueryOutput;
import io.threadclock.recorder.RecordingReader;
import io.threadclock.recorder.StoreFailure;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Tests {@code threadclock record} and {@code report} on a JVM. Both are killed, and the recording is there. */
@Timeout(600)
class RecordCommandIT {
    private static final Path LIBRARY = Program.LIBRARY.path();
    private static final String SAMPLES = "select count() from processes";
    private static final long LOOK_MS = 200;
    private static final long PATIENCE_NS = WaitingJvm.WATCHDOG.toNanos();

    @TempDir
    Path directory;

    @Test
    @Tag("server")
    void survivesItsOwnDeathAndTheJvmsAndReportsBoth() throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            long seen;
            try (ChildJvm killed = record(jvm)) {
                seen = awaitSamples(2, killed);
                ProcessHandle.of(killed.pid()).orElseThrow().destroyForcibly();
                killed.await();
            }
            long before = number(SAMPLES);
            assertThat(before)
                    .as("samples that a killed recorder leaves, of %d that were seen", seen)
                    .isGreaterThanOrEqualTo(seen);
            long lastUs = number("select max(timestamp)::long from processes");
            try (ChildJvm recorder = record(jvm)) {
                awaitSamples(before + 20, recorder);
                assertThat(number(SAMPLES + " where timestamp <= " + lastUs))
                        .as("samples of the killed one after a restart")
                        .isEqualTo(before);
                jvm.signal("KILL");
                ChildResult end = CommandLineTool.assertDone(recorder.await());
                assertThat(end.stdout()).startsWith("recorded ").contains("it has ended");
            }
            assertThat(Path.of("/tmp/.threadclock_" + jvm.pid())).doesNotExist();
            assertThat(number("select count() from gaps where reason = 'not_recorded'"))
                    .as("gaps between recorders")
                    .isEqualTo(1);
            assertThat(number("select count() from threads where kind = 'vm' and name = 'VM Thread'"))
                    .isPositive();
            assertReport();
        }
    }

    /**
     * Conservation: what the pools and the carriers' rest have used since the first sample is what the carriers have,
     * but for what came between the reading of a carrier and that of the pools in the first and the last sample. That
     * does not grow.
     */
    @OnEachJdkWithVirtualThreads
    @Tag("timing")
    void recordsVirtualThreadsByPoolsThatAddUpToTheirCarriers(Jdk jdk) throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(
                jdk,
                VirtualLoadProbe.class,
                "-agentpath:" + LIBRARY + "=virtual",
                "-Djdk.virtualThreadScheduler.parallelism=2")) {
            try (ChildJvm recorder = record(jvm)) {
                awaitSamples(1, recorder);
                await("a second of carriers, within 1 %", recorder, () -> isConserved(TimeUnit.SECONDS.toNanos(1)));
                ProcessHandle.of(recorder.pid()).orElseThrow().destroy();
                assertThat(recorder.await().exitStatus()).isZero();
            }
            for (String pool : List.of("handler-*", "import-*", "(no name)")) {
                String its = " from virtual_pools where pool = '" + pool + "'";
                assertThat(number("select sum(user_ns)" + its))
                        .as("ns of %s", pool)
                        .isPositive();
                assertThat(number("select sum(mounts)" + its))
                        .as("mounts of %s", pool)
                        .isPositive();
            }
            assertThat(number("select max(threads) from virtual_pools where pool = 'import-*'"))
                    .isEqualTo(2);
            assertThat(number("select count() from samples join names on (jvm, thread) where kind = 'virtual'"))
                    .as("rows of virtual threads among those of the kernel's")
                    .isZero();
            Path page = directory.resolve("report.html");
            report(page);
            assertThat(Files.readString(page)).contains("\"handler-*\"").contains("\"(carriers' rest)\"");
        }
    }

    /** At the last sample of which all is committed. */
    private boolean isConserved(long leastNs) {
        String until = " where timestamp <= " + number("select max(timestamp)::long from processes");
        long carriersNs = number("select coalesce(sum(user_ns + system_ns), 0) from (select * from samples" + until
                + ") s join names on (jvm, thread) where kind = 'carrier'");
        long poolsNs = number("select coalesce(sum(user_ns + system_ns), 0) from virtual_pools" + until);
        return carriersNs > leastNs && Math.abs(poolsNs - carriersNs) < carriersNs / 100;
    }

    @Test
    void endsAtASignalWithNothingLeftInTheJvm() throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            try (ChildJvm recorder = record(jvm)) {
                awaitSamples(5, recorder);
                ProcessHandle.of(recorder.pid()).orElseThrow().destroy();
                assertThat(recorder.await().exitStatus()).isZero();
            }
            awaitGone(Path.of("/tmp/.threadclock_" + jvm.pid()));
            assertThat(jvm.end().exitStatus()).isEqualTo(EchoProbe.STATUS);
        }
    }

    @Test
    @Tag("server")
    void endsWithOneLineWhenTheServerWillNeverTakeIt() throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(400, -1);
            exchange.close();
        });
        server.start();
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            String to = "--to=http::addr=127.0.0.1:" + server.getAddress().getPort() + ";auto_flush_interval=1;";
            ChildResult end = CommandLineTool.run(LIBRARY, "record", to, jvm.pid());
            assertThat(end.exitStatus()).isEqualTo(1);
            assertThat(end.stdout())
                    .startsWith("recorded ")
                    .contains(", 0 sent, ")
                    .contains(" LOST; it can be kept no longer");
            assertThat(end.stderr())
                    .containsPattern("threadclock: writing to .* samples are lost, .*; last: HTTP 400\\. Correct --to");
        } finally {
            server.stop(0);
        }
    }

    private void assertReport() throws Exception {
        Path page = directory.resolve("report.html");
        report(page);
        assertThat(Files.readString(page))
                .as("the agent's thread, which reads for the recorder, and the gap")
                .contains("\"name\":\"threadclock\"")
                .contains("\"reason\":\"not recorded\"");
    }

    private ChildJvm record(WaitingJvm jvm) {
        return CommandLineTool.command(LIBRARY, "record", "--dir=" + directory.resolve("data"), "--rate=20", jvm.pid())
                .start();
    }

    /** Asks from another process while it is being recorded, so that visible samples are committed. */
    private long awaitSamples(long count, ChildJvm recorder) throws InterruptedException {
        long[] seen = {0};
        await(count + " samples", recorder, () -> (seen[0] = number(SAMPLES)) >= count);
        return seen[0];
    }

    private void await(String what, ChildJvm recorder, BooleanSupplier isThere) throws InterruptedException {
        long beginNs = System.nanoTime();
        while (!(hasTables() && isThere.getAsBoolean())) {
            assertThat(recorder.isAlive())
                    .as(() -> recorder.stderrLinesSoFar().toString())
                    .isTrue();
            assertThat(System.nanoTime() - beginNs).as("ns until %s", what).isLessThan(PATIENCE_NS);
            TimeUnit.MILLISECONDS.sleep(LOOK_MS); // the recorder needs the CPU that asking takes
        }
    }

    private boolean hasTables() {
        try {
            RecordingReader.open(directory.resolve("data")).close();
            return true;
        } catch (StoreFailure tooEarly) {
            return false;
        }
    }

    private long number(String sql) {
        List<String> answer = new ArrayList<>();
        try (RecordingReader reading = RecordingReader.open(directory.resolve("data"))) {
            new QueryOutput(reading, sql, false).print(answer::add);
        }
        return Long.parseLong(answer.get(1));
    }

    private void report(Path page) {
        CommandLineTool.done(LIBRARY, "report", "--dir=" + directory.resolve("data"), "--output=" + page);
    }

    private static void awaitGone(Path file) {
        long beginNs = System.nanoTime();
        while (Files.exists(file)) {
            assertThat(System.nanoTime() - beginNs)
                    .as("ns until %s is gone", file)
                    .isLessThan(PATIENCE_NS);
        }
    }
}
