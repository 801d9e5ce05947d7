// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import java.nio.file.Path;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Attaches and detaches {@link #ROUNDS} times, through one connection: an attach of its own each time would be thirty
 * times as slow. In a process of its own, because JDK 25's attach API loses a file descriptor with each command.
 */
final class Toggles {
    /** Two descriptors each: fewer than any limit that is usual. */
    static final int ROUNDS = 250;

    private static final String HOME = "threadclock.home";

    /** Another copy has the JVM; this one is not attached. */
    private static final Set<Integer> GIVES_WAY = Set.of(0, 101, 105);

    private Toggles() {}

    static void run(long pid, String options) {
        runIn(pid, options);
    }

    /** Does the same with a library that is not the program's, and must leave the JVM to that. */
    static void run(long pid, Path library) {
        runIn(pid, "", library.toString());
    }

    private static void runIn(long pid, String... arguments) {
        ChildResult result = ChildJvm.on(CommandLineTool.RUNTIME)
                .jvmOptions("-Xmx64m", "-XX:TieredStopAtLevel=1", "-D" + HOME + "=" + System.getProperty(HOME, ".."))
                .mainClass(Toggles.class)
                .arguments(Stream.concat(Stream.of(Long.toString(pid)), Stream.of(arguments))
                        .toArray(String[]::new))
                .run();
        assertThat(result.exitStatus())
                .as("attaching and detaching%n%s", result.stderr())
                .isZero();
    }

    public static void main(String[] arguments) {
        boolean givesWay = arguments.length > 2;
        Path library = givesWay ? Path.of(arguments[2]) : Program.LIBRARY.path();
        try (LateAgent agent = LateAgent.in(arguments[0], library)) {
            for (int i = 0; i < ROUNDS; i++) {
                ask(agent, arguments[1], givesWay);
                ask(agent, "detach", givesWay);
            }
        }
    }

    private static void ask(LateAgent agent, String options, boolean givesWay) {
        assertThat(agent.ask(options)).as("what it answers \"%s\"", options).isIn(givesWay ? GIVES_WAY : Set.of(0));
    }
}
