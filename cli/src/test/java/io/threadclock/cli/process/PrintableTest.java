// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.StringWriter;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class PrintableTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "\u001b[2J",
                "\u009b2J",
                "a\rb",
                "a\nb",
                "a\tb",
                "a\u202eb",
                "a\u2028b",
                "a\u200bb",
                "a\ud800b",
                "\u0000"
            })
    void whatControlsATerminalIsAQuestionMark(String hostile) {
        assertThat(Printable.line(hostile)).contains("?").matches("[\\p{L}\\p{N}?\\[]+");
    }

    @Test
    void lettersOfAllLanguagesStay() {
        assertThat(Printable.line("Straße 東京 Ωmega-1 №")).isEqualTo("Straße 東京 Ωmega-1 №");
    }

    @Test
    void whatAJvmAnswersDoesNotControlTheTerminal() {
        assertThat(new Refusal("trying", "it says \u001b]0;x\u0007", "See \u009b31m.").getMessage())
                .isEqualTo("trying: it says ?]0;x?. See ?31m.");
    }

    @Test
    void whatProcessesCallThemselvesDoesNotEither() {
        JvmList.Entry entry =
                new JvmList.Entry(7, "ro\u001bot", List.of("java", "-Dx=\u009b1m", "Main\u001b[2J", "a\rb"));
        StringWriter printed = new StringWriter();
        Printer.of(printed).println(new JvmList(List.of(entry)).lines(80).get(0));
        assertThat(printed.toString()).doesNotContain("\u001b", "\u009b", "\r").contains("Main?[2J");
    }

    @Test
    void aLineFeedInATextMakesNoLine() {
        StringWriter printed = new StringWriter();
        Printer printer = Printer.of(printed);
        printer.println("a\nb");
        printer.printf("%s%c", "c\r\nd", '\n');
        printer.append("e\u001b").println(new char[] {'f', '\u009b'});
        assertThat(printed.toString().lines()).containsExactly("a?b", "c??d?e?f?");
    }

    @Test
    void librariesTakeTheSameWay() {
        StringWriter printed = new StringWriter();
        new IllegalStateException("evil\u001b[2J\u009bm")
                .printStackTrace(Printer.of(printed).asStream());
        assertThat(printed.toString())
                .startsWith("java.lang.IllegalStateException: evil?[2J?m\n    at io.threadclock.");
    }

    @Test
    void jsonHasEscapesInstead() {
        StringWriter printed = new StringWriter();
        Printer.of(printed).json("{\n  \"name\" : \"a\u009b\u202e\ud800\udb40\udc01\"\n}");
        assertThat(printed.toString()).isEqualTo("{\n  \"name\" : \"a\\u009b\\u202e\\ud800\\udb40\\udc01\"\n}\n");
    }
}
