// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import io.threadclock.it.probe.FallbackProbe;
import java.util.concurrent.TimeUnit;

/** A program that reads its threads where threadclock is not supported reads the JDK's own clock, and is told so once. */
class FallbackIT {
    private static final String OTHER_PROCESSOR = "-Dos.arch=s390x";

    /** Less than the 60 ms of its work, because the account by which it works is late by up to a clock tick. */
    private static final long LEAST_NS = TimeUnit.MILLISECONDS.toNanos(40);

    @OnEachJdk
    void readsTheJdksClockOnAnotherProcessor(Jdk jdk) {
        assertStandsIn(program(jdk).jvmOption(OTHER_PROCESSOR), "Linux on s390x");
    }

    @OnEachJdk
    void readsTheJdksClockOnAnotherSystem(Jdk jdk) {
        assertStandsIn(program(jdk, "Mac OS X"), "of Mac OS X on");
    }

    @OnEachJdk
    void readsTheJdksClockWithoutTheNativeLibrary(Jdk jdk) {
        assertStandsIn(program(jdk).jvmOption("-Dthreadclock.library=/nowhere/lib.so"), "/nowhere/lib.so");
    }

    private static void assertStandsIn(Program program, String reason) {
        Outcome outcome = program.outcome();
        Facts facts = outcome.facts(0);
        facts.check("supported", false, "isSupported()");
        facts.check("canRead", true, "canRead()");
        facts.check("watch.measured", true, "isMeasured() of a stopwatch");
        assertThat(facts.text("source")).isEqualTo("THREAD_MX_BEAN");
        assertThat(facts.text("split")).isEqualTo("THREAD_MX_BEAN");
        assertThat(facts.text("binding")).isEqualTo("NONE");
        assertThat(facts.text("explanation")).contains(reason, "ThreadMXBean instead", "-Dthreadclock.strict=true");
        assertThat(facts.number("watch")).as("CPU time of the work, ns").isGreaterThan(LEAST_NS);
        assertThat(facts.number("snapshot"))
                .as("CPU time of the thread in a snapshot, ns")
                .isGreaterThan(LEAST_NS);
        assertAddsUp(facts);
        assertThat(facts.number("breaches"))
                .as("readings that contradict the one before")
                .isZero();
        assertThat(outcome.otherLines().stream().filter(line -> line.contains("ThreadMXBean instead")))
                .as("lines of the log that tell it")
                .singleElement()
                .asString()
                .contains(reason);
    }

    @OnEachJdk
    void changesNothingElse(Jdk jdk) {
        Facts facts = program(jdk).jvmOption(OTHER_PROCESSOR).facts();
        facts.check("boost.done", false, "install()");
        facts.check("boost", false, "isInstalled()");
        facts.check("boost.undone", false, "uninstall()");
        assertThat(facts.number("resyncs"))
                .as("resyncs of a clock that is not there")
                .isZero();
        assertThat(facts.text("process")).isEqualTo("io.threadclock.ClockUnavailableException");
    }

    @OnEachJdk
    void measuresPartsOfAccounts(Jdk jdk) {
        Facts facts = program(jdk).jvmOption(OTHER_PROCESSOR).facts();
        assertThat(facts.number("account.unmeasured")).as("unmeasured parts").isZero();
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
        Facts facts = program(jdk).jvmOption(OTHER_PROCESSOR).facts();
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
        Facts facts = program(jdk).jvmOption(OTHER_PROCESSOR).facts();
        assertThat(facts.text("off")).as("instead of -1").contains("it answered -1", "setThreadCpuTimeEnabled(true)");
        assertThat(facts.number("off.watch")).as("of a stopwatch, ns").isEqualTo(-1);
    }

    @OnEachJdk
    void saysNothingWhereTheClockIsSupported(Jdk jdk) {
        Outcome outcome = program(jdk).outcome();
        Facts facts = outcome.facts(0);
        assertThat(facts.text("supported")).isEqualTo("true");
        assertThat(facts.text("source")).isNotEqualTo("THREAD_MX_BEAN");
        assertThat(outcome.otherLines()).as("lines of the log").noneMatch(line -> line.contains("ThreadMXBean"));
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

    private static Program program(Jdk jdk, String... arguments) {
        return Program.stock(jdk, FallbackProbe.class, arguments).nativeAccess();
    }
}
