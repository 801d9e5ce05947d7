// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.soak;

import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdks;
import java.util.ArrayList;
import java.util.List;

/** {@code threadclock attach} and {@code detach}, as the launcher starts them, on one JVM. */
final class AttachCommand {
    private static final String COMMAND = "io.threadclock.cli.ThreadClockCommand";

    private final AgentLibrary agent;
    private final long pid;

    AttachCommand(AgentLibrary agent, long pid) {
        this.agent = agent;
        this.pid = pid;
    }

    /** Returns what it said if it failed, or else an empty text. */
    String attach(List<String> options) {
        List<String> arguments = new ArrayList<>(List.of("attach"));
        arguments.addAll(options);
        return run(arguments);
    }

    String detach() {
        return run(List.of("detach"));
    }

    private String run(List<String> arguments) {
        ChildResult result = ChildJvm.on(Jdks.running())
                .jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto")
                .environment("THREADCLOCK_LIBRARY", agent.path().toString())
                .mainClass(COMMAND)
                .arguments(arguments.toArray(String[]::new))
                .arguments(Long.toString(pid))
                .run();
        String said = (result.stdout() + result.stderr()).strip();
        return result.exitStatus() == 0 ? "" : arguments + " ended with status " + result.exitStatus() + ": " + said;
    }
}
