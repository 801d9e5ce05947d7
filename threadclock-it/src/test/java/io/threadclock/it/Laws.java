// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

/** The laws of any pair of readings, judged on the facts of a ReadingsProbe. */
final class Laws {
    private Laws() {}

    static void assertNone(Facts facts, String breaches, String law) {
        assertThat(facts.number(breaches))
                .as("%s: breaches in %s pairs, the worst %s ns", law, facts.text("pairs"), facts.text("worstNs"))
                .isZero();
    }

    /** Never negative, never decreasing, user time ≤ CPU time. */
    static void assertAll(Facts facts) {
        assertNone(facts, "negative", "no time is negative");
        assertNone(facts, "userDecreased", "user time never decreases");
        assertNone(facts, "cpuDecreased", "CPU time never decreases");
        assertNone(facts, "userAboveCpu", "user time never exceeds the CPU time read next");
    }
}
