// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import io.threadclock.harness.Spread;
import io.threadclock.lab.results.Measurement.Subject;
import java.util.List;

/** One figure in two runs. */
public record Change(Subject subject, String unit, Spread older, Spread newer, Verdict verdict) {
    private static final String HIGHER_IS_BETTER = "1/s";

    /** What the spreads of the two say, in the order in which a reader wants to know. */
    public enum Verdict {
        WORSE("Worse"),
        BETTER("Better"),
        NOISE("The same, or noise: spreads overlap"),
        UNKNOWN("One round only, so no spread");

        private final String title;

        Verdict(String title) {
            this.title = title;
        }

        public boolean isBeyondNoise() {
            return this == WORSE || this == BETTER;
        }

        @Override
        public String toString() {
            return title;
        }
    }

    /** Of each figure that both runs have, in the newer one's order. */
    public static List<Change> between(Results older, Results newer) {
        return newer.measurements().stream()
                .filter(Measurement::hasRounds)
                .flatMap(after -> older
                        .find(after.subject())
                        .filter(Measurement::hasRounds)
                        .filter(before -> before.unit().equals(after.unit()))
                        .map(before -> between(before, after))
                        .stream())
                .toList();
    }

    public static Change between(Measurement older, Measurement newer) {
        Spread before = older.spread();
        Spread after = newer.spread();
        boolean spreadsAreKnown = older.rounds().size() > 1 && newer.rounds().size() > 1;
        Verdict verdict = spreadsAreKnown ? verdict(before, after, newer.unit()) : Verdict.UNKNOWN;
        return new Change(newer.subject(), newer.unit(), before, after, verdict);
    }

    /** Newer ÷ older. */
    public double ratio() {
        return older.median() == newer.median() ? 1 : newer.median() / older.median();
    }

    /** Rounds that reach into those of the other run say that both are the same, or that the machine is noisy. */
    private static Verdict verdict(Spread before, Spread after, String unit) {
        if (before.least() <= after.greatest() && after.least() <= before.greatest()) {
            return Verdict.NOISE;
        }
        boolean rose = after.median() > before.median();
        return rose == unit.equals(HIGHER_IS_BETTER) ? Verdict.BETTER : Verdict.WORSE;
    }
}
