// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.doctor;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine.Help.Ansi;

class DiagnosisTextTest {
    private static final int ROWS = 24;
    private static final int COLUMNS = 80;

    private static Diagnosis worst() {
        MachineFacts machine = Examinations.machine(3);
        ProcessLimits confines = Examinations.ofUser(0);
        Examination examined = Examinations.withClockAlone();
        return new Diagnosis(
                machine.line(),
                machine,
                confines,
                examined,
                null,
                new MachineFindings(machine, confines, examined).all(),
                "The end.");
    }

    @Test
    void theWorstFitsOnOneScreen() {
        List<String> lines = new DiagnosisText(Ansi.OFF).text(worst()).lines().toList();
        assertThat(lines).hasSizeLessThan(ROWS).allMatch(line -> line.length() <= COLUMNS);
    }

    @Test
    void aRemedyStandsBelowWhatItIsFor() {
        assertThat(new DiagnosisText(Ansi.OFF).text(worst()))
                .containsPattern(
                        "red    perf      perf_event_open refused: .*\n +.*\n +-> sysctl kernel.perf_event_paranoid=2\n");
    }

    @Test
    void coloursComeOnlyWhereTheyAreWanted() {
        assertThat(new DiagnosisText(Ansi.OFF).text(worst())).doesNotContain("\u001b");
        assertThat(new DiagnosisText(Ansi.ON).text(worst())).contains("\u001b[31m\u001b[1mred");
    }

    @Test
    void markupInWhatAProcessSaysIsText() {
        Examination examined = Examinations.withClockAlone();
        Diagnosis hostile = new Diagnosis(
                "|@ @|hidden,bg(red) x|@",
                Examinations.machine(3),
                Examinations.ofUser(0),
                examined,
                null,
                List.of(),
                "@|blink y|@");
        assertThat(new DiagnosisText(Ansi.ON).text(hostile))
                .contains("|@ @|hidden,bg(red) x|@", "@|blink y|@")
                .doesNotContain("\u001b[8m");
    }

    @Test
    void wordsThatAreTooLongHaveTheirOwnLine() {
        assertThat(DiagnosisText.wrapped("a bb a-long-one c", 4)).containsExactly("a bb", "a-long-one", "c");
    }

    @Test
    void theSameIsToldAsJson() throws Exception {
        JsonNode json = new ObjectMapper().readTree(worst().json());
        assertThat(json.path("format").asInt()).isEqualTo(1);
        assertThat(json.path("worst").asText()).isEqualTo("red");
        assertThat(json.at("/examined/chosen").asText()).isEqualTo("clock");
        assertThat(json.at("/machine/perfParanoid").asInt()).isEqualTo(3);
        assertThat(json.at("/confines/quotaCpus").isNull()).isTrue();
        assertThat(json.path("findings").findValuesAsText("level")).contains("red", "green", "none");
        assertThat(json.has("jvm")).as("asked for no JVM").isFalse();
    }
}
