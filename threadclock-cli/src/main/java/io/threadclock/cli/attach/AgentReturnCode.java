// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.Refusal;
import java.util.Arrays;
import java.util.Optional;

/** The codes that the agent returns when it is attached or detached; docs/agent.md has the same table. */
enum AgentReturnCode {
    DONE(0, "done", ""),
    UNKNOWN_OPTION(100, "it does not know an option", "Use the library and the command of one version."),
    OTHER_COPY(
            101,
            "another copy of the library has this JVM",
            "Detach it first, by threadclock detach; the JVM's own line names its version."),
    SOURCE_REFUSED(
            102, "the source asked for is refused there", "Use --source=auto; the JVM's own line has the reason."),
    NOT_HOTSPOT(
            103,
            "the JVM has no native methods of the known names",
            "Run the program on a JDK with HotSpot, 8 or newer."),
    REGISTRATION_REFUSED(
            104,
            "the JVM refused to register the native methods, and has its own again",
            "Report the JVM's version and its own line."),
    NOT_ATTACHED(105, "threadclock is not attached to it", "There is nothing to detach."),
    FAILED(106, "the agent failed", "The JVM's own line has the reason."),
    VIEW_REFUSED(
            107,
            "it cannot show its threads",
            "The JVM's own line has the reason; or use --no-attach, which reads from outside."),
    VIEW_WITHOUT_TMP(2_107, "it cannot show its threads, because it sees no /tmp or no /proc", AgentReturnCode.OUTSIDE),
    VIEW_UNWRITABLE(13_107, "it cannot show its threads, because it cannot write to its /tmp", AgentReturnCode.OUTSIDE),
    VIEW_WITHOUT_DESCRIPTOR(
            24_107, "it cannot show its threads, because it has too many open files", AgentReturnCode.OUTSIDE),
    VIEW_NAME_TAKEN(
            98_107,
            "it cannot show its threads, because the name of its socket is taken",
            "If nobody needs that file, .threadclock_PID in its /tmp, remove it; or use --no-attach, which reads from outside."),
    VIRTUAL_REFUSED(
            108,
            "it cannot account virtual threads",
            "The JVM's own line has the reason; or attach without --virtual."),
    OTHER(
            -1,
            "it returned a number that this version does not know",
            "Use the library and the command of one version.");

    private static final String OUTSIDE = "Use --no-attach, which reads from outside.";
    /** Codes above have the errno of Linux that is the reason. */
    private static final int PER_ERRNO = 1000;

    private final int code;
    private final String answer;
    private final String remedy;

    AgentReturnCode(int code, String answer, String remedy) {
        this.code = code;
        this.answer = answer;
        this.remedy = remedy;
    }

    static AgentReturnCode of(int code) {
        return Arrays.stream(values())
                .filter(known -> known.code == code)
                .findFirst()
                .orElseGet(() -> code < PER_ERRNO ? OTHER : of(code % PER_ERRNO));
    }

    /** Empty if it has succeeded. */
    Optional<Refusal> refusal(String tried) {
        if (this == DONE) {
            return Optional.empty();
        }
        return Optional.of(new Refusal(tried, answer, remedy));
    }
}
