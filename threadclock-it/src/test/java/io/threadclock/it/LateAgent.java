// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;

/** The agent in a JVM that is running already, through the JDK's own attach API. Keeps that JVM's socket open. */
final class LateAgent implements AutoCloseable {
    private final VirtualMachine machine;

    private LateAgent(VirtualMachine machine) {
        this.machine = machine;
    }

    static LateAgent in(long pid) {
        try {
            return new LateAgent(VirtualMachine.attach(Long.toString(pid)));
        } catch (AttachNotSupportedException | IOException refused) {
            throw new AssertionError("attaching to JVM " + pid + " failed: " + refused, refused);
        }
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
        } catch (AgentLoadException | IOException failed) {
            throw new AssertionError("loading the agent into JVM " + machine.id() + " failed: " + failed, failed);
        }
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
