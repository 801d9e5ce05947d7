// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ExchangeTest {
    record Request(String words, int times) {}

    record Answer(List<String> said, double number) {}

    @Test
    void anAnswerIsWhatTheChildMadeOfTheRequest() {
        try (Exchange child = talker()) {
            assertThat(child.ask(new Request("größer als µ", 2), Answer.class))
                    .isEqualTo(new Answer(List.of("größer als µ", "größer als µ"), 2.5));
            assertThat(child.ask(new Request("again", 1), Answer.class).said()).containsExactly("again");
            assertThat(child.end().exitStatus())
                    .as("status after its input has ended")
                    .isZero();
        }
    }

    @Test
    void whatTheChildPrintsBesideIsNoAnswer() {
        String stdout = "warning: {\"answer\":1}\n{\"answer\":2}\n{\"rows\": []}\n{\"answer\": 3}\n";
        assertThat(Exchange.answersIn(stdout, Integer.class)).containsExactly(2, 3);
    }

    @Test
    void anAnswerOfAnotherTypeOrCutOffIsToldWithItsText() {
        for (String line : List.of("{\"answer\":{\"said\":[]}}", "{\"answer\":{\"said\":[")) {
            assertThatThrownBy(() -> Exchange.answersIn(line, Answer.class))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("no Answer: " + line);
        }
    }

    @Test
    void aChildThatEndsIsToldByItsException() {
        try (Exchange child = talker()) {
            assertThatThrownBy(() -> child.ask(new Request("never", -1), Answer.class))
                    .isInstanceOf(SetupException.class)
                    .hasMessageContaining("Running the talker: it ended: Exception in thread \"main\"")
                    .hasMessageContaining("IllegalArgumentException: count is negative: -1");
        }
    }

    /** Ctrl-C reaches all JVMs of a terminal at the same time, and the child's end is no failure then. */
    @Test
    void aChildThatCtrlCEndsIsNotReported() throws IOException, InterruptedException {
        assumeThat(ignoresCtrlC())
                .as("whoever started these tests ignores SIGINT, and so does the child")
                .isFalse();
        try (Exchange child = talker()) {
            new ProcessBuilder("kill", "-INT", Long.toString(child.pid()))
                    .start()
                    .waitFor();
            awaitEnd(child); // otherwise it may answer first
            assertThatThrownBy(() -> child.ask(new Request("never", 1), Answer.class))
                    .isInstanceOf(EndingException.class);
        }
    }

    /** A shell without a terminal has its background jobs ignore it. */
    private static boolean ignoresCtrlC() throws IOException {
        return Files.readAllLines(Path.of("/proc/self/status")).stream()
                .filter(line -> line.startsWith("SigIgn:"))
                .anyMatch(line -> (Long.parseUnsignedLong(line.split("\\s+")[1], 16) & 2) != 0);
    }

    private static void awaitEnd(Exchange child) throws InterruptedException {
        long endNs = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (child.isAlive() && System.nanoTime() - endNs < 0) {
            Thread.sleep(1);
        }
    }

    private static Exchange talker() {
        // No locale of this machine's: what is not ASCII arrives by any.
        return new Exchange(
                "the talker",
                ChildJvm.on(Jdks.running()).environment("LC_ALL", "C").mainClass(Talker.class));
    }

    public static final class Talker {
        private Talker() {}

        public static void main(String[] arguments) throws IOException {
            Exchange.answerEach(Request.class, request -> {
                System.out.println("beside");
                if (request.times() < 0) {
                    throw new IllegalArgumentException("count is negative: " + request.times());
                }
                return new Answer(Collections.nCopies(request.times(), request.words()), request.times() + 0.5);
            });
        }
    }
}
