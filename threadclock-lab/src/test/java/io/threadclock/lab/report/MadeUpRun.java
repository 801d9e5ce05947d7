// SPDX-License-Identifier: Apache-2.0
package io.threadclock.lab.report;

import io.threadclock.lab.results.Measurement;
import io.threadclock.lab.results.Measurement.Subject;
import io.threadclock.lab.results.Origin;
import io.threadclock.lab.results.Results;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;

/** Made-up figures on a machine with 2 CPUs whose counter takes 10 ns, and a system call 200 ns. */
final class MadeUpRun {
    private static final double[] PERCENTILES = {0, 50, 90, 95, 99, 99.9, 99.99, 100};

    private final List<Measurement> measured = new ArrayList<>();

    MadeUpRun() {
        add("native//bare counter (rdtsc)/read=10");
        add("native//CLOCK_THREAD_CPUTIME_ID/read=200");
        add("native//asleep: SCHED clock id/read=200");
        add("native//busy: SCHED clock id/read=410");
    }

    /** @param figures {@code benchmark/JDK/contender/quantity@parameter=round round}, several separated by semicolons */
    MadeUpRun add(String figures) {
        for (String figure : figures.split("; *")) {
            int equals = figure.lastIndexOf('=');
            List<Double> rounds = Arrays.stream(figure.substring(equals + 1).split(" "))
                    .map(Double::valueOf)
                    .toList();
            String[] words = figure.substring(0, equals).split("/");
            String[] quantity = words[3].split("@");
            Double parameter = quantity.length == 1 ? null : Double.valueOf(quantity[1]);
            Subject subject = new Subject(words[0], words[1], words[2], quantity[0], parameter);
            measured.add(
                    words[0].equals("jmh.sample") ? samples(subject, rounds) : Measurement.of(subject, "ns", rounds));
        }
        return this;
    }

    private static Measurement samples(Subject subject, List<Double> ns) {
        TreeMap<Double, Double> percentiles = new TreeMap<>();
        Arrays.stream(PERCENTILES).forEach(percentile -> percentiles.put(percentile, ns.get(0)));
        return Measurement.of(subject, "ns", 1, ns.get(0), percentiles);
    }

    Results results() {
        Origin origin = new Origin(
                "1.0", "./threadclock bench", "2026-11-21T10:00:00Z", 90, "CPU", true, 2, "6.18", 250L, "0", List.of());
        return new Results(origin, measured, List.of());
    }
}
