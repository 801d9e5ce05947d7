// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/** Prints the calling thread's readings while thread CPU time is enabled, disabled, and enabled again. */
public final class SwitchedOffProbe {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private SwitchedOffProbe() {}

    public static void main(String[] arguments) {
        Fact.print("currentThread.supported", THREADS.isCurrentThreadCpuTimeSupported());
        Fact.print("anyThread.supported", THREADS.isThreadCpuTimeSupported());
        print("first");
        THREADS.setThreadCpuTimeEnabled(false);
        print("disabled");
        THREADS.setThreadCpuTimeEnabled(true);
        print("again");
    }

    private static void print(String state) {
        Fact.print(state + ".enabled", THREADS.isThreadCpuTimeEnabled());
        Fact.print(state + ".user", Fact.kind(THREADS::getCurrentThreadUserTime));
        Fact.print(state + ".cpu", Fact.kind(THREADS::getCurrentThreadCpuTime));
    }
}
