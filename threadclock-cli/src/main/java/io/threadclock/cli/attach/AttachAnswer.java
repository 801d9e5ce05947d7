// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import java.util.Arrays;

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

    /** Whether another process has written this line by {@link #toLine}; the Java runtime may write others. */
    static boolean isLine(String line) {
        return Arrays.stream(Kind.values()).anyMatch(kind -> line.startsWith(kind.name() + SEPARATOR));
    }

    /** Back from a line. */
    static AttachAnswer ofLine(String line) {
        String[] fields = line.split(SEPARATOR, -1);
        return new AttachAnswer(
                Kind.valueOf(fields[0]),
                Integer.parseInt(fields[1]),
                fields[4],
                fields[3],
                Long.parseLong(fields[2]));
    }

    private static String flat(String text) {
        return text.replaceAll("\\s+", " ").strip();
    }
}
