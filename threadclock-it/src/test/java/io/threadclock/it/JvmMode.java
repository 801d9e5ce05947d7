// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.ReadingsProbe;

/** Options that not every JDK has. */
final class JvmMode {
    private JvmMode() {}

    /** The test is skipped where the stock JDK does not start with these options. */
    static void assumeThat(Jdk jdk, String... options) {
        Program stock = Program.stock(jdk, ReadingsProbe.class, "1", "10").jvmOption(options);
        assumeTrue(stock.outcome().exitStatus() == 0, jdk + " has no " + String.join(" ", options));
    }
}
