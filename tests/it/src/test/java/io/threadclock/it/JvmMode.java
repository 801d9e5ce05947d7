// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.PlainProbe;

/** Options that not every JDK has. */
final class JvmMode {
    private JvmMode() {}

    /** The test is skipped where the stock JDK does not start with these options. */
    static void assumeThat(Jdk jdk, String... options) {
        Program stock = Program.stock(jdk, PlainProbe.class).jvmOption(options);
        assumeTrue(stock.outcome().exitStatus() == PlainProbe.STATUS, jdk + " has no " + String.join(" ", options));
    }

    /** The program passes in this mode, if its JDK has it. */
    static void assertPasses(Program program, String mode) {
        String[] options = mode.split(" ");
        Program inMode = program.jvmOption(options);
        if (inMode.outcome().exitStatus() != 0) {
            assumeThat(program.jdk(), options);
        }
        inMode.passes();
    }
}
