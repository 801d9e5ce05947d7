// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.it.probe.PlainProbe;

/** The JVM runs on as if the agent were not there: the law of every refusal. */
final class AsWithoutTheAgent {
    private AsWithoutTheAgent() {}

    /** Compares a PlainProbe, which also prints whose user time it reads, with the same on the stock JDK. */
    static void assertThatItIs(Program refused) {
        Outcome with = refused.outcome();
        Outcome without = Program.stock(refused.jdk(), PlainProbe.class).outcome();
        assertThat(with.exitStatus()).as("exit status").isEqualTo(PlainProbe.STATUS);
        assertThat(with.stdout()).as("standard output").isEqualTo(without.stdout());
        assertThat(with.otherLines()).as("standard error but the agent's lines").isEqualTo(without.otherLines());
    }
}
