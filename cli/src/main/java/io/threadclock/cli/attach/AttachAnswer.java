// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.Bounds;

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

    public AttachAnswer {
        text = text.substring(0, Math.min(Bounds.ANSWER_CHARACTERS, text.length()));
        jvm = jvm.substring(0, Math.min(Bounds.ANSWER_CHARACTERS, jvm.length()));
    }

    static AttachAnswer silent() {
        return new AttachAnswer(Kind.SILENT, 0, "", "", 0);
    }

    static AttachAnswer unanswered(String jvm, long elapsedMs) {
        return new AttachAnswer(Kind.UNANSWERED, 0, "", jvm, elapsedMs);
    }
}
