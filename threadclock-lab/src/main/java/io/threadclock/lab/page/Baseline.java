// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.page;

import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import io.threadclock.harness.Spread;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.OptionalDouble;

/** Which contender the others of a benchmark are compared with, and which way round. */
enum Baseline {
    STOCK("stock ÷ this", true) {
        @Override
        boolean serves(Subject base, Subject subject) {
            return base.quantity().equals(subject.quantity()) && isStock(base.contender(), subject);
        }
    },
    TIMES_STOCK("× stock", false) {
        @Override
        boolean serves(Subject base, Subject subject) {
            return STOCK.serves(base, subject);
        }
    },
    COUNTER("× rdtsc", false) {
        @Override
        boolean serves(Subject base, Subject subject) {
            return base.contender().equals("rdtsc") || base.contender().equals("bare counter (rdtsc)");
        }
    },
    OFF("× off", false) {
        @Override
        boolean serves(Subject base, Subject subject) {
            return base.contender().equals("off") && base.quantity().equals(subject.quantity());
        }
    };

    private static final String CPU_TIME = "CPU time";
    private static final String USER_TIME = "user time";

    private final String title;
    private final boolean baseAbove;

    Baseline(String title, boolean baseAbove) {
        this.title = title;
        this.baseAbove = baseAbove;
    }

    /** Whether the one is what the other, of the same benchmark, JDK and parameter, is compared with. */
    abstract boolean serves(Subject base, Subject subject);

    String title() {
        return title;
    }

    /** Empty for the baseline itself, and where there is none. */
    Optional<Spread> ratio(Series series, List<Series> all) {
        return all.stream()
                .filter(base -> isComparable(base.subject(), series.subject()) && base.unit().equals(series.unit()))
                .filter(base -> serves(base.subject(), series.subject()))
                .findFirst()
                .map(base -> baseAbove ? base.ratioTo(series) : series.ratioTo(base))
                .filter(ratio -> Double.isFinite(ratio.median()));
    }

    OptionalDouble ratio(Distribution distribution, List<Distribution> all, double percentile) {
        Double own = distribution.percentiles().get(percentile);
        return all.stream()
                .filter(base -> isComparable(base.subject(), distribution.subject()))
                .filter(base -> serves(base.subject(), distribution.subject()))
                .map(base -> base.percentiles().get(percentile))
                .filter(base -> base != null && own != null && base > 0 && own > 0)
                .mapToDouble(base -> baseAbove ? base / own : own / base)
                .findFirst();
    }

    private static boolean isComparable(Subject base, Subject subject) {
        return !base.equals(subject)
                && base.benchmark().equals(subject.benchmark())
                && base.jdk().equals(subject.jdk())
                && Objects.equals(base.parameter(), subject.parameter());
    }

    /** "stock" where the quantity says what is read, "stock user time" where contenders do. */
    private static boolean isStock(String contender, Subject subject) {
        return contender.equals("stock")
                || contender.equals("stock " + CPU_TIME) && reads(subject, CPU_TIME)
                || contender.equals("stock " + USER_TIME) && reads(subject, USER_TIME);
    }

    private static boolean reads(Subject subject, String time) {
        return subject.contender().contains(time)
                || !subject.contender().startsWith("stock ") && subject.quantity().equals(time);
    }
}
