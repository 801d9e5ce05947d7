// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli;

import io.threadclock.cli.process.Bounds;
import io.threadclock.cli.process.Refusal;
import java.util.List;
import java.util.regex.Pattern;
import java.util.regex.PatternSyntaxException;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** A regular expression that is looked for in words of other programs, which may be made to keep it busy for ever. */
record WordPattern(Pattern pattern) {
    /** Some 0.1 s. */
    private static final int MOST_READS = 10_000_000;

    /**
     * Whether it is found in the words, as one text with a space between each two.
     *
     * @throws Refusal if finding that out takes too long
     */
    boolean isIn(List<String> words) {
        String text = String.join(" ", words);
        int length = Math.min(text.length(), Bounds.COMMAND_CHARACTERS);
        return pattern.matcher(new Counted(text.substring(0, length), new int[1]))
                .find();
    }

    private record Counted(String text, int[] reads) implements CharSequence {
        @Override
        public char charAt(int index) {
            if (++reads[0] > MOST_READS) {
                throw new Refusal(
                        "looking for a regular expression in a command line",
                        "it takes too long, and the JVM is left out",
                        "Write it without repetitions of what repeats itself.");
            }
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int begin, int end) {
            return text.substring(begin, end);
        }
    }

    static final class Converter implements ITypeConverter<WordPattern> {
        @Override
        public WordPattern convert(String text) {
            try {
                return new WordPattern(Pattern.compile(text));
            } catch (PatternSyntaxException wrong) {
                throw new TypeConversionException("'" + text + "' is no regular expression: " + wrong.getDescription());
            }
        }
    }
}
