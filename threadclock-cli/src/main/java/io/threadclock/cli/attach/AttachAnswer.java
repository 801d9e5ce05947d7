// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import java.util.Arrays;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * The result of asking a JVM to load the agent.
 *
 * @param code the agent's return code, 0 for success
 * @param text the JVM's answer, or the reason why it could not be asked
 * @param jvm the JVM's version and name, empty if it was not reached
 * @param elapsedMs from the first question to the last answer
 */
public record AttachAnswer(Kind kind, int code, String text, String jvm, long elapsedMs) {
    enum Kind {
        /** The agent ran. */
        RETURNED,
        /** The JVM did not run it. */
        NOT_LOADED,
        /** The JVM does not allow attaching. */
        NOT_ATTACHED,
        /** The JVM could not be reached in time, and was not asked for anything. */
        SILENT,
        /** The JVM was asked, and did not answer in time. It does what it was asked for when it goes on. */
        UNANSWERED
    }

    private static final String SEPARATOR = "\t";
    private static final Pattern LINE =
            Pattern.compile(Arrays.stream(Kind.values()).map(Kind::name).collect(Collectors.joining("|", "(", ")"))
                    + "\t(-?\\d{1,10})\t(\\d{1,18})\t([^\t]*)\t([^\t]*)");

    private static final int LONGEST = 1000; // characters, because a JVM may answer anything

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

    /** The answer as one line, for another process. */
    String toLine() {
        return String.join(
                SEPARATOR, kind.name(), Integer.toString(code), Long.toString(elapsedMs), flat(jvm), flat(text));
    }

    /**
     * Parses a line that another process has written by {@link #toLine}. Empty if the Java runtime, or another program,
     * wrote it.
     */
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
