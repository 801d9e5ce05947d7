// SPDX-License-Identifier: Apache-2.0
package io.threadclock.benchmarks.page;

import io.threadclock.benchmarks.results.Series;
import io.threadclock.benchmarks.results.Subject;
import io.threadclock.harness.Spread;

/** One figure in two runs. */
record Change(Subject subject, String unit, Spread older, Spread newer, Verdict verdict) {
    private static final String HIGHER_IS_BETTER = "1/s";

    enum Verdict {
        BETTER,
        WORSE,
        NOISE,
        UNKNOWN
    }

    static Change between(Series older, Series newer) {
        Spread before = older.spread();
        Spread after = newer.spread();
        boolean spreadsAreKnown = older.rounds().size() > 1 && newer.rounds().size() > 1;
        Verdict verdict = spreadsAreKnown ? verdict(before, after, newer.unit()) : Verdict.UNKNOWN;
        return new Change(newer.subject(), newer.unit(), before, after, verdict);
    }

    double ratio() {
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
