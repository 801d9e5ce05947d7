// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.VirtualThreadProbe;

class VirtualThreadsIT {
    @OnEachJdk
    void areAnsweredAsByTheStockJdk(Jdk jdk) {
        assertAsStock(jdk);
    }

    @OnEachJdkWithVirtualThreads
    void areAnsweredAsByTheStockJdkWhereTheyHaveAThreadOfTheKernelEach(Jdk jdk) {
        assertAsStock(jdk, "-XX:+UnlockExperimentalVMOptions", "-XX:-VMContinuations");
    }

    private static void assertAsStock(Jdk jdk, String... options) {
        Program program = Program.stock(jdk, VirtualThreadProbe.class).jvmOption(options);
        Facts stock = program.facts();
        assumeTrue(Boolean.parseBoolean(stock.text("available")), jdk + " has no virtual threads");
        assertThat(program.agent("").facts().byName())
                .as("answers to a virtual thread with the agent, against stock")
                .isEqualTo(stock.byName());
    }
}
