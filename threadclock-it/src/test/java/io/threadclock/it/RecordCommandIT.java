// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.it.probe.EchoProbe;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** {@code threadclock record} and {@code report} on a JVM: both are killed, and what was recorded is there. */
@Timeout(120)
class RecordCommandIT {
    private static final Path LIBRARY = Program.LIBRARY.path();
    private static final long PATIENCE_NS = TimeUnit.SECONDS.toNanos(30);

    @TempDir
    Path directory;

    @Test
    void survivesItsOwnDeathAndTheJvmsAndReportsBoth() throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            try (ChildJvm killed = record(jvm)) {
                awaitCommits(2, killed);
                ProcessHandle.of(killed.pid()).orElseThrow().destroyForcibly();
                killed.await();
            }
            long before = number("select count() from processes");
            assertThat(before).as("samples that a killed recorder leaves").isPositive();
            try (ChildJvm recorder = record(jvm)) {
                awaitCommits(3, recorder);
                jvm.signal("KILL");
                ChildResult end = recorder.await();
                assertThat(end.exitStatus()).as(end.stderr()).isZero();
                assertThat(end.stdout()).startsWith("recorded ").contains("it has ended");
            }
            assertThat(Path.of("/tmp/.threadclock_" + jvm.pid())).doesNotExist();
            assertThat(number("select count() from gaps where reason = 'not_recorded'")).as("gaps between recorders").isEqualTo(1);
            assertThat(number("select count() from threads where kind = 'vm' and name = 'VM Thread'")).isPositive();
            assertReport();
        }
    }

    @Test
    void endsAtASignalWithNothingLeftInTheJvm() throws Exception {
        try (WaitingJvm jvm = new WaitingJvm(CommandLineTool.RUNTIME)) {
            try (ChildJvm recorder = record(jvm)) {
                awaitCommits(2, recorder);
                ProcessHandle.of(recorder.pid()).orElseThrow().destroy();
                assertThat(recorder.await().exitStatus()).isZero();
            }
            awaitGone(Path.of("/tmp/.threadclock_" + jvm.pid()));
            assertThat(jvm.end().exitStatus()).isEqualTo(EchoProbe.STATUS);
        }
    }

    @Test
    void saysInOneLineWhatCannotBeDone() {
        assertThat(CommandLineTool.refusal(CommandLineTool.run(LIBRARY, "report", "--dir=" + directory.resolve("none"))))
                .contains("nothing has been recorded there");
        assertThat(CommandLineTool.run(LIBRARY, "record", "--rate=1000", "1").exitStatus()).isEqualTo(2);
    }

    private void assertReport() throws Exception {
        Path page = directory.resolve("report.html");
        ChildResult report = command("report", "--output=" + page);
        assertThat(report.exitStatus()).as(report.stderr()).isZero();
        assertThat(Files.readString(page)).contains("VM Thread").contains("\"reason\":\"not recorded\"");
    }

    private ChildJvm record(WaitingJvm jvm) {
        return ChildJvm.on(CommandLineTool.RUNTIME)
                .jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC")
                .mainClass(CommandLineTool.MAIN)
                .arguments("record", "--dir=" + directory.resolve("data"), "--rate=20", jvm.pid())
                .environment("THREADCLOCK_LIBRARY", LIBRARY.toString())
                .start();
    }

    /** Each changes the file that says what the table holds. */
    private void awaitCommits(int count, ChildJvm recorder) throws Exception {
        Path file = directory.resolve("data/db/processes/_txn");
        long beginNs = System.nanoTime();
        Set<ByteBuffer> seen = new HashSet<>();
        while (seen.size() <= count) {
            assertThat(recorder.isAlive()).as(() -> recorder.stderrLinesSoFar().toString()).isTrue();
            assertThat(System.nanoTime() - beginNs).as("ns until something was committed %d times", count).isLessThan(PATIENCE_NS);
            if (Files.exists(file)) {
                seen.add(ByteBuffer.wrap(Files.readAllBytes(file)));
            }
        }
    }

    private long number(String sql) {
        ChildResult answer = command("report", "--sql=" + sql);
        List<String> lines = answer.stdoutLines();
        return answer.exitStatus() == 0 && lines.size() == 2 ? Long.parseLong(lines.get(1)) : 0;
    }

    private ChildResult command(String name, String option) {
        return CommandLineTool.run(
                List.of("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC"), LIBRARY, name, "--dir=" + directory.resolve("data"), option);
    }

    private static void awaitGone(Path file) {
        long beginNs = System.nanoTime();
        while (Files.exists(file)) {
            assertThat(System.nanoTime() - beginNs).as("ns until %s is gone", file).isLessThan(PATIENCE_NS);
        }
    }
}
