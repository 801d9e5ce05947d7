// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.threadclock.cli.DocumentedScreen;
import java.io.IOException;
import java.nio.file.Files;
import java.util.List;
import java.util.OptionalLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

class DiagnosisTextTest {
    private static final int ROWS = 24;
    private static final int COLUMNS = 80;
    private static final DiagnosisText PLAIN = new DiagnosisText(Ansi.OFF);
    private static final DiagnosisText COLOURED = new DiagnosisText(Ansi.ON);
    private static final Diagnosis WORST = new Situation("clock-alone paranoid=3").ofMachine();

    private static Diagnosis told(Diagnosis its, String title, String summary) {
        return new Diagnosis(title, its.machine(), its.confines(), its.examined(), its.jvm(), its.findings(), summary);
    }

    @Test
    void theWorstFitsOnOneScreen() {
        Diagnosis jvm = new Situation("clock-alone paranoid=3 filtered no-attaching jdk=21 virtual=IMPOSSIBLE").ofJvm();
        for (Diagnosis each : List.of(WORST, told(jvm, jvm.title(), "x ".repeat(65)))) {
            assertThat(PLAIN.text(each).lines()).hasSizeLessThan(ROWS).allMatch(line -> line.length() <= COLUMNS);
        }
    }

    @Test
    void coloursComeOnlyWhereTheyAreWanted() {
        assertThat(PLAIN.text(WORST)).doesNotContain("\u001b");
        assertThat(COLOURED.text(WORST)).contains("\u001b[31m\u001b[1mred");
    }

    @Test
    void markupInWhatAProcessSaysIsText() {
        assertThat(COLOURED.text(told(WORST, "|@ @|hidden,bg(red) x|@", "@|blink y|@")))
                .contains("|@ @|hidden,bg(red) x|@", "@|blink y|@")
                .doesNotContain("\u001b[8m");
    }

    @Test
    void wordsThatAreTooLongHaveTheirOwnLine() {
        assertThat(DiagnosisText.wrapped("a bb a-long-one c", 4)).containsExactly("a bb", "a-long-one", "c");
    }

    @Test
    void theSameIsToldAsJson() throws IOException {
        JsonNode json = new ObjectMapper().readTree(WORST.json());
        assertThat(json.path("format").asInt()).isEqualTo(2);
        assertThat(json.path("worst").asText()).isEqualTo("red");
        assertThat(json.at("/examined/chosen").asText()).isEqualTo("clock");
        assertThat(json.at("/machine/perfParanoid").asInt()).isEqualTo(3);
        assertThat(json.at("/confines/quotaCpus").isNull()).isTrue();
        assertThat(json.path("findings").findValuesAsText("level")).contains("red", "green", "none");
        assertThat(json.has("jvm")).as("asked for no JVM").isFalse();
    }

    @Test
    void theManualShowsItsScreens() throws IOException {
        MachineFacts machine = new MachineFacts("6.18.44", "x86_64", "AMD EPYC", true, 2, OptionalLong.of(2), 516);
        Situation usual = new Situation("");
        String alone = PLAIN.text(Diagnosis.ofMachine(machine, usual.limits(), usual.examined()));
        DocumentedScreen.check("docs/cli.md", "machine", alone);
        DocumentedScreen.check(
                "docs/cli.md", "jvm", PLAIN.text(Diagnosis.ofJvm(machine, usual.examined(), usual.jvm())));
    }

    @Test
    void theManualHasEveryRow() throws IOException {
        Situation answering = new Situation("filtered loaded used says=rseq");
        List<String> rows = Files.readString(DocumentedScreen.HOME.resolve("docs/cli.md"))
                .lines()
                .filter(line -> line.startsWith("| `"))
                .map(line -> line.split("[|]")[1])
                .toList();
        assertThat(Stream.of(answering.ofJvm(), answering.ofMachine())
                        .flatMap(diagnosis -> diagnosis.findings().stream())
                        .map(Finding::subject))
                .allSatisfy(subject -> assertThat(rows).anyMatch(row -> row.contains("`" + subject + "`")));
    }
}
