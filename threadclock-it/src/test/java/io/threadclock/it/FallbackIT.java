// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.FallbackProbe;
import java.util.concurrent.TimeUnit;

/** A program opts into the stock ThreadMXBean for where threadclock is not supported. */
class FallbackIT {
    private static final String NOT_SUPPORTED = "-Dos.arch=s390x";

    /** Less than the 60 ms of its work, because the account by which it works is late by up to a clock tick. */
    private static final long LEAST_NS = TimeUnit.MILLISECONDS.toNanos(40);

    @OnEachJdk
    void readsThatInstead(Jdk jdk) {
        Facts facts = program(jdk).jvmOption(NOT_SUPPORTED).facts();
        assertThat(facts.text("supported")).isEqualTo("false");
        assertThat(facts.text("source")).isEqualTo("THREAD_MX_BEAN");
        assertThat(facts.text("split")).isEqualTo("THREAD_MX_BEAN");
        assertThat(facts.number("watch")).as("CPU time of the work, ns").isGreaterThan(LEAST_NS);
        assertThat(facts.number("snapshot"))
                .as("CPU time of the thread in a snapshot, ns")
                .isGreaterThan(LEAST_NS);
        assertAddsUp(facts);
    }

    @OnEachJdk
    void refusesUntilItIsAskedTo(Jdk jdk) {
        Facts facts = program(jdk).jvmOption(NOT_SUPPORTED).facts();
        assertThat(facts.text("before.cpu")).isEqualTo("io.threadclock.ClockUnavailableException");
        assertThat(facts.text("before.snapshot")).isEqualTo("io.threadclock.ClockUnavailableException");
    }

    @OnEachJdk
    void measuresPartsOfAccountsFromThenOn(Jdk jdk) {
        Facts facts = program(jdk).jvmOption(NOT_SUPPORTED).facts();
        assertThat(facts.number("before.unmeasured"))
                .as("unmeasured parts, before")
                .isEqualTo(1);
        assertThat(facts.number("account.unmeasured"))
                .as("unmeasured parts, then")
                .isZero();
        assertThat(facts.number("account.live"))
                .as("CPU time of the work, in its part, ns")
                .isGreaterThan(LEAST_NS);
        assertThat(facts.number("account"))
                .as("at its end")
                .isEqualTo(facts.number("account.parts"))
                .isGreaterThanOrEqualTo(facts.number("account.live"));
    }

    @OnEachJdk
    void knowsNoWaits(Jdk jdk) {
        Facts facts = program(jdk).jvmOption(NOT_SUPPORTED).facts();
        assertThat(facts.number("account.runDelay"))
                .as("run delay of an account")
                .isEqualTo(-1);
        assertThat(facts.number("account.notRunning"))
                .as("its time not running")
                .isEqualTo(-1);
        assertThat(facts.text("waits"))
                .isEqualTo("run delay unknown, switches unknown voluntary + unknown involuntary");
    }

    @OnEachJdk
    void refusesWhereThreadCpuTimeIsSwitchedOff(Jdk jdk) {
        assertThat(program(jdk).jvmOption(NOT_SUPPORTED).facts().text("off"))
                .as("instead of -1")
                .contains("it answered -1", "setThreadCpuTimeEnabled(true)");
    }

    @OnEachJdk
    void changesNothingWhereTheClockIsSupported(Jdk jdk) {
        Facts facts = program(jdk).facts();
        assertThat(facts.text("supported")).isEqualTo("true");
        assertThat(facts.text("source")).isNotEqualTo("THREAD_MX_BEAN");
        assertAddsUp(facts);
    }

    private static void assertAddsUp(Facts facts) {
        assertThat(facts.number("watch")).isEqualTo(facts.number("watch.parts"));
        assertThat(facts.number("holder.rest"))
                .as("CPU - user - system time, in a holder")
                .isZero();
        assertThat(facts.number("value.rest")).as("the same in a value").isZero();
        assertThat(facts.text("user")).isEqualTo("time");
        assertThat(facts.text("system")).isEqualTo("time");
    }

    private static Program program(Jdk jdk) {
        return Program.stock(jdk, FallbackProbe.class).nativeAccess();
    }
}
