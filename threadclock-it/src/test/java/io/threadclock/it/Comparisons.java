// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

/** What a probe counted when it compared figures, of which one was to be at least the other. */
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
