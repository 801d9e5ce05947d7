// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;

/**
 * Attaches and detaches {@link #ROUNDS} times, through one connection: an attach of its own each time would be thirty
 * times as slow. In a process of its own, because JDK 25's attach API loses a file descriptor with each command.
 */
final class Toggles {
    /** Two descriptors each: fewer than any limit that is usual. */
    static final int ROUNDS = 250;

    private static final String HOME = "threadclock.home";

    private Toggles() {}

    static void run(long pid) {
        ChildResult result = ChildJvm.on(CommandLineTool.RUNTIME)
                .jvmOptions("-Xmx64m", "-XX:TieredStopAtLevel=1", "-D" + HOME + "=" + System.getProperty(HOME, ".."))
                .mainClass(Toggles.class)
                .arguments(Long.toString(pid))
                .run();
        assertThat(result.exitStatus()).as("attaching and detaching%n%s", result.stderr()).isZero();
    }

    public static void main(String[] arguments) {
        try (LateAgent agent = LateAgent.in(arguments[0])) {
            for (int i = 0; i < ROUNDS; i++) {
                agent.attach("");
                agent.detach();
            }
        }
    }
}
