// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * What came of asking a JVM to load the agent.
 *
 * @param code what the agent returned, 0 for success
 * @param text what the JVM said, or what kept it from being asked
 * @param jvm the JVM's version and name, empty if it was not reached
 * @param elapsedMs from the first question to the last answer
 */
public record AttachAnswer(Kind kind, int code, String text, String jvm, long elapsedMs) {
    enum Kind {
        /** The agent ran. */
        RETURNED,
        /** The JVM did not run it. */
        NOT_LOADED,
        /** The JVM let nobody attach. */
        NOT_ATTACHED,
        /** It could not be reached in time, and was asked for nothing. */
        SILENT,
        /** It was asked, and did not answer in time: it does what it was asked for when it goes on. */
        UNANSWERED
    }

    private static final String SEPARATOR = "\t";
    private static final Pattern LINE =
            Pattern.compile(Arrays.stream(Kind.values()).map(Kind::name).collect(Collectors.joining("|", "(", ")"))
                    + "\t(-?\\d{1,10})\t(\\d{1,18})\t([^\t]*)\t([^\t]*)");

    private static final int LONGEST = 1000; // characters: a JVM may answer anything

    public AttachAnswer {
        text = text.substring(0, Math.min(LONGEST, text.length()));
        jvm = jvm.substring(0, Math.min(LONGEST, jvm.length()));
    }

    static AttachAnswer silent() {
        return new AttachAnswer(Kind.SILENT, 0, "", "", 0);
    }

    static AttachAnswer unanswered(String jvm, long elapsedMs) {
        return new AttachAnswer(Kind.UNANSWERED, 0, "", jvm, elapsedMs);
    }

    /** One line, for another process. */
    String toLine() {
        return String.join(
                SEPARATOR, kind.name(), Integer.toString(code), Long.toString(elapsedMs), flat(jvm), flat(text));
    }

    /** Back from a line that another process has written by {@link #toLine}; empty: the Java runtime, or who else, wrote it. */
    static Optional<AttachAnswer> ofLine(String line) {
        Matcher fields = LINE.matcher(line);
        if (!fields.matches()) {
            return Optional.empty();
        }
        return Optional.of(new AttachAnswer(
                Kind.valueOf(fields.group(1)),
                (int) Long.parseLong(fields.group(2)),
                fields.group(5),
                fields.group(4),
                Long.parseLong(fields.group(3))));
    }

    private static String flat(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }
}
