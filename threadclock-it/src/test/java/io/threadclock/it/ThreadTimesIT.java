// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.SleepProbe;
import io.threadclock.it.probe.SpinProbe;
import io.threadclock.it.probe.SystemCallProbe;
import org.junit.jupiter.api.Tag;

/** On real time, because they compare with the kernel; the bounds are wide enough for a busy machine. */
@Tag("timing")
class ThreadTimesIT {
    private static final String READ_GIB = "4";
    private static final String SLEEP_MS = "50";
    /** A thread's own reading may be ahead of the kernel's by so much. */
    private static final long WINDOW_NS = 5_000_000;

    private static final long SLEEP_COST_NS = 2_000_000;

    @OnEachJdk
    void nearlyAllOfASpinIsUserTime(Jdk jdk) {
        Facts spin = spin(jdk);
        double share = (double) spin.number("user") / spin.number("cpu");
        assertThat(share)
                .as("user time / CPU time of a spin: %s ns / %s ns", spin.text("user"), spin.text("cpu"))
                .isBetween(SourcesIT.leastUserShare(spin), 1.0);
    }

    @OnEachJdk
    void mostOfTheTimeInSystemCallsIsNoUserTime(Jdk jdk) {
        Facts calls = Program.withAgent(jdk, SystemCallProbe.class, READ_GIB).facts();
        double share = (double) calls.number("user") / calls.number("cpu");
        assertThat(share)
                .as("user time / CPU time of large reads: %s ns / %s ns", calls.text("user"), calls.text("cpu"))
                .isBetween(0.0, 0.5);
    }

    @OnEachJdk
    void cpuTimeIsTheKernels(Jdk jdk) {
        Facts spin = spin(jdk);
        assertThat(spin.number("cpu"))
                .as("CPU time of a spin by its own thread, against by id from another inside of that and around it, ns")
                .isBetween(spin.number("cpuByIdInside") - WINDOW_NS, spin.number("cpuByIdAround") + WINDOW_NS);
    }

    @OnEachJdk
    void aSleepAddsNextToNothing(Jdk jdk) {
        long addedNs =
                Program.withAgent(jdk, SleepProbe.class, SLEEP_MS).facts().number("medianAdded");
        assertThat(addedNs)
                .as("CPU time added by a sleep of %s ms, ns", SLEEP_MS)
                .isBetween(0L, SLEEP_COST_NS);
    }

    private static Facts spin(Jdk jdk) {
        return Program.withAgent(jdk, SpinProbe.class, SourcesIT.LONG_SPIN_MS).facts();
    }
}
