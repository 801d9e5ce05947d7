// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Checks refusals, each of which must be a heading of docs/troubleshooting.md; {@code …} there stands for any text. */
public final class Documented {
    private static final Path PAGE = Path.of(System.getProperty("threadclock.home", ".."), "docs/troubleshooting.md");

    private Documented() {}

    public static Refusal refusal(ThrowingCallable code) {
        Refusal refusal = catchThrowableOfType(Refusal.class, code);
        assertThat(refusal).as("a refusal").isNotNull();
        return documented(refusal);
    }

    /** @param words of its message */
    public static void refused(ThrowingCallable code, String... words) {
        assertThat(refusal(code)).hasMessageContainingAll(words);
    }

    public static Refusal documented(Refusal refusal) {
        assertThat(refusal.getMessage()).as("one line").hasLineCount(1);
        assertThat(headings())
                .as("headings of %s, one of which is: %s", PAGE, refusal.answer())
                .anyMatch(heading -> pattern(heading).matcher(refusal.answer()).matches());
        return refusal;
    }

    private static Pattern pattern(String heading) {
        return Pattern.compile("\\Q" + heading.replace("…", "\\E.+\\Q") + "\\E");
    }

    private static List<String> headings() {
        try {
            return Files.readAllLines(PAGE).stream()
                    .filter(line -> line.startsWith("### "))
                    .map(line -> line.substring(4))
                    .toList();
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }
}
