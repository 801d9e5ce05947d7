// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it.probe;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.threadclock.ThreadClock;
import io.threadclock.ThreadMXBeanBoost;
import io.threadclock.ThreadsSnapshot;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;

/**
 * Installs the boost and takes it back, and asks at each step whether ThreadMXBean reads the library's clock: if it
 * does, each of its times lies between two readings of the library.
 */
public final class BoostLaws {
    private static final int READINGS = 20_000;

    void givesTheLibrarysClockAndTheJdksOwnBack() {
        assertThat(readingsOfAnotherClock())
                .as("readings of another clock before")
                .isPositive();
        assertThat(ThreadMXBeanBoost.install()).as("the first install()").isTrue();
        assertThat(ThreadMXBeanBoost.install()).as("the second install()").isFalse();
        assertIsInstalled(true);
        assertIsTheLibrarys();
        assertThat(ThreadMXBeanBoost.uninstall()).as("the first uninstall()").isTrue();
        assertThat(ThreadMXBeanBoost.uninstall()).as("the second uninstall()").isFalse();
        assertIsInstalled(false);
        assertThat(readingsOfAnotherClock()).as("and afterwards").isPositive();
    }

    void leavesToAnAgentWhatIsTheAgents() {
        for (int i = 0; i < 2; i++) {
            assertThat(ThreadMXBeanBoost.install()).as("install()").isFalse();
            assertIsInstalled(false);
            assertIsTheLibrarys();
        }
        for (int i = 0; i < 2; i++) {
            assertThat(ThreadMXBeanBoost.uninstall()).as("uninstall()").isFalse();
            assertIsTheLibrarys();
        }
    }

    void isOneClockWithAnAgent() {
        ThreadMXBeanBoost.install();
        assertIsInstalled(false);
        assertIsTheLibrarys();
    }

    void andAnAgentThatIsAttachedAreOneClock() throws IOException {
        givesTheLibrarysClockAndTheJdksOwnBack();
        Gate.await("begin");
        assertIsTheLibrarys();
        assertIsInstalled(false);
        Gate.await("middle");
        assertThat(readingsOfAnotherClock())
                .as("readings of another clock, detached")
                .isPositive();
    }

    void givesWayToAnOperatorWhoAttaches() throws IOException {
        ThreadMXBeanBoost.install();
        assertIsInstalled(true);
        Gate.await("begin");
        assertIsInstalled(false);
        assertThat(ThreadMXBeanBoost.uninstall())
                .as("taking away what an operator has asked for")
                .isFalse();
        assertIsTheLibrarys();
        Gate.await("middle");
    }

    void isRefusedWithoutJavaManagement() {
        assertThat(ThreadClock.cpuTimeNs()).as("CPU time all the same, ns").isNotNegative();
        assertThat(ThreadsSnapshot.take().threads()).as("threads in a snapshot").isNotEmpty();
        assertThatIllegalStateException()
                .isThrownBy(ThreadMXBeanBoost::install)
                .withMessageContainingAll("java.management", "as it was");
        assertIsInstalled(false);
    }

    private static void assertIsInstalled(boolean expected) {
        assertThat(ThreadMXBeanBoost.isInstalled()).as("isInstalled()").isEqualTo(expected);
    }

    private static void assertIsTheLibrarys() {
        assertThat(readingsOfAnotherClock()).as("readings of another clock").isZero();
    }

    private static int readingsOfAnotherClock() {
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        int others = 0;
        for (int i = 0; i < READINGS; i++) {
            long beforeNs = ThreadClock.userTimeNs();
            long userNs = threads.getCurrentThreadUserTime();
            others += userNs < beforeNs || userNs > ThreadClock.userTimeNs() ? 1 : 0;
        }
        return others;
    }
}
