// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.engine;

import io.threadclock.lab.engine.program.Turns;
import io.threadclock.lab.results.Distribution;
import io.threadclock.lab.results.Series;
import io.threadclock.lab.results.Subject;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.HdrHistogram.Histogram;

/** What the engine's work has taken on one JDK, block by block. */
final class EngineMeasurement {
    static final String THROUGHPUT = "engine.throughput";
    static final String CPU = "engine.cpu";
    static final String COST = "engine.cost";
    static final String LATENCY = "engine.latency";
    static final String UNITS = "units of work";
    static final String CPU_TIME = "CPU time";

    private static final double ONE_THREAD = 1;
    private static final double[] PERCENTILES = {0, 50, 90, 95, 99, 99.9, 99.99, 100};

    private final String jdk;
    private final Map<Subject, Series> series = new LinkedHashMap<>();
    private final Map<EngineContender, Histogram> unitNs = new LinkedHashMap<>();
    private final Set<String> notes = new LinkedHashSet<>();

    EngineMeasurement(String jdk) {
        this.jdk = jdk;
    }

    /**
     * Adds a block. What the ones have taken who work in both halves is that of the first half: a figure more of theirs
     * would be of other moments than the others'.
     */
    void add(List<EngineContender> contenders, Turns turns) {
        Block block = new Block(turns.slices(), contenders.size());
        boolean isFirstHalf = contenders.equals(EngineContender.WITHOUT_AGENT);
        for (EngineContender contender : contenders) {
            if (isFirstHalf || contender != EngineContender.OFF) {
                add(contender, block, turns.unitNs().get(contender.way()));
            }
        }
    }

    void note(List<String> agentLines) {
        agentLines.forEach(line -> notes.add("JDK " + jdk + ", engine: " + line));
    }

    List<Series> series() {
        return List.copyOf(series.values());
    }

    List<Distribution> distributions() {
        return unitNs.entrySet().stream()
                .map(entry -> distribution(entry.getKey(), entry.getValue()))
                .toList();
    }

    List<String> notes() {
        return List.copyOf(notes);
    }

    private void add(EngineContender contender, Block block, Histogram histogram) {
        add(THROUGHPUT, contender, UNITS, "1/s", block.unitsPerSecond(contender.way()));
        add(CPU, contender, CPU_TIME, "ns", block.cpuNs(contender.way()));
        if (contender != EngineContender.OFF) {
            add(COST, contender, UNITS, "%", block.throughputCostPercent(contender.way()));
            add(COST, contender, CPU_TIME, "%", block.cpuCostPercent(contender.way()));
        }
        unitNs.computeIfAbsent(contender, absent -> new Histogram(3)).add(histogram);
    }

    private void add(String benchmark, EngineContender contender, String quantity, String unit, double figure) {
        Subject subject = new Subject(benchmark, jdk, contender.toString(), quantity, ONE_THREAD);
        List<Double> rounds = new ArrayList<>();
        if (series.containsKey(subject)) {
            rounds.addAll(series.get(subject).rounds());
        }
        rounds.add(figure);
        series.put(subject, new Series(subject, unit, rounds));
    }

    private Distribution distribution(EngineContender contender, Histogram histogram) {
        SortedMap<Double, Double> values = new TreeMap<>();
        for (double percentile : PERCENTILES) {
            values.put(percentile, (double) histogram.getValueAtPercentile(percentile));
        }
        Subject subject = new Subject(LATENCY, jdk, contender.toString(), UNITS, ONE_THREAD);
        return new Distribution(subject, "ns", histogram.getTotalCount(), histogram.getMean(), values);
    }
}
