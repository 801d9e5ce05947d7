// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;
import io.threadclock.ThreadMXBeanBoost;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Installs the boost and takes it back, twice each, and prints at each step whether ThreadMXBean reads the library's
 * clock: if it does, each of its times lies between two readings of the library. Afterwards the agent may be attached
 * at the gate "begin", and detached at "middle".
 *
 * <p>Argument: readings at each step; with a second one the boost is installed then.
 */
public final class BoostProbe {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int readings;

    private BoostProbe(int readings) {
        this.readings = readings;
    }

    public static void main(String[] arguments) throws IOException {
        BoostProbe probe = new BoostProbe(Integer.parseInt(arguments[0]));
        probe.print("before");
        Fact.print("install", ThreadMXBeanBoost.install());
        Fact.print("installAgain", ThreadMXBeanBoost.install());
        probe.print("installed");
        Fact.print("uninstall", ThreadMXBeanBoost.uninstall());
        Fact.print("uninstallAgain", ThreadMXBeanBoost.uninstall());
        probe.print("uninstalled");
        if (arguments.length > 1) {
            ThreadMXBeanBoost.install();
            probe.print("beforeAttaching");
        }
        Gate.await("begin");
        Fact.print("attached.uninstall", ThreadMXBeanBoost.uninstall());
        probe.print("attached");
        Gate.await("middle");
        probe.print("detached");
    }

    private void print(String step) {
        Fact.print(step + ".isInstalled", ThreadMXBeanBoost.isInstalled());
        Fact.print(step + ".otherClock", readingsOfAnotherClock());
    }

    private int readingsOfAnotherClock() {
        int others = 0;
        for (int i = 0; i < readings; i++) {
            long beforeNs = ThreadClock.userTimeNs();
            long userNs = THREADS.getCurrentThreadUserTime();
            if (userNs < beforeNs || userNs > ThreadClock.userTimeNs()) {
                others++;
            }
        }
        return others;
    }
}
