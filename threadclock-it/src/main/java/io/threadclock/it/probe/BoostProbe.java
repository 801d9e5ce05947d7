// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;
import io.threadclock.ThreadMXBeanBoost;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Installs the boost and takes it back, twice each, and tells at each step whether ThreadMXBean reads the library's clock:
 * then each of its figures lies between two readings of the library.
 *
 * <p>Argument: readings at each step.
 */
public final class BoostProbe {
    private static final ThreadMXBean THREADS = ManagementFactory.getThreadMXBean();

    private final int readings;

    private BoostProbe(int readings) {
        this.readings = readings;
    }

    public static void main(String[] arguments) {
        BoostProbe probe = new BoostProbe(Integer.parseInt(arguments[0]));
        probe.print("before");
        Fact.print("install", ThreadMXBeanBoost.install());
        Fact.print("installAgain", ThreadMXBeanBoost.install());
        probe.print("installed");
        Fact.print("uninstall", ThreadMXBeanBoost.uninstall());
        Fact.print("uninstallAgain", ThreadMXBeanBoost.uninstall());
        probe.print("uninstalled");
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
