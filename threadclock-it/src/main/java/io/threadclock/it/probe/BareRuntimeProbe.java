// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import io.threadclock.ThreadClock;
import io.threadclock.ThreadMXBeanBoost;
import io.threadclock.ThreadsSnapshot;

/** The library in a runtime that may lack java.management. */
public final class BareRuntimeProbe {
    private BareRuntimeProbe() {}

    public static void main(String[] arguments) {
        Fact.print("cpu", Fact.kind(ThreadClock::cpuTimeNs));
        Fact.print("threads", ThreadsSnapshot.take().threads().size());
        try {
            Fact.print("install", ThreadMXBeanBoost.install());
        } catch (IllegalStateException refused) {
            Fact.print("install", refused.getMessage());
        }
        Fact.print("isInstalled", ThreadMXBeanBoost.isInstalled());
    }
}
