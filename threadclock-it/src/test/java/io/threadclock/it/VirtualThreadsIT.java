// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.VirtualThreadProbe;

class VirtualThreadsIT {
    @OnEachJdk
    void areAnsweredAsByTheStockJdk(Jdk jdk) {
        Facts stock = Program.stock(jdk, VirtualThreadProbe.class).facts();
        assumeTrue(Boolean.parseBoolean(stock.text("available")), jdk + " has no virtual threads");
        Facts agent = Program.withAgent(jdk, VirtualThreadProbe.class).facts();
        assertThat(agent.byName())
                .as("answers to a virtual thread with the agent, against stock")
                .isEqualTo(stock.byName());
    }
}
