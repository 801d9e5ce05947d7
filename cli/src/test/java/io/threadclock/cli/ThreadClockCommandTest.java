// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.cli.doctor.Level;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

class ThreadClockCommandTest {
    private final CommandHere command = new CommandHere();

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "frobnicate",
                "attach",
                "attach x",
                "attach 0",
                "attach -5",
                "attach 99999999999",
                "attach 1 2",
                "attach --source=sundial 1",
                "attach --timeout=0 1",
                "detach",
                "detach --source=clock 1",
                "doctor --frobnicate",
                "doctor --fail-on=green",
                "run",
                "run -- java",
                "record",
                "record --rate=1000 1",
                "record --keep=4 1",
                "record --duration=5x 1",
                "record --duration=0 1",
                "top --json",
                "top -d 90s 1",
                "help frobnicate",
                "record --to=db:9000 1",
                "report 1",
                "report --json",
                "report --serve=70000",
                "report --serve --sql=tables",
                "export",
                "export --all 1",
                "export --match=a 1",
                "export --all --exclude=(",
                "export --prometheus=70000 1",
                "export --otlp=collector:4318 1",
                "export --otlp=http://[ 1",
                "export --otlp=http://u:secret@collector:4318 1",
                "export --otlp=http://collector:4318?key=secret 1"
            })
    void wrongUsageIsOneLineAndTwo(String words) {
        assertThat(status(words)).as("exit status").isEqualTo(2);
        assertThat(command.err())
                .startsWith("threadclock: ")
                .hasLineCount(1)
                .contains(" --help")
                .doesNotContain("secret", "Exception");
        assertThat(command.out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"attach", "detach", "run", "doctor", "record", "report", "export"})
    void helpHasExamplesAndExitStatus(String name) {
        assertThat(status(name + " --help")).isZero();
        assertThat(command.out()).contains("Example", "Exit status:", "threadclock " + name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"--help", "help", "help top", "version", "--version"})
    void tellsWhatItIsByAWordOrAnOption(String words) {
        assertThat(status(words)).isZero();
        assertThat(command.out()).contains("threadclock");
        assertThat(command.err()).isEmpty();
    }

    @Test
    void helpTellsThePurposeAndFitsATerminal() {
        status("help");
        assertThat(command.out()).contains("what each thread of a JVM has cost").contains("  version ");
        for (String name : ThreadClockCommand.commandLine().getSubcommands().keySet()) {
            status("help " + name);
        }
        assertThat(command.out().lines()).allMatch(line -> line.length() <= 80);
    }

    @ParameterizedTest
    @ValueSource(strings = {"attach --timeout=%s 1", "top --interval=%s 1", "record --duration=%s 1"})
    void everyTimeIsWrittenInTheSameWay(String words) {
        for (String time : List.of("2", "1.5", "1500ms", "2s", "0.5m")) {
            ThreadClockCommand.commandLine()
                    .parseArgs(String.format(words, time).split(" "));
        }
    }

    @Test
    void aMissingLibraryIsARefusalAndOne() {
        assertThat(status("attach --library=/nonexistent/lib.so 1")).isEqualTo(1);
        assertThat(command.err()).hasLineCount(1).contains("/nonexistent/lib.so is no file that can be read", "build");
    }

    @Test
    void thisProcessIsRefused() {
        assertThat(status("detach " + ProcessHandle.current().pid())).isEqualTo(1);
        assertThat(command.err()).hasLineCount(1).contains("it is this command itself");
    }

    @Test
    void optionsAreHandedOnAsTheAgentReadsThem() {
        assertThat(agentText("--source=RSEQ", "--split=sampled", "--strict", "--stats", "--virtual"))
                .isEqualTo("source=rseq,split=sampled,strict,stats,virtual");
        assertThat(agentText()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "sampled, sampled",
        "SAMPLED, sampled",
        "sampled:90us, sampled:90us",
        "sampled:1ms, sampled:1ms",
        "sampled:0.5ms, sampled:500us",
        "Sampled:0.01, sampled:10ms",
        "sampled:1000us, sampled:1ms"
    })
    void aSplitIsHandedOnWithItsPeriod(String typed, String agentReads) {
        assertThat(agentText("--split=" + typed)).isEqualTo("split=" + agentReads);
    }

    @Test
    void theBoundsOfItsPeriodAreThoseOfTheNativeLibrary() throws IOException {
        assertThat(DocumentedScreen.HOME.resolve("native/src/main/c/clock/settings.h"))
                .content()
                .contains("TCLK_SAMPLE_PERIOD_MIN_NS INT64_C(90000)", "TCLK_SAMPLE_PERIOD_MAX_NS INT64_C(10000000)");
    }

    @ParameterizedTest
    @CsvSource({
        "even, 'sampled:1ms'",
        "kernel, 'one of [smoothed, ticks, sampled]'",
        "sampled:89us, 'from 90us to 10ms'",
        "sampled:11ms, 'from 90us to 10ms'",
        "sampled:, 'is no time'",
        "sampled:x, 'is no time'",
        "ticks:1ms, 'only sampled takes a period'"
    })
    void aWrongSplitIsToldWhatIsAllowed(String typed, String told) {
        assertThat(status("run --split=" + typed + " -- true")).isEqualTo(2);
        assertThat(command.err()).contains("--split", told);
    }

    @ParameterizedTest
    @CsvSource({
        "RED, GREEN, 0",
        "RED, YELLOW, 0",
        "RED, RED, 4",
        "YELLOW, NONE, 0",
        "YELLOW, YELLOW, 3",
        "YELLOW, RED, 4"
    })
    void doctorEndsWithTheStatusOfTheWorstFromTheChosenLevelOn(Doctor.Alarm alarm, Level worst, int status) {
        assertThat(alarm.status(worst)).isEqualTo(status);
    }

    private static String agentText(String... arguments) {
        AgentOptions options = new AgentOptions();
        new CommandLine(options).setCaseInsensitiveEnumValuesAllowed(true).parseArgs(arguments);
        return options.text();
    }

    private int status(String words) {
        return command.run(words.isEmpty() ? new String[0] : words.split(" "));
    }
}
