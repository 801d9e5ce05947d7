// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadMXBeanBoost;

/**
 * Installs the boost at a probe's gates, instead of attaching there. The property names the gates: at the first
 * ThreadMXBean is made fast, at the second it gets the JDK's methods back, and at "churning" both happen again and
 * again.
 */
final class Boost {
    private static final String GATES = System.getProperty("threadclock.it.boost", "");
    private static final String CHURNING = "churning";
    private static final int ROUNDS = 2000;

    private Boost() {}

    static boolean churns() {
        return GATES.contains(CHURNING);
    }

    static void at(String gate) {
        if (!GATES.contains(gate)) {
            return;
        }
        if (gate.equals(CHURNING)) {
            toggle();
        } else if (GATES.startsWith(gate)) {
            expect(ThreadMXBeanBoost.install(), "installing");
        } else {
            expect(ThreadMXBeanBoost.uninstall(), "uninstalling");
        }
    }

    private static void toggle() {
        for (int i = 0; i < ROUNDS; i++) {
            expect(ThreadMXBeanBoost.install(), "installing");
            expect(ThreadMXBeanBoost.uninstall(), "uninstalling");
        }
    }

    private static void expect(boolean done, String what) {
        if (!done) {
            throw new IllegalStateException(what + " the boost: it answered false");
        }
    }
}
