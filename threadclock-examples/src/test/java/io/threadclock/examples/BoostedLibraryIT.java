// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import java.util.List;
import org.junit.jupiter.api.Tag;

class BoostedLibraryIT {
    /**
     * The least gain of a call that makes two readings. On Java 26 and newer both are system calls; before, one reads
     * /proc.
     */
    private static final int LEAST_RATIO = 2;

    @OnOldestAndNewestJdk
    void tellsWhatACallCostsBeforeTheBoostWithItAndAfter(Jdk jdk) {
        assertThat(List.of(
                        nsPerCall(jdk, "as the JDK has it"),
                        nsPerCall(jdk, "installed"),
                        nsPerCall(jdk, "uninstalled")))
                .as("ns of a call")
                .allMatch(ns -> ns > 0);
    }

    @OnOldestAndNewestJdk
    @Tag("timing")
    void isFasterWhileTheBoostIsInstalled(Jdk jdk) {
        long boostedNs = nsPerCall(jdk, "installed");
        assertThat(nsPerCall(jdk, "as the JDK has it"))
                .as("a call before the boost, against %s ns with it", boostedNs)
                .isGreaterThan(LEAST_RATIO * boostedNs);
        assertThat(nsPerCall(jdk, "uninstalled"))
                .as("a call after the boost, against %s ns with it", boostedNs)
                .isGreaterThan(LEAST_RATIO * boostedNs);
    }

    private static long nsPerCall(Jdk jdk, String state) {
        return Printed.ns(Printed.by(BoostedLibrary.class, jdk).line("CpuTimer.elapsedTime(), " + state))
                .get(0);
    }
}
