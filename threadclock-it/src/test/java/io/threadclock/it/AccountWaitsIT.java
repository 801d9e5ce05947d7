// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.AccountWaitsProbe;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;

/** Accounts tell where the wall time of their parts went. */
class AccountWaitsIT {
    private static final long SLEEP_NS = TimeUnit.MILLISECONDS.toNanos(50);

    /** Three threads share a CPU, so one waits twice as long as it runs; but a machine may give it more than its share. */
    private static final int LEAST_PART = 4;

    @OnEachJdk
    void tellThatAThreadSlept(Jdk jdk) {
        Facts facts = factsOfKnownWaits(jdk);
        assertThat(facts.number("sleep.notRunning")).as("ns not running").isPositive();
        assertThat(facts.number("sleep.voluntary")).as("voluntary switches").isPositive();
        assertThat(facts.number("sleep.rest")).as("ns of no kind").isZero();
        assertThat(facts.number("busy.unknown")).as("parts of unknown waits").isZero();
        assertThat(facts.number("busy.rest"))
                .as("ns of no kind, of one that was busy")
                .isZero();
    }

    @OnEachJdk
    @Tag("timing")
    void tellHowLongAThreadSlept(Jdk jdk) {
        assertThat(factsOfKnownWaits(jdk).number("sleep.notRunning"))
                .as("ns not running, of which the thread slept 50 ms; it may have waited for a CPU after that")
                .isGreaterThanOrEqualTo(SLEEP_NS);
    }

    @OnEachJdk
    @Tag("timing")
    void tellThatAThreadWaitedForItsCpu(Jdk jdk) {
        Facts facts = factsOfKnownWaits(jdk);
        assertThat(facts.number("busy.runDelay"))
                .as("run delay, ns, of a thread that shares its CPU with two others")
                .isGreaterThan(facts.number("busy.cpu") / LEAST_PART);
        assertThat(facts.number("busy.involuntary")).as("involuntary switches").isPositive();
    }

    @OnEachJdk
    void tellWhatAPartHasAllocated(Jdk jdk) {
        assertThat(facts(jdk).number("allocating.bytes"))
                .as("bytes of a part that allocates an array of 1,000,000")
                .isBetween(1_000_000L, 2_000_000L);
    }

    @OnEachJdkWithVirtualThreads
    void knowNoWaitsOfVirtualThreads(Jdk jdk) {
        Facts facts = facts(jdk);
        assertThat(facts.number("virtual.runDelay")).as("run delay, ns").isEqualTo(-1);
        assertThat(facts.number("virtual.notRunning")).as("not running, ns").isEqualTo(-1);
        assertThat(facts.number("virtual.voluntary")).as("voluntary switches").isEqualTo(-1);
        assertThat(facts.number("virtual.unknown")).as("parts of unknown waits").isEqualTo(1);
    }

    private static Facts factsOfKnownWaits(Jdk jdk) {
        Facts facts = facts(jdk);
        assumeThat(facts.text("known"))
                .as("run delay is known: CONFIG_SCHED_INFO")
                .isEqualTo("true");
        return facts;
    }

    private static Facts facts(Jdk jdk) {
        return program(jdk).facts();
    }

    private static Program program(Jdk jdk) {
        return Program.stock(jdk, AccountWaitsProbe.class).nativeAccess();
    }
}
