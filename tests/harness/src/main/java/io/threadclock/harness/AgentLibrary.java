// SPDX-License-Identifier: Apache-2.0
package io.threadclock.harness;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/** libthreadclock.so as the launcher has built it: the native library and the agent. */
public record AgentLibrary(Path path) {
    private static final String VARIABLE = "THREADCLOCK_LIBRARY";
    private static final String PLACE = "native/build/libthreadclock.so";
    private static final String LINE_PREFIX = "threadclock: ";
    /** The agent prints this when it gives up a source at run time and goes on with the next one. */
    private static final String DEMOTION = "is not used any more";

    /**
     * The file that {@code THREADCLOCK_LIBRARY} names; if that is not set, the one in the checkout {@code home}.
     *
     * @throws SetupException if there is no such file
     */
    public static AgentLibrary in(Path home) {
        String named = System.getenv(VARIABLE);
        Path path = (named == null || named.isBlank() ? home.resolve(PLACE) : Path.of(named))
                .toAbsolutePath()
                .normalize();
        if (!Files.isReadable(path)) {
            throw new SetupException("Looking for libthreadclock.so: " + path + " is no readable file. "
                    + "Build it by ./threadclock build, or name it in " + VARIABLE + ".");
        }
        return new AgentLibrary(path);
    }

    /** The same file by its path without links, as /proc lists it. */
    public AgentLibrary real() {
        try {
            return new AgentLibrary(path.toRealPath());
        } catch (IOException vanished) {
            throw new SetupException("Looking for libthreadclock.so: " + vanished + ". Build it again.", vanished);
        }
    }

    /** The JVM option that loads it with the given agent options; an empty text means the defaults. */
    public String jvmOption(String options) {
        return "-agentpath:" + path + (options.isEmpty() ? "" : "=" + options);
    }

    /** The lines that the agent has written. */
    public static List<String> linesOf(List<String> stderrLines) {
        return stderrLines.stream().filter(line -> line.startsWith(LINE_PREFIX)).toList();
    }

    /**
     * The line in which the agent says that it leaves the JVM as it was, if there is one. Not for an agent that was
     * asked for its statistics, which are lines as well.
     */
    public static Optional<String> refusalIn(List<String> stderrLines) {
        return linesOf(stderrLines).stream()
                .filter(line -> !line.contains(DEMOTION))
                .findFirst();
    }
}
