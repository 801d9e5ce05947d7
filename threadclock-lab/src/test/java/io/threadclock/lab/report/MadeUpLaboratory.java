// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.lab.results.Benchmarks;
import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** A run that nobody has measured. */
public final class MadeUpLaboratory {
    private static final Origin ORIGIN = new Origin(
            "1.2.3",
            "./threadclock accuracy",
            "2026-11-21T10:00:00+00:00",
            95,
            "AMD EPYC",
            true,
            2,
            "6.18.0",
            250L,
            "0.10",
            List.of());

    private final Map<Subject, Map<String, Double>> errors = new LinkedHashMap<>();
    private final List<String> notes = new ArrayList<>();

    public static MadeUpLaboratory ofTwoReaders() {
        return new MadeUpLaboratory()
                .add("spin", "truth", "-", "user-share", "mean", 99.9)
                .user("spin", "10ms", "ticks", 20, 40)
                .user("spin", "10ms", "smoothed", 0.25, 1.5)
                .user("requests-pure", "request", "ticks", 49, 100)
                .user("requests-pure", "request", "smoothed", 48.4, 51)
                .add("spin", "10ms", "smoothed", "cpu", "mean", 140)
                .add("spin", "10ms", "smoothed", "cpu", "p95", 2100);
    }

    public MadeUpLaboratory user(String workload, String over, String reader, double mean, double p95) {
        return add(workload, over, reader, "user", "bias", mean / 2)
                .add(workload, over, reader, "user", "mean", mean)
                .add(workload, over, reader, "user", "p95", p95);
    }

    public MadeUpLaboratory add(
            String workload, String over, String reader, String quantity, String statistic, double amount) {
        errors.computeIfAbsent(
                        new Subject(Benchmarks.ACCURACY + over, "", reader, quantity, null, workload),
                        absent -> new LinkedHashMap<>())
                .put(statistic, amount);
        return this;
    }

    public MadeUpLaboratory note(String note) {
        notes.add(note);
        return this;
    }

    public Results results() {
        List<Measurement> measured = new ArrayList<>();
        errors.forEach((subject, statistics) ->
                measured.add(new Measurement(subject, "points", List.of(), 100, statistics, null)));
        return new Results(ORIGIN, measured, notes);
    }
}
