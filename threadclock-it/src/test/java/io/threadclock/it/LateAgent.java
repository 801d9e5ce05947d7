// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.threadclock.harness.ChildJvm;
import java.io.IOException;

/** The agent in a JVM that is running already, through the JDK's own attach API. Keeps that JVM's socket open. */
final class LateAgent implements AutoCloseable {
    /** How JDK 8, where the agent has said 0, is understood by the clients of newer JDKs. */
    private static final String DONE = "0|Failed to load agent library: 0";

    private final VirtualMachine machine;

    private LateAgent(VirtualMachine machine) {
        this.machine = machine;
    }

    static {
        System.setProperty("sun.tools.attach.attachTimeout", "120000"); // a busy machine takes longer than its 10 s
    }

    static LateAgent in(ChildJvm child) {
        return in(Long.toString(pidOfJvm(child)));
    }

    static LateAgent in(String pid) {
        try {
            return new LateAgent(VirtualMachine.attach(pid));
        } catch (AttachNotSupportedException | IOException refused) {
            throw new AssertionError("attaching to JVM " + pid + " failed: " + refused, refused);
        }
    }

    /** A program that makes a pid namespace cannot become the JVM: it has to start it. */
    static long pidOfJvm(ChildJvm child) {
        return ProcessHandle.of(child.pid())
                .flatMap(started -> started.children().findFirst())
                .map(ProcessHandle::pid)
                .orElse(child.pid());
    }

    void attach(String options) {
        load(options);
    }

    void detach() {
        load("detach");
    }

    private void load(String options) {
        try {
            machine.loadAgentPath(Program.LIBRARY.path().toString(), options);
        } catch (AgentInitializationException refused) {
            throw new AssertionError(
                    "the agent refused the options \"" + options + "\" with " + refused.returnValue(), refused);
        } catch (AgentLoadException answered) {
            if (!answered.getMessage().matches(DONE)) {
                throw failure(answered);
            }
        } catch (IOException failed) {
            throw failure(failed);
        }
    }

    private AssertionError failure(Exception failed) {
        return new AssertionError("loading the agent into JVM " + machine.id() + " failed: " + failed, failed);
    }

    @Override
    public void close() {
        try {
            machine.detach();
        } catch (IOException ended) {
            throw new AssertionError("JVM " + machine.id() + " is gone: " + ended, ended);
        }
    }
}
