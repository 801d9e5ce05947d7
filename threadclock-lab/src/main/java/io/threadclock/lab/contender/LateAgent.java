// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.contender;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.threadclock.harness.AgentLibrary;
import io.threadclock.harness.ChildJvm;
import io.threadclock.harness.ChildResult;
import io.threadclock.harness.Jdks;
import io.threadclock.harness.SetupException;
import java.io.IOException;

/** Puts the agent into a JVM that runs, by the JDK's own attach API or by threadclock's command. */
public record LateAgent(AgentLibrary agent) {
    private static final double NS_PER_MS = 1e6;

    /**
     * Returns how many ms it took after the JVM had accepted the client.
     *
     * @throws SetupException if the JVM or the agent refuses
     */
    public double attachTo(long pid) {
        String tried = "Attaching to JVM " + pid;
        try {
            return load(VirtualMachine.attach(Long.toString(pid)));
        } catch (AgentInitializationException refused) {
            throw new SetupException(tried + ": the agent returned " + refused.returnValue()
                    + ". docs/agent.md says what that means; then start the benchmark again.");
        } catch (AgentLoadException | AttachNotSupportedException | IOException refused) {
            throw new SetupException(
                    tried + " failed: " + refused.getMessage()
                            + ". Run the benchmark where a process may be attached to.",
                    refused);
        }
    }

    private double load(VirtualMachine jvm) throws AgentInitializationException, AgentLoadException, IOException {
        try {
            long beginNs = System.nanoTime();
            jvm.loadAgentPath(agent.path().toString(), "");
            return (System.nanoTime() - beginNs) / NS_PER_MS;
        } finally {
            jvm.detach();
        }
    }

    /** Runs {@code threadclock attach} or {@code detach} on a JVM, as the launcher starts it. */
    public ChildResult command(long pid, String... arguments) {
        return ChildJvm.on(Jdks.running())
                .jvmOptions("-XX:TieredStopAtLevel=1", "-XX:+UseSerialGC", "-XX:-UsePerfData", "-Xshare:auto")
                .environment("THREADCLOCK_LIBRARY", agent.path().toString())
                .mainClass("io.threadclock.cli.ThreadClockCommand")
                .arguments(arguments)
                .arguments(Long.toString(pid))
                .run();
    }
}
