// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import io.threadclock.harness.ChildJvm;
import java.io.IOException;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The agent in a running JVM, through the JDK's own attach API. Keeps that JVM's socket open. */
final class LateAgent implements AutoCloseable {
    /** The form in which clients of newer JDKs report the answer of JDK 8, which passes on the agent's message. */
    private static final Pattern ANSWER = Pattern.compile("(?:Failed to load agent library: )?(\\d+)");

    private final VirtualMachine machine;
    private final Path library;

    private LateAgent(VirtualMachine machine, Path library) {
        this.machine = machine;
        this.library = library;
    }

    static {
        System.setProperty("sun.tools.attach.attachTimeout", Long.toString(WaitingJvm.WATCHDOG.toMillis()));
    }

    static LateAgent in(ChildJvm child) {
        return in(Long.toString(pidOfJvm(child)));
    }

    static LateAgent in(String pid) {
        return in(pid, Program.LIBRARY.path());
    }

    static LateAgent in(String pid, Path library) {
        try {
            return new LateAgent(VirtualMachine.attach(pid), library);
        } catch (AttachNotSupportedException | IOException refused) {
            throw new AssertionError("attaching to JVM " + pid + " failed: " + refused, refused);
        }
    }

    /** A program that makes a pid namespace cannot become the JVM, and must start it. */
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
        int answer = ask(options);
        assertThat(answer)
                .as("what the agent answers the options \"%s\"", options)
                .isZero();
    }

    /** Returns the agent's code, which is 0 for success. */
    int ask(String options) {
        try {
            machine.loadAgentPath(library.toString(), options);
            return 0;
        } catch (AgentInitializationException refused) {
            return refused.returnValue();
        } catch (AgentLoadException answered) {
            Matcher answer = ANSWER.matcher(answered.getMessage());
            if (!answer.matches()) {
                throw failure(answered);
            }
            return Integer.parseInt(answer.group(1));
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
