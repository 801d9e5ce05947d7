// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.SwitchedOffProbe;

class SwitchedOffIT {
    @OnEachJdk
    void userTimeIsMinusOneWhileDisabled(Jdk jdk) {
        String disabled = withAgent(jdk).text("disabled.user");
        assertThat(disabled).as("user time while thread CPU time is disabled").isEqualTo("-1");
    }

    @OnEachJdk
    void cpuTimeIsMinusOneWhileDisabled(Jdk jdk) {
        String disabled = withAgent(jdk).text("disabled.cpu");
        assertThat(disabled).as("CPU time while thread CPU time is disabled").isEqualTo("-1");
    }

    @OnEachJdk
    void timesAreBackOnceEnabledAgain(Jdk jdk) {
        Facts facts = withAgent(jdk);
        assertThat(facts.text("again.user"))
                .as("user time after it was enabled again")
                .isEqualTo("time");
        assertThat(facts.text("again.cpu"))
                .as("CPU time after it was enabled again")
                .isEqualTo("time");
    }

    @OnEachJdk
    void allIsAsOnTheStockJdk(Jdk jdk) {
        Facts stock = Program.stock(jdk, SwitchedOffProbe.class).facts();
        assertThat(withAgent(jdk).byName())
                .as("answers with the agent, against stock")
                .isEqualTo(stock.byName());
    }

    private static Facts withAgent(Jdk jdk) {
        return Program.withAgent(jdk, SwitchedOffProbe.class).facts();
    }
}
