// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.results;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonInclude.Include;
import com.fasterxml.jackson.annotation.JsonProperty;
import io.threadclock.harness.Spread;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/**
 * One quantity as a run has measured it: a row of every results file, and a line that the programs in C print.
 *
 * @param unit for instance {@code ns}, {@code ms}, {@code B} or {@code 1/s}
 * @param rounds the figure of each round; empty if it was not measured in rounds. Contenders that were measured in
 *     turn have as many, and the ratio of two is that of their rounds
 * @param samples how many samples, or errors, the statistics are of; 0 if there are none
 * @param statistics by name: {@code mean}, {@code bias} and others, and percentiles from {@code p0} (the least) to
 *     {@code p100} (the greatest)
 * @param most the bound that it must not exceed; null if there is none
 */
@JsonInclude(Include.NON_EMPTY)
public record Measurement(
        @JsonProperty(required = true) Subject subject,
        @JsonProperty(required = true) String unit,
        List<Double> rounds,
        @JsonInclude(Include.NON_DEFAULT) long samples,
        Map<String, Double> statistics,
        Double most) {
    public static final String BIAS = "bias";
    public static final String MEAN = "mean";

    /** The bounds of a mean's chance: twice its standard error. */
    public static final String CHANCE = "chance";

    private static final double[] PERCENTILES = {0, 10, 25, 50, 75, 90, 95, 99, 99.9, 99.99, 99.999, 100};

    /**
     * The subject of a measurement; no two measurements of a run have the same.
     *
     * @param benchmark the question, for instance {@code loop} or {@code snapshot}
     * @param jdk the JDK's version, or an empty string for C
     * @param contender who answers it, for instance {@code stock}
     * @param quantity of what, for instance {@code user time}
     * @param parameter for what number of threads, depth or the like; null if there is none
     * @param workload what the thread did meanwhile, where that is the question; else null
     */
    @JsonInclude(Include.NON_EMPTY)
    public record Subject(
            @JsonProperty(required = true) String benchmark,
            @JsonInclude(Include.ALWAYS) String jdk,
            @JsonProperty(required = true) String contender,
            @JsonProperty(required = true) String quantity,
            Double parameter,
            String workload) {
        public Subject {
            jdk = Objects.requireNonNullElse(jdk, "");
        }

        public Subject(String benchmark, String jdk, String contender, String quantity, Double parameter) {
            this(benchmark, jdk, contender, quantity, parameter, null);
        }
    }

    public Measurement {
        Objects.requireNonNull(subject, "subject");
        Objects.requireNonNull(unit, "unit");
        rounds = rounds == null ? List.of() : List.copyOf(rounds);
        statistics = statistics == null ? Map.of() : Collections.unmodifiableMap(new LinkedHashMap<>(statistics));
        if (rounds.isEmpty() && statistics.isEmpty()) {
            throw new IllegalArgumentException("neither rounds nor statistics of " + subject);
        }
    }

    /** One that was measured in rounds. */
    public static Measurement of(Subject subject, String unit, List<Double> rounds) {
        return new Measurement(subject, unit, rounds, 0, Map.of(), null);
    }

    public static Measurement of(Subject subject, String unit, Histogram histogram) {
        SortedMap<Double, Double> percentiles = new TreeMap<>();
        for (double percentile : PERCENTILES) {
            percentiles.put(percentile, (double) histogram.getValueAtPercentile(percentile));
        }
        percentiles.put(0.0, (double) histogram.getMinValue());
        return of(subject, unit, histogram.getTotalCount(), histogram.getMean(), percentiles);
    }

    /** How the samples of one figure were distributed. */
    public static Measurement of(
            Subject subject, String unit, long samples, double mean, Map<Double, Double> percentiles) {
        Map<String, Double> statistics = new LinkedHashMap<>();
        statistics.put(MEAN, mean);
        new TreeMap<>(percentiles).forEach((percentile, figure) -> statistics.put(percentile(percentile), figure));
        return new Measurement(subject, unit, List.of(), samples, statistics, null);
    }

    /** p50, p99.9. */
    public static String percentile(double percentile) {
        boolean whole = percentile == Math.rint(percentile);
        return "p" + (whole ? Long.toString((long) percentile) : Double.toString(percentile));
    }

    public boolean hasRounds() {
        return !rounds.isEmpty();
    }

    /** Whether there is a number for each figure. */
    public boolean allFinite() {
        return rounds.stream().allMatch(Double::isFinite)
                && percentiles().values().stream().allMatch(Double::isFinite);
    }

    /** @throws IllegalArgumentException if it has no rounds */
    public Spread spread() {
        return Spread.of(array());
    }

    /** This ÷ the other, round by round; of their medians if they were not measured in turn. */
    public Spread ratioTo(Measurement other) {
        if (rounds.size() != other.rounds.size()) {
            double ratio = spread().median() / other.spread().median();
            return Spread.of(ratio);
        }
        return Spread.ofRatios(array(), other.array());
    }

    /** This less the other, round by round; of their medians if they were not measured in turn. */
    public Measurement less(Measurement other) {
        List<Double> differences = new ArrayList<>();
        if (rounds.size() == other.rounds.size()) {
            for (int round = 0; round < rounds.size(); round++) {
                differences.add(rounds.get(round) - other.rounds.get(round));
            }
        } else {
            differences.add(spread().median() - other.spread().median());
        }
        return of(subject, unit, differences);
    }

    public Optional<Double> statistic(String name) {
        return Optional.ofNullable(statistics.get(name));
    }

    /** The mean of the samples. */
    public double mean() {
        return statistics.get(MEAN);
    }

    /** The figure that so many percent of the samples do not exceed. */
    public double at(double percentile) {
        return statistics.get(percentile(percentile));
    }

    /** Value by percentile, from 0 (the least) to 100 (the greatest); empty if it has no samples. */
    public SortedMap<Double, Double> percentiles() {
        SortedMap<Double, Double> percentiles = new TreeMap<>();
        statistics.forEach((name, figure) -> {
            if (name.matches("p[0-9.]+")) {
                percentiles.put(Double.valueOf(name.substring(1)), figure);
            }
        });
        return percentiles;
    }

    private double[] array() {
        return rounds.stream().mapToDouble(Double::doubleValue).toArray();
    }
}
