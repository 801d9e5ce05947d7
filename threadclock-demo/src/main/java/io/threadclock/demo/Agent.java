// SPDX-License-Identifier: Apache-2.0
package io.threadclock.demo;

import io.threadclock.harness.Jdk;
import io.threadclock.harness.SetupException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** The native library as an agent of a child JVM. */
record Agent(Path library) {
    private static final String LIBRARY_VARIABLE = "THREADCLOCK_LIBRARY";
    private static final String LINE_PREFIX = "threadclock: ";
    /** A source that is given up while it runs: the agent goes on with the next one, and so does the demo. */
    private static final String DEMOTION = "is not used any more";

    /**
     * The library that the launcher has built.
     *
     * @throws SetupException if there is none
     */
    static Agent of(Map<String, String> environment) {
        String library = environment.getOrDefault(LIBRARY_VARIABLE, "");
        if (library.isBlank()) {
            throw new SetupException("Looking for libthreadclock.so: " + LIBRARY_VARIABLE + " is not set. "
                    + "Start the demo by ./threadclock demo, which builds the library and sets it.");
        }
        Path path = Path.of(library).toAbsolutePath();
        if (!Files.isReadable(path)) {
            throw new SetupException("Looking for libthreadclock.so: " + LIBRARY_VARIABLE + "=" + library
                    + " is no readable file. Build it by ./threadclock build.");
        }
        return new Agent(path);
    }

    /** The JVM option that loads it, with the given agent options. */
    String jvmOption(String options) {
        return "-agentpath:" + library + "=" + options;
    }

    /**
     * Looks at what a JVM with the agent has written, its statistics left aside.
     *
     * @throws SetupException if the agent has said that it does not work there
     */
    static void requireAccepted(List<String> stderrLines, Jdk jdk) {
        List<String> complaints =
                linesOf(stderrLines).stream().filter(line -> !line.contains(DEMOTION)).toList();
        if (!complaints.isEmpty()) {
            throw new SetupException("Loading the agent into " + jdk + ": it answered \"" + complaints.get(0)
                    + "\". Without it there is nothing to compare: do as the line says, then start the demo again.");
        }
    }

    /** Those of the lines that the agent has written. */
    static List<String> linesOf(List<String> stderrLines) {
        return stderrLines.stream().filter(line -> line.startsWith(LINE_PREFIX)).toList();
    }
}
