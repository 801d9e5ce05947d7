// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.IncompatibleThreadStateException;
import com.sun.jdi.VMDisconnectedException;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.connect.ListeningConnector;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.event.ThreadStartEvent;
import com.sun.jdi.request.EventRequest;
import com.sun.jdi.request.ThreadStartRequest;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Waits for a JVM, and then suspends each virtual thread when it starts, reads its stack and resumes it, and does so
 * with all threads at once now and then, until the JVM ends.
 */
final class Debugger implements AutoCloseable {
    private static final int PATIENCE_MS = 60_000;

    /** With each so many threads that start, all others are suspended too. */
    private static final int EACH = 20;

    private final ListeningConnector connector = Bootstrap.virtualMachineManager().listeningConnectors().stream()
            .filter(listening -> listening.transport().name().equals("dt_socket"))
            .findFirst()
            .orElseThrow();

    private final Map<String, Connector.Argument> arguments = connector.defaultArguments();
    private final String address;
    private final Thread thread = new Thread(this::debug, "debugger");
    private final AtomicInteger suspensions = new AtomicInteger();
    private volatile Exception failure;

    Debugger() throws Exception {
        arguments.get("localAddress").setValue("127.0.0.1");
        arguments.get("timeout").setValue(Integer.toString(PATIENCE_MS));
        address = connector.startListening(arguments);
        thread.setDaemon(true);
        thread.start();
    }

    /** With this option, a JVM connects itself to the debugger, and begins when that has said what it waits for. */
    String jvmOption() {
        return "-agentlib:jdwp=transport=dt_socket,server=n,suspend=y,address=" + address;
    }

    /** How many suspensions of single virtual threads there were; known once the JVM has ended. */
    int suspensions() throws Exception {
        thread.join();
        if (failure != null) {
            throw failure;
        }
        return suspensions.get();
    }

    private void debug() {
        try {
            VirtualMachine jvm = connector.accept(arguments);
            ThreadStartRequest starts = jvm.eventRequestManager().createThreadStartRequest();
            starts.setSuspendPolicy(EventRequest.SUSPEND_EVENT_THREAD);
            starts.enable();
            try {
                while (true) {
                    EventSet events = jvm.eventQueue().remove();
                    for (Event event : events) {
                        look(event);
                    }
                    events.resume();
                }
            } catch (VMDisconnectedException ended) {
                return;
            }
        } catch (Exception failed) {
            failure = failed;
        }
    }

    private void look(Event event) throws IncompatibleThreadStateException {
        if (!(event instanceof ThreadStartEvent start)
                || !start.thread().referenceType().name().equals("java.lang.VirtualThread")) {
            return;
        }
        start.thread().frames();
        if (suspensions.incrementAndGet() % EACH == 0) {
            event.virtualMachine().suspend(); // the others are anywhere
            event.virtualMachine().resume();
        }
    }

    @Override
    public void close() throws IOException, com.sun.jdi.connect.IllegalConnectorArgumentsException {
        connector.stopListening(arguments);
    }
}
