// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.demo;

import static io.threadclock.harness.TextTable.left;
import static io.threadclock.harness.TextTable.right;

import io.threadclock.lab.demo.message.PhaseResult;
import io.threadclock.harness.TextTable;
import java.util.ArrayList;
import java.util.List;
import org.HdrHistogram.Histogram;

/**
 * What attribution does to the program: units of work per second, and the share of CPU time spent on reading clocks.
 */
final class ProgramTable {
    private final List<JdkMeasurement> measurements;
    private final List<Integer> workers;
    private final boolean warm;

    /**
     * @param warm whether the programs had time to be compiled before anything counted
     */
    ProgramTable(List<JdkMeasurement> measurements, List<Integer> workers, boolean warm) {
        this.measurements = measurements;
        this.workers = workers;
        this.warm = warm;
    }

    Section section() {
        TextTable table = new TextTable(
                left("JDK"),
                right("threads"),
                left("clock"),
                right("units/s, attribution off"),
                right("units/s, attribution on"),
                right("on / off"),
                right("CPU µs a unit, off → on"),
                right("CPU spent on reading clocks"));
        for (JdkMeasurement measurement : measurements) {
            for (int count : workers) {
                for (Contender contender : Contender.values()) {
                    table.row(row(measurement, count, contender));
                }
            }
        }
        return new Section("What reading the clocks does to the program", table, notes());
    }

    private List<String> notes() {
        List<String> notes = new ArrayList<>(List.of(
                "A unit of work is one SQL query over the ingested rows or, every eighth time, one batch of 20"
                        + " rows over HTTP; it reads user and CPU time before and after.",
                "Medians of short phases in which stock and threadclock took turns (least – greatest)."
                        + " CPU spent: calls × (median − timer) / CPU time of the workers."));
        if (!warm) {
            notes.add(
                    "In so short a run the programs are still being compiled: units/s and CPU µs a unit say little yet.");
        }
        return notes;
    }

    private static String[] row(JdkMeasurement measurement, int count, Contender contender) {
        Rounds on = measurement.of(count, contender, true);
        Rounds off = measurement.of(count, contender, false);
        return new String[] {
            measurement.jdk().version(),
            Integer.toString(count),
            contender.toString(),
            unitsPerSecond(off.unitsPerSecond()),
            unitsPerSecond(on.unitsPerSecond()),
            ratio(on.unitsPerSecondAgainst(off)),
            micros(off.cpuNsPerUnit()) + " → " + micros(on.cpuNsPerUnit()),
            Figure.percent(readingShare(on.total(), measurement.timerNs(count)))
        };
    }

    static double readingShare(PhaseResult phase, Histogram timerNs) {
        long readingNs = new CallCost(phase.userCallNs(), timerNs).totalNs()
                + new CallCost(phase.cpuCallNs(), timerNs).totalNs();
        return (double) readingNs / phase.workCpuNs();
    }

    private static String unitsPerSecond(Spread units) {
        return Figure.count(Math.round(units.median())) + " (" + Figure.count(Math.round(units.least())) + " – "
                + Figure.count(Math.round(units.greatest())) + ")";
    }

    private static String micros(Spread ns) {
        return Figure.micros(ns.median());
    }

    private static String ratio(Spread ratio) {
        return Figure.percent(ratio.median()) + " (" + Figure.percent(ratio.least()) + " – "
                + Figure.percent(ratio.greatest()) + ")";
    }
}
