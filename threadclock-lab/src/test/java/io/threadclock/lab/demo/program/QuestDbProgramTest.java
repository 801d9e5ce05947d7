// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo.program;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.lab.demo.message.Message;
import io.threadclock.lab.demo.message.PhaseRequest;
import io.threadclock.lab.demo.message.PhaseResult;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdks;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * The real program in a JVM of its own, without the agent: it starts, ingests, answers and ends. About five seconds.
 */
class QuestDbProgramTest {
    private static final int ROWS = 30_000;

    @TempDir
    Path directory;

    @Test
    void doesTheUnitsOfWorkThatItIsAskedForAndEndsWithItsInput() {
        try (ChildJvm program = ChildJvm.on(Jdks.running())
                .jvmOptions("-XX:+UseSerialGC", "-Djava.io.tmpdir=" + directory)
                .mainClass(QuestDbProgram.class)
                .arguments(directory.resolve("questdb").toString(), Integer.toString(ROWS))
                .start()) {
            program.send(new PhaseRequest(2, true, 300).toMessage().toString());
            program.endInput();
            ChildResult ended = program.await();
            assertThat(ended.exitStatus()).as(ended.stderr()).isZero();
            assertThat(message(ended, QuestDbProgram.READY).number(QuestDbProgram.ROWS))
                    .isEqualTo(ROWS);
            PhaseResult result = PhaseResult.of(message(ended, PhaseResult.KIND));
            assertThat(result.units()).isPositive();
            assertThat(result.userCallNs().getTotalCount()).isEqualTo(2 * result.units());
            assertThat(result.cpuCallNs().getTotalCount()).isEqualTo(2 * result.units());
            assertThat(result.cpuNs()).isBetween(result.userNs(), 2 * result.wallNs());
        }
    }

    private static Message message(ChildResult ended, String kind) {
        return ended.stdoutLines().stream()
                .map(Message::parse)
                .flatMap(Optional::stream)
                .filter(message -> message.kind().equals(kind))
                .findFirst()
                .orElseThrow();
    }
}
