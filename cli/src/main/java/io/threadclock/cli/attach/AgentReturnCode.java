// SPDX-License-Identifier: Apache-2.0
package io.threadclock.cli.attach;

import io.threadclock.cli.process.Refusal;
import java.util.Arrays;
import java.util.Map;
import java.util.Optional;

/**
 * The codes that the agent returns when it is attached or detached; docs/agent.md has the same table. To one of them it
 * adds an errno.
 */
enum AgentReturnCode {
    DONE(0, "done", ""),
    UNKNOWN_OPTION(100, "it does not know an option", "Use the library and the command of one version."),
    OTHER_COPY(
            101,
            "another copy of the library has this JVM",
            "Detach it first, by threadclock detach; the JVM's own line names its version."),
    SOURCE_REFUSED(
            102,
            "the source or split asked for is refused there",
            "The JVM's own line has the reason, and what to give instead."),
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
    VIRTUAL_REFUSED(
            108,
            "it cannot measure virtual threads",
            "The JVM's own line has the reason; or attach without --virtual."),
    NO_MEMORY(
            109,
            "there is no memory that is wiped on fork there, and the JVM's own times are better without",
            "Use Linux 4.14 or newer, and no sandbox without madvise(MADV_WIPEONFORK); leave address space (ulimit -v)."),
    JDK_AWAY(
            110,
            "its JDK is not where it was, or another one is there",
            "Try again when that JDK is back, or the JVM has been restarted."),
    OTHER(
            -1,
            "it returned a number that this version does not know",
            "Use the library and the command of one version.");

    private static final int PER_ERRNO = 1000;
    /** The reasons of a refused view by errno, with the numbers of x86_64 and aarch64. */
    private static final Map<Integer, String> VIEW_REASONS = Map.of(
            2, "it sees no /tmp or no /proc (ENOENT)",
            11, "it may start no thread (EAGAIN)",
            12, "it has no memory left (ENOMEM)",
            13, "it may not make a file in its /tmp (EACCES)",
            16, "its last view is still ending (EBUSY)",
            23, "its machine has too many open files (ENFILE)",
            24, "it has too many open files (EMFILE)",
            28, "its /tmp is full (ENOSPC)",
            30, "its /tmp is read-only (EROFS)",
            98, "something else has its socket's name in /tmp (EADDRINUSE)");

    private final int code;
    private final String answer;
    private final String remedy;

    AgentReturnCode(int code, String answer, String remedy) {
        this.code = code;
        this.answer = answer;
        this.remedy = remedy;
    }

    /** Empty if it has succeeded. */
    static Optional<Refusal> refusal(String tried, int code) {
        int errno = code / PER_ERRNO;
        if (errno > 0 && code % PER_ERRNO == VIEW_REFUSED.code) {
            String reason = VIEW_REASONS.getOrDefault(errno, "errno " + errno);
            return Optional.of(new Refusal(
                    tried,
                    VIEW_REFUSED.answer + ", because " + reason,
                    "Mend that, or use --no-attach, which reads from outside."));
        }
        AgentReturnCode known = Arrays.stream(values())
                .filter(one -> one.code == code)
                .findFirst()
                .orElse(OTHER);
        return known == DONE ? Optional.empty() : Optional.of(known.refusal(tried));
    }

    Refusal refusal(String tried) {
        return new Refusal(tried, answer, remedy);
    }
}
