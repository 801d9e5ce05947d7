// SPDX-License-Identifier: Apache-2.0
package io.threadclock.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.threadclock.harness.Jdk;
import java.util.List;
import org.junit.jupiter.api.Tag;

/** Requests whose steps frameworks move from thread to thread, beside others in the same threads. */
class HoppingRequestsIT {
    /** The framework itself may cost a quarter of steps of some 100 ms; the other request costs as much as this one. */
    private static final double MOST_PER_STEP = 1.25;

    @OnOldestAndNewestJdk
    void costTheirStepsInReactor(Jdk jdk) {
        assertCostsItsSteps(ReactorCost.class, jdk);
    }

    @OnOldestAndNewestJdk
    void costTheirStepsInCoroutines(Jdk jdk) {
        assertCostsItsSteps(CoroutineCost.class, jdk);
    }

    @OnOldestAndNewestJdk
    @Tag("timing")
    void costLittleMoreThanTheirStepsInReactor(Jdk jdk) {
        assertCostsLittleMore(ReactorCost.class, jdk);
    }

    @OnOldestAndNewestJdk
    @Tag("timing")
    void costLittleMoreThanTheirStepsInCoroutines(Jdk jdk) {
        assertCostsLittleMore(CoroutineCost.class, jdk);
    }

    private static void assertCostsItsSteps(Class<?> example, Jdk jdk) {
        String request = secondRequest(example, jdk);
        List<Long> ns = Printed.ns(request);
        assertThat(ns.get(0))
                .as("CPU time against that of the steps, in ns, of %s", request)
                .isGreaterThanOrEqualTo(ns.get(1));
        assertThat(request).containsPattern("threads [2-9]$");
    }

    private static void assertCostsLittleMore(Class<?> example, Jdk jdk) {
        String request = secondRequest(example, jdk);
        List<Long> ns = Printed.ns(request);
        assertThat(ns.get(0))
                .as("CPU time against that of the steps, in ns, of %s", request)
                .isLessThanOrEqualTo((long) (MOST_PER_STEP * ns.get(1)));
    }

    /** The first request loads classes. */
    private static String secondRequest(Class<?> example, Jdk jdk) {
        return Printed.by(example, jdk).line("the second request");
    }
}
