// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.ChurnProbe;

/** The agent is attached and detached 2000 times while threads start, end and ask for times without pause. */
class AttachStressIT {
    @OnEachJdk
    void throwsNothingAndTellsNoLies(Jdk jdk) {
        Program churn = Program.stock(jdk, ChurnProbe.class, "0").present(Presence.TOGGLED);
        Strikes.assertThatAllToldTheTruth(churn.facts());
    }
}
