// SPDX-License-Identifier: Apache-2.0
package io.threadclock.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;

/** The wrong answers that the threads of a ChurnProbe have met. */
final class Strikes {
    private static final List<String> WAYS = List.of("own", "by_id", "by_array", "by_snapshot");

    private Strikes() {}

    static void assertThatAllToldTheTruth(Facts facts) {
        for (String way : WAYS) {
            assertThat(facts.number(way + ".calls"))
                    .as("%s: answers judged", way)
                    .isPositive();
            assertThat(facts.text(way + ".exceptions"))
                    .as("%s: exceptions", way)
                    .isEqualTo("{}");
            assertThat(facts.number(way + ".lies"))
                    .as("%s: answers that cannot be true; the first: %s", way, facts.text(way + ".firstLie"))
                    .isZero();
        }
    }
}
