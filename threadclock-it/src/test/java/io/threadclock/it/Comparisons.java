// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

/** The counts of a probe that compared numbers, of which one had to be at least the other. */
record Comparisons(Facts facts, String name) {
    long made() {
        return facts.number(name + ".comparisons");
    }

    long breaches() {
        return facts.number(name + ".breaches");
    }

    void assertNoBreach(String law) {
        assertThat(breaches())
                .as("%s (%s): breaches in %s comparisons, the worst %s ns", law, name, made(), worst())
                .isZero();
    }

    private String worst() {
        return facts.text(name + ".worstNs");
    }
}
